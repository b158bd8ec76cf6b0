// RUN: mlt-opt %s --lower-cross-warp-reduce | %filecheck %s

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

  // All warps, and 64 places: each combines 8 of them, and reads the others'.
  // CHECK-LABEL: @parts
  tt.func public @parts(%x: tensor<64xf32>, %p: tensor<64x!tt.ptr<f32>>) {
    // CHECK: mlt.alloc {shape = array<i64: 8, 64>} : !tt.ptr<f32, 3>
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<1x64x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK: tt.load %{{.*}} : tensor<8x8x!tt.ptr<f32, 3>>
    // CHECK-NOT: tt.load
    // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
    // CHECK: (tensor<8x8xf32>) -> tensor<8xf32>
    // CHECK: mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<8x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK: tt.load %{{.*}} : tensor<64x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK-NOT: mlt.cross_warp_reduce
    %r = mlt.cross_warp_reduce %x size 8 stride 1 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      mlt.yield %s : f32
    } : (tensor<64xf32>) -> tensor<64xf32>
    tt.store %p, %r : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
