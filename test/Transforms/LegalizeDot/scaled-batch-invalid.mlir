// RUN: mlt-opt %s --split-input-file --legalize-dot --verify-diagnostics

module attributes {mlt.target = "pvc"} {
tt.func public @batch(%a: tensor<2x32x64xf8E5M2>, %b: tensor<2x64x32xf8E5M2>, %c: tensor<2x32x32xf32>) -> tensor<2x32x32xf32> {
  // expected-error @+1 {{expected operands of rank 2, got rank 3}}
  %d = tt.dot_scaled %a, %b, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<2x32x64xf8E5M2> * tensor<2x64x32xf8E5M2> -> tensor<2x32x32xf32>
  tt.return %d : tensor<2x32x32xf32>
}
}

// -----

module attributes {mlt.target = "pvc"} {
tt.func public @six_bits(%a: tensor<32x64xi8>, %b: tensor<64x32xi8>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // expected-error @+1 {{expected elements of e2m1, e4m3, e5m2, bf16 or fp16, got e2m3}}
  %d = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = e5m2 {fastMath = false} : tensor<32x64xi8> * tensor<64x32xi8> -> tensor<32x32xf32>
  tt.return %d : tensor<32x32xf32>
}
}
