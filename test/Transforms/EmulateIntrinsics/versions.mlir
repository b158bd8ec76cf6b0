// RUN: mlt-opt %s --emulate-intrinsics | %filecheck %s
// RUN: mlt-opt %s --emulate-intrinsics=checked=true | %filecheck %s --check-prefix=CHECKED

// Nothing stands against the first version on a device without limits: the other
// one goes, and messages take bases as they are (no 64 bytes are cut off), empty
// sizes below zero and rows in any order. Whoever checks messages needs both.

module attributes {mlt.target = "pvc"} {
llvm.func spir_funccc @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)

// CHECK-LABEL: llvm.func spir_kernelcc @both
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.call spir_funccc @mlt_block_read_16b_8r16x1_v8i16
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.return
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_block_read_16b_8r16x1_v8i16
// CHECK-NOT: llvm.mlir.constant(-64
// CHECK: llvm.icmp "sgt"
// CHECK: llvm.sext %{{.*}} : i32 to i64
// CHECK-NOT: llvm.mlir.constant(-64
// CHECK: llvm.return
// CHECKED-LABEL: llvm.func spir_kernelcc @both
// CHECKED: llvm.cond_br
// CHECKED: llvm.store %{{.*}} : i32, !llvm.ptr<1>
// CHECKED: llvm.mlir.constant(-64
llvm.func spir_kernelcc @both(%p: !llvm.ptr<1>, %c: i1, %n: i32, %v: vector<2xi32>) attributes {mlt.kernel = {}} {
  llvm.cond_br %c, ^fast, ^safe {mlt.versions}
^fast:
  %one = llvm.mlir.constant(1 : i32) : i32
  %buffer = llvm.alloca %one x !llvm.array<8 x i16> : (i32) -> !llvm.ptr
  llvm.call spir_funccc @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(%p, %n, %n, %n, %v, %buffer) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  %x = llvm.load %buffer : !llvm.ptr -> vector<8xi16>
  llvm.store %x, %p : vector<8xi16>, !llvm.ptr<1>
  llvm.br ^end
^safe:
  llvm.store %n, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
}
