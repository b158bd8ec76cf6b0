// RUN: mlt-opt %s --verify-diagnostics --lower-to-triton-release
// RUN: mlt-opt %s --lower-to-triton-release=release=3.7 -o /dev/null

tt.func @block_pointer(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected what Triton 3.9 knows, found 'tt.make_tensor_ptr' of 3.2 to 3.7; choose another release}}
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  tt.return
}
