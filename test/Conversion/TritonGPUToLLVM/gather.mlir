// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// Without a mask every lane accesses straight away.
// CHECK-LABEL: llvm.func spir_kernelcc @plain
// CHECK-NOT: llvm.cond_br
// CHECK: %[[P:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
// CHECK: %[[V:.*]] = llvm.load volatile %[[P]] : !llvm.ptr<1> -> f32
// CHECK: llvm.store %[[V]], %{{.*}} : f32, !llvm.ptr<1>
// CHECK: llvm.return
tt.func public @plain(%p: !tt.ptr<f32>) {
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %x = tt.load %q {isVolatile = true} : tensor<16x!tt.ptr<f32>>
  tt.store %q, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}

// A lane that is masked off does not touch memory and gets the other value: the
// message takes the condition along.
// CHECK-LABEL: llvm.func spir_kernelcc @masked
// CHECK-DAG: %[[MASK:.*]] = llvm.icmp "slt"
// CHECK-DAG: %[[OTHER:.*]] = llvm.mlir.constant(5.000000e-01 : f32)
// CHECK-NOT: llvm.cond_br
// CHECK: %[[P:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[OTHER]] : f32 to i32
// CHECK: %[[V:.*]] = llvm.call spir_funccc @_Z27__spirv_PredicatedLoadINTELPU3AS1ibi(%[[P]], %[[MASK]], %[[BITS]])
// CHECK: %[[R:.*]] = llvm.bitcast %[[V]] : i32 to f32
// CHECK: llvm.call spir_funccc @_Z28__spirv_PredicatedStoreINTELPU3AS1iib(%{{.*}}, %[[V]], %[[MASK]])
// CHECK: llvm.store %[[R]]
tt.func public @masked(%p: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %m = tt.splat %n : i32 -> tensor<16xi32>
  %mask = arith.cmpi slt, %i, %m : tensor<16xi32>
  %other = arith.constant dense<0.5> : tensor<16xf32>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %b, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %q, %mask, %other : tensor<16x!tt.ptr<f32>>
  tt.store %q, %x, %mask : tensor<16x!tt.ptr<f32>>
  %c = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  tt.store %c, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}

// One condition for the whole tile is one branch.
// CHECK-LABEL: llvm.func spir_kernelcc @uniform_mask
// CHECK: llvm.cond_br
// CHECK-COUNT-4: llvm.load
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.return
tt.func public @uniform_mask(%p: !tt.ptr<f32>, %c: i1) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %mask = tt.splat %c : i1 -> tensor<64xi1>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %b, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %q, %mask : tensor<64x!tt.ptr<f32>>
  tt.store %q, %x : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Elements that several lanes hold are loaded by all and stored by one.
// CHECK-LABEL: llvm.func spir_kernelcc @replicas
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i8
// CHECK: %[[BIT:.*]] = llvm.icmp "ne" %{{.*}} : i8
// CHECK: %[[FEW:.*]] = llvm.icmp "ult"
// CHECK: %[[BYTE:.*]] = llvm.zext %[[BIT]] : i1 to i8
// CHECK: llvm.call spir_funccc @_Z28__spirv_PredicatedStoreINTELPU3AS1ccb(%{{.*}}, %[[BYTE]], %[[FEW]])
tt.func public @replicas(%p: !tt.ptr<i1>) {
  %b = tt.splat %p : !tt.ptr<i1> -> tensor<8x!tt.ptr<i1>>
  %x = tt.load %b : tensor<8x!tt.ptr<i1>>
  tt.store %b, %x : tensor<8x!tt.ptr<i1>>
  tt.return
}

// Only a branch keeps the lanes that are masked off from volatile loads.
// CHECK-LABEL: llvm.func spir_kernelcc @volatile
// CHECK: llvm.cond_br
// CHECK: llvm.load volatile
tt.func public @volatile(%p: !tt.ptr<f32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %m = tt.splat %n : i32 -> tensor<16xi32>
  %mask = arith.cmpi slt, %i, %m : tensor<16xi32>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %b, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %q, %mask {isVolatile = true} : tensor<16x!tt.ptr<f32>>
  tt.store %q, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}

// Shared local memory is another address space.
// CHECK-LABEL: llvm.func spir_kernelcc @slm
// CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i64
// CHECK: llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
tt.func public @slm(%p: !tt.ptr<f32>) {
  %s = mlt.alloc {shape = array<i64: 16>} : !tt.ptr<f32, 3>
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %b = tt.splat %s : !tt.ptr<f32, 3> -> tensor<16x!tt.ptr<f32, 3>>
  %q = tt.addptr %b, %i : tensor<16x!tt.ptr<f32, 3>>, tensor<16xi32>
  %x = tt.load %q : tensor<16x!tt.ptr<f32, 3>>
  %o = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  tt.store %o, %x : tensor<16x!tt.ptr<f32>>
  tt.return
}
}
