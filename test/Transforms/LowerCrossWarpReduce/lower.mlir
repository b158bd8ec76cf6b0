// RUN: mlt-opt %s --split-input-file --lower-cross-warp-reduce | %filecheck %s

module attributes {"ttg.num-warps" = 8 : i32} {
  // Scalars: one slot a warp, read back as a tensor. Groups of 4 neighbours.
  // CHECK-LABEL: @scalar
  tt.func public @scalar(%x: f32, %p: !tt.ptr<f32>) {
    // CHECK: %[[W:.*]] = mlt.warp_id : i32
    // CHECK: mlt.alloc {shape = array<i64: 8>} : !tt.ptr<f32, 3>
    // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<f32, 3>
    // CHECK: mlt.barrier
    // CHECK: tt.load %{{.*}} : tensor<4x!tt.ptr<f32, 3>>
    // CHECK: "tt.reduce"
    // CHECK: tt.reduce.return
    // CHECK: (tensor<4xf32>) -> f32
    // CHECK: mlt.barrier
    %r = mlt.cross_warp_reduce %x size 4 stride 1 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      mlt.yield %s : f32
    } : (f32) -> f32
    tt.store %p, %r : !tt.ptr<f32>
    tt.return
  }

  // Tensors: one row a warp, the rows of the group combined place by place.
  // CHECK-LABEL: @tensor
  tt.func public @tensor(%x: tensor<16xf32>, %p: tensor<16x!tt.ptr<f32>>) {
    // CHECK: mlt.alloc {shape = array<i64: 8, 16>} : !tt.ptr<f32, 3>
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<1x16x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK: tt.load %{{.*}} : tensor<1x16x!tt.ptr<f32, 3>>
    // CHECK: tt.load %{{.*}} : tensor<1x16x!tt.ptr<f32, 3>>
    // CHECK: arith.maxnumf %{{.*}}, %{{.*}} : tensor<16xf32>
    // CHECK: mlt.barrier
    // CHECK-NOT: mlt.cross_warp_reduce
    %r = mlt.cross_warp_reduce %x size 2 stride 4 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.maxnumf %a, %b : f32
      mlt.yield %s : f32
    } : (tensor<16xf32>) -> tensor<16xf32>
    tt.store %p, %r : tensor<16x!tt.ptr<f32>>
    tt.return
  }

  // Warps without the result do not read it; all wait for those that do.
  // CHECK-LABEL: @destination
  tt.func public @destination(%x: tensor<16xf32>, %p: tensor<16x!tt.ptr<f32>>) {
    // CHECK: mlt.barrier
    // CHECK-DAG: %[[A:.*]] = arith.cmpi eq, %[[W:.*]], %c1_i32
    // CHECK-DAG: %[[B:.*]] = arith.cmpi eq, %[[W]], %c5_i32
    // CHECK: %[[C:.*]] = arith.ori %[[A]], %[[B]] : i1
    // CHECK: %[[R:.*]] = scf.if %[[C]] -> (tensor<16xf32>) {
    // CHECK-COUNT-8: tt.load
    // CHECK: } else {
    // CHECK-NEXT: %[[N:.*]] = ub.poison
    // CHECK-NEXT: scf.yield %[[N]]
    // CHECK: }
    // CHECK-NEXT: mlt.barrier
    // CHECK-NEXT: tt.store %{{.*}}, %[[R]]
    %r = mlt.cross_warp_reduce %x size 8 stride 1 dst_warps [1, 5] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      mlt.yield %s : f32
    } : (tensor<16xf32>) -> tensor<16xf32>
    tt.store %p, %r : tensor<16x!tt.ptr<f32>>
    tt.return
  }

  // A tile of many rows: every warp combines one row of all tiles and stores it in
  // the place of its first member's.
  // CHECK-LABEL: @shared
  tt.func public @shared(%x: tensor<8x64xf32>, %p: tensor<8x64x!tt.ptr<f32>>) {
    // CHECK: mlt.alloc {shape = array<i64: 8, 8, 64>} : !tt.ptr<f32, 3>
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<1x8x64x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK-COUNT-8: tt.load %{{.*}} : tensor<1x1x64x!tt.ptr<f32, 3>>
    // CHECK-COUNT-7: arith.addf %{{.*}}, %{{.*}} : tensor<1x64xf32>
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<1x1x64x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK: tt.load %{{.*}} : tensor<1x8x64x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK-NOT: tt.load
    %r = mlt.cross_warp_reduce %x size 8 stride 1 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      mlt.yield %s : f32
    } : (tensor<8x64xf32>) -> tensor<8x64xf32>
    tt.store %p, %r : tensor<8x64x!tt.ptr<f32>>
    tt.return
  }
}

// -----

// Many warps, one message each: a tree of 8 x 4, neighbours first.
module attributes {"ttg.num-warps" = 32 : i32} {
  // CHECK-LABEL: @tree
  tt.func public @tree(%x: tensor<16xf32>, %p: tensor<16x!tt.ptr<f32>>) {
    // CHECK: tt.store
    // CHECK: mlt.barrier
    // CHECK-COUNT-8: tt.load
    // CHECK-COUNT-7: arith.addf %{{.*}}, %{{.*}} : tensor<16xf32>
    // CHECK: mlt.barrier
    // CHECK: arith.divui %{{.*}}, %c8_i32
    // CHECK: mlt.alloc {shape = array<i64: 32, 16>} : !tt.ptr<f32, 3>
    // CHECK: tt.store
    // CHECK: mlt.barrier
    // CHECK-COUNT-4: tt.load
    // CHECK-COUNT-3: arith.addf %{{.*}}, %{{.*}} : tensor<16xf32>
    // CHECK: mlt.barrier
    // CHECK-NOT: tt.load
    %r = mlt.cross_warp_reduce %x size 32 stride 1 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      mlt.yield %s : f32
    } : (tensor<16xf32>) -> tensor<16xf32>
    tt.store %p, %r : tensor<16x!tt.ptr<f32>>
    tt.return
  }

  // Fewer pieces that fill the lanes than warps: the first 8 combine one each.
  // CHECK-LABEL: @some_share
  tt.func public @some_share(%x: tensor<128xf32>, %p: tensor<128x!tt.ptr<f32>>) {
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<1x128x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK: %[[C:.*]] = arith.cmpi ult, %{{.*}}, %c8_i32
    // CHECK: scf.if %[[C]] {
    // CHECK-COUNT-32: tt.load %{{.*}} : tensor<1x16x!tt.ptr<f32, 3>>
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<1x16x!tt.ptr<f32, 3>>
    // CHECK: }
    // CHECK: mlt.barrier
    // CHECK: tt.load %{{.*}} : tensor<1x128x!tt.ptr<f32, 3>>
    %r = mlt.cross_warp_reduce %x size 32 stride 1 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      mlt.yield %s : f32
    } : (tensor<128xf32>) -> tensor<128xf32>
    tt.store %p, %r : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
