// RUN: mlt-opt %s --expand-exchange | %filecheck %s

// CHECK-LABEL: @gather
// CHECK-SAME: %[[X:.*]]: tensor<32x128xf16>, %[[I:.*]]: tensor<32x64xi64>,
tt.func public @gather(%x: tensor<32x128xf16>, %i: tensor<32x64xi64>, %p: tensor<32x64x!tt.ptr<f16>>) {
  // CHECK: arith.trunci %[[I]] : tensor<32x64xi64> to tensor<32x64xi32>
  // CHECK: %[[BUFFER:.*]] = mlt.alloc {shape = array<i64: 32, 128>} : !tt.ptr<f16, 3>
  // CHECK: tt.store %{{.*}}, %[[X]] : tensor<32x128x!tt.ptr<f16, 3>>
  // CHECK-NEXT: mlt.barrier
  // The row number counts in rows of the source.
  // CHECK: arith.constant dense<128> : tensor<32x64xi32>
  // CHECK: %[[R:.*]] = tt.load %{{.*}} : tensor<32x64x!tt.ptr<f16, 3>>
  // CHECK-NEXT: mlt.barrier
  // CHECK-NEXT: tt.store %{{.*}}, %[[R]]
  %r = tt.gather %x[%i] {axis = 1 : i32} : (tensor<32x128xf16>, tensor<32x64xi64>) -> tensor<32x64xf16>
  tt.store %p, %r : tensor<32x64x!tt.ptr<f16>>
  tt.return
}

// CHECK-LABEL: @histogram
tt.func public @histogram(%x: tensor<128xi32>, %p: tensor<16x!tt.ptr<i32>>) {
  // CHECK: mlt.alloc {shape = array<i64: 16>} : !tt.ptr<i32, 3>
  // CHECK: mlt.barrier
  // CHECK: %[[IN:.*]] = arith.cmpi ult
  // CHECK: tt.atomic_rmw add, relaxed, cta, %{{.*}}, %{{.*}}, %[[IN]] : (tensor<128x!tt.ptr<i32, 3>>, tensor<128xi32>, tensor<128xi1>) -> tensor<128xi32>
  // CHECK: mlt.barrier
  // CHECK: tt.load %{{.*}} : tensor<16x!tt.ptr<i32, 3>>
  // CHECK: mlt.barrier
  %h = tt.histogram %x : tensor<128xi32> -> tensor<16xi32>
  tt.store %p, %h : tensor<16x!tt.ptr<i32>>
  tt.return
}

// Three rounds for eight elements; one buffer serves all.
// CHECK-LABEL: @scan
tt.func public @scan(%x: tensor<8xf32>, %p: tensor<8x!tt.ptr<f32>>) {
  // CHECK: mlt.alloc {shape = array<i64: 8>} : !tt.ptr<f32, 3>
  // CHECK-NOT: mlt.alloc
  // CHECK: arith.cmpi uge
  // CHECK: arith.mulf
  // CHECK: arith.cmpi uge
  // CHECK: arith.mulf
  // CHECK: arith.cmpi uge
  // CHECK: arith.mulf
  // CHECK-NOT: arith.mulf
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %b : f32
    tt.scan.return %r : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.store %p, %s : tensor<8x!tt.ptr<f32>>
  tt.return
}

// Backwards, elements that lie behind are taken in.
// CHECK-LABEL: @reverse
tt.func public @reverse(%x: tensor<2xf32>, %p: tensor<2x!tt.ptr<f32>>) {
  // CHECK: arith.cmpi ult
  // CHECK: arith.addi
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    tt.scan.return %r : f32
  }) : (tensor<2xf32>) -> tensor<2xf32>
  tt.store %p, %s : tensor<2x!tt.ptr<f32>>
  tt.return
}

// Four segments of 16: their totals, a scan of these, and the results, in memory
// of their own.
// CHECK-LABEL: @segments
tt.func public @segments(%x: tensor<2x64xf32>, %p: tensor<2x64x!tt.ptr<f32>>) {
  // CHECK: mlt.alloc {shape = array<i64: 2, 64>} : !tt.ptr<f32, 3>
  // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<2x64x!tt.ptr<f32, 3>>
  // CHECK-NEXT: mlt.barrier
  // CHECK: scf.for
  // CHECK: %[[NEXT:.*]] = tt.load %{{.*}} : tensor<2x4x!tt.ptr<f32, 3>>
  // CHECK-NEXT: arith.subf %{{.*}}, %[[NEXT]] : tensor<2x4xf32>
  // CHECK-NEXT: scf.yield
  // CHECK: mlt.alloc {shape = array<i64: 2, 4>} : !tt.ptr<f32, 3>
  // CHECK: arith.subf
  // CHECK: arith.subf
  // CHECK: mlt.alloc {shape = array<i64: 2, 4>} : !tt.ptr<f32, 3>
  // CHECK: mlt.alloc {shape = array<i64: 2, 64>} : !tt.ptr<f32, 3>
  // CHECK: arith.subf
  // CHECK: scf.for
  // CHECK-NOT: mlt.barrier
  // CHECK: %[[SUM:.*]] = arith.subf %{{.*}}, %{{.*}} : tensor<2x4xf32>
  // CHECK-NOT: mlt.barrier
  // CHECK: tt.store %{{.*}}, %[[SUM]] : tensor<2x4x!tt.ptr<f32, 3>>
  // CHECK-NEXT: scf.yield %[[SUM]]
  // CHECK: mlt.barrier
  // CHECK: tt.load %{{.*}} : tensor<2x64x!tt.ptr<f32, 3>>
  // CHECK-NEXT: mlt.barrier
  %s = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.subf %a, %b : f32
    tt.scan.return %r : f32
  }) : (tensor<2x64xf32>) -> tensor<2x64xf32>
  tt.store %p, %s : tensor<2x64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: @barrier
tt.func public @barrier() {
  // CHECK-NEXT: mlt.barrier global
  // CHECK-NEXT: mlt.barrier global
  // CHECK-NEXT: tt.return
  gpu.barrier
  ttg.barrier all
  tt.return
}


// Indices of fewer than 32 bits number places: they have no sign.
// CHECK-LABEL: @narrow_indices
tt.func public @narrow_indices(%x: tensor<256xf32>, %i: tensor<64xi8>, %p: tensor<64x!tt.ptr<f32>>) {
  // CHECK: arith.extui %{{.*}} : tensor<64xi8> to tensor<64xi32>
  %r = tt.gather %x[%i] {axis = 0 : i32} : (tensor<256xf32>, tensor<64xi8>) -> tensor<64xf32>
  tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}
