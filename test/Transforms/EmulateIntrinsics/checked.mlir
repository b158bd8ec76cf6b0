// RUN: mlt-opt %s --emulate-intrinsics=checked=true --canonicalize | %filecheck %s

// Each message gets a site; the kernel gets an argument, and its record lists
// what the codes mean.

llvm.func spir_funccc @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)
llvm.func spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x1cPU3AS1viiiDv2_i(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>)

// CHECK-LABEL: llvm.func spir_kernelcc @k
// CHECK-SAME: %arg5: !llvm.ptr<1>)
// CHECK-SAME: mlt.kernel = {args = [], checks = {arg = 5 : i32, rules = ["base address is a multiple of 64", "width is at least 64 bytes",
// CHECK-SAME: sites = [{loc = "kernels.py:85:29", what = "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt"}, {loc = "kernels.py:90:5", what = "_Z45
// CHECK-SAME: interface = "portable"
// CHECK-DAG: %[[ZERO:.+]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[ONE:.+]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call spir_funccc @mlt_block_read_16b_8r16x1_v8i16_checked({{.+}}, %arg5, %[[ZERO]])
// CHECK: llvm.call spir_funccc @mlt_block_prefetch_16b_8r16x1_checked({{.+}}, %arg5, %[[ONE]])
llvm.func spir_kernelcc @k(%a: !llvm.ptr<1>, %w: i32, %h: i32, %xy: vector<2xi32>, %o: !llvm.ptr<1>) attributes {mlt.kernel = {args = [], interface = "builtin"}} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %buffer = llvm.alloca %one x !llvm.array<8 x i16> : (i32) -> !llvm.ptr
  llvm.call spir_funccc @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(%a, %w, %h, %w, %xy, %buffer) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> () loc("kernels.py":85:29)
  %v = llvm.load %buffer : !llvm.ptr -> vector<8xi16>
  llvm.store %v, %o : vector<8xi16>, !llvm.ptr<1>
  llvm.call spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x1cPU3AS1viiiDv2_i(%a, %w, %h, %w, %xy) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>) -> () loc("kernels.py":90:5)
  llvm.return
}

// CHECK-LABEL: llvm.func internal spir_funccc @mlt_block_read_16b_8r16x1_v8i16_checked
// CHECK-DAG: %[[NAN:.+]] = llvm.mlir.constant(dense<-1> : vector<8xi16>)
// CHECK: llvm.cond_br %{{.+}}, ^[[BROKEN:.+]], ^[[FINE:.+]]
// CHECK: ^[[BROKEN]]:
// CHECK: llvm.store %{{.+}}, %arg6 {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK: llvm.return %[[NAN]]
