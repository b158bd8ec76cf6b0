// RUN: mlt-opt %s --emulate-intrinsics | %filecheck %s

llvm.func spir_funccc @_Z19sub_group_broadcastij(i32, i32) -> i32
llvm.func spir_funccc @_Z17sub_group_shufflefj(f32, i32) -> f32
llvm.func spir_funccc @_Z21sub_group_shuffle_xorlj(i64, i32) -> i64

// CHECK-LABEL: llvm.func spir_kernelcc @exchange
// CHECK: %[[A:.+]] = llvm.mlir.constant(3 : i32)
// CHECK: llvm.call spir_funccc @_Z22__spirv_GroupBroadcastiij(%[[A]], %arg1, %arg1)
// CHECK: %[[B:.+]] = llvm.mlir.constant(3 : i32)
// CHECK: llvm.call spir_funccc @_Z30__spirv_GroupNonUniformShuffleifj(%[[B]], %arg2, %arg1) {convergent
// CHECK: %[[C:.+]] = llvm.mlir.constant(3 : i32)
// CHECK: llvm.call spir_funccc @_Z33__spirv_GroupNonUniformShuffleXorilj(%[[C]], %arg3, %arg1)
// CHECK-NOT: @_Z{{.*}}sub_group_shuffle
llvm.func spir_kernelcc @exchange(%p: !llvm.ptr<1>, %i: i32, %f: f32, %l: i64) {
  %0 = llvm.call spir_funccc @_Z19sub_group_broadcastij(%i, %i) : (i32, i32) -> i32
  %1 = llvm.call spir_funccc @_Z17sub_group_shufflefj(%f, %i) : (f32, i32) -> f32
  %2 = llvm.call spir_funccc @_Z21sub_group_shuffle_xorlj(%l, %i) : (i64, i32) -> i64
  llvm.store %0, %p : i32, !llvm.ptr<1>
  llvm.store %1, %p : f32, !llvm.ptr<1>
  llvm.store %2, %p : i64, !llvm.ptr<1>
  llvm.return
}
