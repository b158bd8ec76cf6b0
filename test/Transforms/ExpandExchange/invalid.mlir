// RUN: mlt-opt %s --expand-exchange -verify-diagnostics

tt.func public @control_flow(%x: tensor<8xf32>, %p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{cannot be expanded: expected a combine region without loops and calls}}
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %r = scf.for %i = %zero to %two step %one iter_args(%s = %a) -> f32 {
      %n = arith.addf %s, %b : f32
      scf.yield %n : f32
    }
    tt.scan.return %r : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.store %p, %s : tensor<8x!tt.ptr<f32>>
  tt.return
}
