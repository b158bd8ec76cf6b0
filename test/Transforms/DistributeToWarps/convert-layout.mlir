// RUN: mlt-opt %s --distribute-to-warps --canonicalize --cse | %filecheck %s

#rows = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerWarp = [64, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #rows}>

module attributes {"ttg.num-warps" = 4 : i32} {
  // Two layouts that give every warp the same elements: nothing moves.
  // CHECK-LABEL: @same
  tt.func public @same(%x: f32, %base: !tt.ptr<f32>) {
    %p = tt.splat %base : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #dot0>
    // CHECK-NOT: mlt.alloc
    // CHECK: tt.store
    %t = tt.splat %x : f32 -> tensor<64x64xf32, #rows>
    %u = mlt.convert_layout %t : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #dot0>
    tt.store %p, %u : tensor<64x64x!tt.ptr<f32>, #dot0>
    tt.return
  }

  // Rows to columns: through shared local memory, a barrier on either side of
  // the load.
  // CHECK-LABEL: @exchange
  tt.func public @exchange(%x: f32, %base: !tt.ptr<f32>) {
    %p = tt.splat %base : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #columns>
    %t = tt.splat %x : f32 -> tensor<64x64xf32, #rows>
    // CHECK: mlt.alloc {shape = array<i64: 64, 64>} : !tt.ptr<f32, 3>
    // CHECK: tt.store %{{.*}} : tensor<16x64x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    // CHECK: tt.load %{{.*}} : tensor<64x16x!tt.ptr<f32, 3>>
    // CHECK: mlt.barrier
    %u = mlt.convert_layout %t : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    tt.store %p, %u : tensor<64x64x!tt.ptr<f32>, #columns>
    tt.return
  }
}
