// RUN: mlt-opt %s --split-input-file --emulate-intrinsics --verify-diagnostics | %filecheck %s

// The device's accesses under a condition become helpers with a branch.
// CHECK-DAG: llvm.func internal spir_funccc @mlt_masked_load_i16(%[[P:.*]]: !llvm.ptr<1>, %[[C:.*]]: i1, %[[O:.*]]: i16) -> i16
// CHECK-DAG: llvm.func internal spir_funccc @mlt_masked_store_i32(
// CHECK-LABEL: llvm.func spir_kernelcc @masked
// CHECK: %[[X:.*]] = llvm.call spir_funccc @mlt_masked_load_i16(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: llvm.call spir_funccc @mlt_masked_store_i32(%{{.*}}, %{{.*}}, %{{.*}})
llvm.func spir_funccc @_Z27__spirv_PredicatedLoadINTELPU3AS1sbs(!llvm.ptr<1>, i1, i16) -> i16
llvm.func spir_funccc @_Z28__spirv_PredicatedStoreINTELPU3AS1iib(!llvm.ptr<1>, i32, i1)
llvm.func spir_kernelcc @masked(%p: !llvm.ptr<1>, %c: i1, %o: i16) {
  %x = llvm.call spir_funccc @_Z27__spirv_PredicatedLoadINTELPU3AS1sbs(%p, %c, %o) : (!llvm.ptr<1>, i1, i16) -> i16
  %y = llvm.zext %x : i16 to i32
  llvm.call spir_funccc @_Z28__spirv_PredicatedStoreINTELPU3AS1iib(%p, %y, %c) : (!llvm.ptr<1>, i32, i1) -> ()
  llvm.return
}

// -----

// expected-error @below {{expected a predicated access of an integer, got}}
llvm.func spir_funccc @_Z27__spirv_PredicatedLoadINTELPU3AS1fbf(!llvm.ptr<1>, i1, f32) -> f32
llvm.func spir_kernelcc @float(%p: !llvm.ptr<1>, %c: i1, %o: f32) {
  %x = llvm.call spir_funccc @_Z27__spirv_PredicatedLoadINTELPU3AS1fbf(%p, %c, %o) : (!llvm.ptr<1>, i1, f32) -> f32
  llvm.store %x, %p : f32, !llvm.ptr<1>
  llvm.return
}

// -----

// expected-error @below {{the name 'mlt_masked_load_i32' of a helper is taken}}
llvm.func spir_funccc @_Z27__spirv_PredicatedLoadINTELPU3AS1ibi(!llvm.ptr<1>, i1, i32) -> i32
llvm.func @mlt_masked_load_i32()
llvm.func spir_kernelcc @taken(%p: !llvm.ptr<1>, %c: i1, %o: i32) {
  %x = llvm.call spir_funccc @_Z27__spirv_PredicatedLoadINTELPU3AS1ibi(%p, %c, %o) : (!llvm.ptr<1>, i1, i32) -> i32
  llvm.store %x, %p : i32, !llvm.ptr<1>
  llvm.return
}
