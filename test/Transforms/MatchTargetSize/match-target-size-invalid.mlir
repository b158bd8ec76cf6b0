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
