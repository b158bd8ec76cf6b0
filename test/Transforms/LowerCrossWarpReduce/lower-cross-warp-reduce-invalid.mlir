// RUN: mlt-opt %s --split-input-file --lower-cross-warp-reduce -verify-diagnostics

tt.func public @unknown(%x: f32, %p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected the module attribute 'ttg.num-warps'}}
  %r = mlt.cross_warp_reduce %x size 4 stride 1 {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    mlt.yield %s : f32
  } : (f32) -> f32
  tt.store %p, %r : !tt.ptr<f32>
  tt.return
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func public @loops(%x: tensor<16xf32>, %p: tensor<16x!tt.ptr<f32>>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expected a combination of operations on single elements, found loops; keep the reduced axis in one warp}}
  %r = mlt.cross_warp_reduce %x size 4 stride 1 {
  ^bb0(%a: f32, %b: f32):
    %s = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %a) -> (f32) {
      %w = arith.addf %v, %b : f32
      scf.yield %w : f32
    }
    mlt.yield %s : f32
  } : (tensor<16xf32>) -> tensor<16xf32>
  tt.store %p, %r : tensor<16x!tt.ptr<f32>>
  tt.return
}
}
