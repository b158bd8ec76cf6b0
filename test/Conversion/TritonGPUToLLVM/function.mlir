// RUN: mlt-opt %s --convert-tritongpu-to-llvm=interface=genisa | %filecheck %s

// What the manifest needs stands on the function; a boolean is passed as a byte.

// CHECK: llvm.mlir.global internal @k_slm() {addr_space = 3 : i32, alignment = 64 : i64{{.*}}} : !llvm.array<1152 x i8>
// CHECK-LABEL: llvm.func spir_kernelcc @k(
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %{{.*}}: i8, %{{.*}}: i16, %{{.*}}: i64)
// CHECK-SAME: intel_reqd_sub_group_size = 16 : i32
// CHECK-SAME: mlt.kernel = {args = [{addrspace = 1 : i32, divisibility = 16 : i32, kind = "pointer", name = "x_ptr", type = "bf16"}, {kind = "scalar", name = "flag", type = "i1"}, {kind = "scalar", type = "bf16"}, {divisibility = 8 : i32, kind = "scalar", type = "i64"}]
// CHECK-SAME: interface = "genisa", num_warps = 8 : i32, preconditions = [{arg = 0 : i32, kind = "base", value = 64 : i64}], slm_bytes = 1152 : i32, style = "simt", sub_group_size = 16 : i32}
// CHECK-SAME: reqd_work_group_size = array<i32: 128, 1, 1>
module attributes {"ttg.num-warps" = 8 : i32, mlt.target = "pvc"} {
  tt.func public @k(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32} loc("x_ptr"), %flag: i1 loc("flag"), %s: bf16, %n: i64 {tt.divisibility = 8 : i32}) attributes {mlt.preconditions = [{kind = "base", arg = 0 : i32, value = 64 : i64}]} {
    // The second allocation gets a place behind the first.
    %a = mlt.alloc {shape = array<i64: 16, 32>, offset = 128 : i32} : !tt.ptr<i8, 3>
    %b = mlt.alloc {shape = array<i64: 128>} : !tt.ptr<f32, 3>
    %c1 = arith.constant 1 : i8
    %c2 = arith.constant 2.0 : f32
    // CHECK: %[[BASE:.*]] = llvm.mlir.addressof @k_slm : !llvm.ptr<3>
    // CHECK: %[[A:.*]] = llvm.getelementptr %[[BASE]][128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    // CHECK: %[[B:.*]] = llvm.getelementptr %[[BASE]][640] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    // CHECK: llvm.store %{{.*}}, %[[A]] : i8, !llvm.ptr<3>
    // CHECK: llvm.store %{{.*}}, %[[B]] : f32, !llvm.ptr<3>
    tt.store %a, %c1 : !tt.ptr<i8, 3>
    tt.store %b, %c2 : !tt.ptr<f32, 3>
    // CHECK: llvm.cond_br
    // CHECK: llvm.store %{{.*}}, %{{.*}} : i16, !llvm.ptr<1>
    scf.if %flag {
      tt.store %x, %s : !tt.ptr<bf16>
    }
    // CHECK: llvm.return
    tt.return
  }
}
