// RUN: mlt-opt %s --expand-exchange -verify-diagnostics

tt.func public @control_flow(%x: tensor<8xf32>, %p: tensor<8x!tt.ptr<f32>>) {
  // expected-error @+1 {{cannot be expanded: expected a combine region without control flow and calls}}
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    %r = scf.if %less -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %b : f32
    }
    tt.scan.return %r : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.store %p, %s : tensor<8x!tt.ptr<f32>>
  tt.return
}
