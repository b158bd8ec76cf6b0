// RUN: mlt-opt %s --match-target-size -split-input-file -verify-diagnostics
// RUN: not mlt-opt --match-target-size=max-load-size=3,5 %S/gemm.mlir 2>&1 | %filecheck %s --check-prefix=OPTION

// OPTION: expected option 'max-load-size' to be 2 powers of two, separated by commas

tt.func public @ieee(%a: tensor<8x8xf32>, %b: tensor<8x16xf32>, %c: tensor<8x16xf32>) {
  // expected-error @+1 {{has no instruction on target 'pvc' for operands f32 and f32 with accumulator f32}}
  %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<8x8xf32> * tensor<8x16xf32> -> tensor<8x16xf32>
  tt.return
}

// -----

tt.func public @shallow(%a: tensor<8x8xf16>, %b: tensor<8x16xf16>, %c: tensor<8x16xf32>) {
  // expected-error @+1 {{expected a warp tile whose columns are a multiple of 16 and whose depth is a multiple of 16}}
  %d = tt.dot %a, %b, %c : tensor<8x8xf16> * tensor<8x16xf16> -> tensor<8x16xf32>
  tt.return
}

// -----

// expected-error @+1 {{unknown target 'nope', expected one of 'pvc'}}
module attributes {mlt.target = "nope"} {}

// -----

tt.func public @batch(%a: tensor<2x8x16xf16>, %b: tensor<2x16x16xf16>, %c: tensor<2x8x16xf32>) {
  // expected-error @+1 {{expected a dot of rank 2, got rank 3}}
  %d = tt.dot %a, %b, %c : tensor<2x8x16xf16> * tensor<2x16x16xf16> -> tensor<2x8x16xf32>
  tt.return
}

// -----

tt.func public @no_message(%p: !tt.ptr<f64>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf64>>
  // expected-error @+1 {{has no 2-D block message on target 'pvc' for 'tensor<8x16xf64>'; run 'legalize-block-io' first}}
  %t = tt.load %b : !tt.ptr<tensor<8x16xf64>>
  tt.return
}
