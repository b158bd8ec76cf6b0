// RUN: mlt-opt %s --split-input-file --legalize-dot -verify-diagnostics

tt.func public @long_integers(%a: tensor<16x16xi64>, %b: tensor<16x16xi64>, %c: tensor<16x16xi64>) -> tensor<16x16xi64> {
  // expected-error @+1 {{cannot be lowered: expected integers of at most 32 bits, got 'i64'}}
  %d = tt.dot %a, %b, %c : tensor<16x16xi64> * tensor<16x16xi64> -> tensor<16x16xi64>
  tt.return %d : tensor<16x16xi64>
}
