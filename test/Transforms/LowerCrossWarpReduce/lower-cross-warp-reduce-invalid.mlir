// RUN: mlt-opt %s --lower-cross-warp-reduce -verify-diagnostics

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
