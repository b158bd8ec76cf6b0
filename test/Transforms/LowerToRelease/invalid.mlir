// RUN: not mlt-opt %s --triton-version=3.1 2>&1 | %filecheck %s --check-prefix=RELEASE
// RELEASE: Cannot find option named '3.1'

// RUN: mlt-opt %s --split-input-file --verify-diagnostics --lower-to-triton-release=release=3.2

tt.func @descriptor(%p: !tt.ptr<f16>, %i: i32, %s: i64) {
  // expected-error @+1 {{expected what Triton 3.2 knows, found a tensor descriptor; choose another release}}
  %0 = tt.make_tensor_descriptor %p, [%i], [%s] : <f16>, <16xf16>
  tt.return
}

// -----

// expected-error @+1 {{expected what Triton 3.2 knows, found a tensor descriptor}}
tt.func @argument(%d: !tt.tensordesc<16xf16>) {
  tt.return
}

// -----

tt.func @unsplat(%t: tensor<1xf16>) {
  // expected-error @+1 {{expected what Triton 3.2 knows, found 'tt.unsplat' of 3.5 to 3.9}}
  %0 = tt.unsplat %t : tensor<1xf16>
  tt.return
}

// -----

tt.func @warp_level() {
  // expected-error @+1 {{expected what Triton 3.2 knows, found 'mlt.warp_id'}}
  %0 = mlt.warp_id : i32
  tt.return
}

// -----

tt.func @scaled(%a: tensor<64x64xbf16>, %b: tensor<64x64xi8>, %s: tensor<64x2xi8>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expected what Triton 3.2 knows, found a left operand without scale}}
  %0 = tt.dot_scaled %a, %b scale %s, %c lhs = bf16 rhs = e4m3 {fastMath = false} : tensor<64x64xbf16> * tensor<64x64xi8>, tensor<64x2xi8> -> tensor<64x64xf32>
  tt.return
}

// -----

tt.func @packed_along_rows(%a: tensor<32x64xi8>, %b: tensor<64x64xi8>, %s: tensor<64x2xi8>, %c: tensor<64x64xf32>) {
  // expected-error @+1 {{expected what Triton 3.2 knows, found an operand that is not packed along k}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = e5m2 {fastMath = false, lhs_k_pack = false} : tensor<32x64xi8>, tensor<64x2xi8> * tensor<64x64xi8> -> tensor<64x64xf32>
  tt.return
}
