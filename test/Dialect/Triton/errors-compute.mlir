// RUN: mlt-opt %s --split-input-file --verify-diagnostics

// Dots.

tt.func @dot_rank(%a: tensor<4xf16>, %c: tensor<4xf32>) {
  // expected-error @+1 {{expected operands of rank 2 or 3, got 'tensor<4xf16>'}}
  %0 = tt.dot %a, %a, %c : tensor<4xf16> * tensor<4xf16> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @dot_k(%a: tensor<4x8xf16>, %b: tensor<4x8xf16>, %c: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 8 rows of b, one per column of a, got 4}}
  %0 = tt.dot %a, %b, %c : tensor<4x8xf16> * tensor<4x8xf16> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @dot_accumulator(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %c: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an accumulator of 4x4, got 'tensor<4x8xf32>'}}
  %0 = tt.dot %a, %b, %c : tensor<4x8xf16> * tensor<8x4xf16> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @dot_batch(%a: tensor<2x4x8xf16>, %b: tensor<4x8x4xf16>, %c: tensor<2x4x4xf32>) {
  // expected-error @+1 {{expected the same batch size}}
  %0 = tt.dot %a, %b, %c : tensor<2x4x8xf16> * tensor<4x8x4xf16> -> tensor<2x4x4xf32>
  tt.return
}

// -----

tt.func @dot_width(%a: tensor<4x8xf16>, %b: tensor<8x4xf8E5M2>, %c: tensor<4x4xf32>) {
  // expected-error @+1 {{expected operands of the same element width, got 'f16' and 'f8E5M2'}}
  %0 = tt.dot %a, %b, %c : tensor<4x8xf16> * tensor<8x4xf8E5M2> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @dot_kind(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %c: tensor<4x4xi32>) {
  // expected-error @+1 {{expected all floating-point or all integer elements, got 'f16', 'f16' and 'i32'}}
  %0 = tt.dot %a, %b, %c : tensor<4x8xf16> * tensor<8x4xf16> -> tensor<4x4xi32>
  tt.return
}

// -----

tt.func @scaled_operands(%a: tensor<4x32xi8>, %b: tensor<32x4xi8>, %c: tensor<4x4xf32>, %s: tensor<4x1xi8>) {
  // expected-error @+1 {{expected two operands, each with or without a scale, and an accumulator}}
  %0 = tt.dot_scaled %a scale %s, %s, %b, %c lhs = e5m2 rhs = e5m2 : tensor<4x32xi8>, tensor<4x1xi8> * tensor<32x4xi8> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @scaled_format(%a: tensor<4x32xi8>, %b: tensor<32x4xi8>, %c: tensor<4x4xf32>, %s: tensor<4x1xi8>) {
  // expected-error @+1 {{expected an element format such as e4m3, e5m2, e2m1, bf16 or fp16, got 'fp32'}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = fp32 rhs = e5m2 : tensor<4x32xi8>, tensor<4x1xi8> * tensor<32x4xi8> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @scaled_element(%a: tensor<4x32xi8>, %b: tensor<32x4xi8>, %c: tensor<4x4xf32>, %s: tensor<4x1xi8>) {
  // expected-error @+1 {{expected rhs elements that hold bf16, got 'tensor<32x4xi8>'}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = bf16 : tensor<4x32xi8>, tensor<4x1xi8> * tensor<32x4xi8> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @scaled_packing(%a: tensor<4x32xi8>, %b: tensor<32x4xi8>, %c: tensor<4x4xf32>, %s: tensor<4x1xi8>) {
  // expected-error @+1 {{expected 64 rows of b, one per column of a, got 32}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = e5m2 : tensor<4x32xi8>, tensor<4x1xi8> * tensor<32x4xi8> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @scale_rows(%a: tensor<4x32xi8>, %b: tensor<32x4xi8>, %c: tensor<4x4xf32>, %s: tensor<8x1xi8>) {
  // expected-error @+1 {{expected a_scale to have 4 rows, got 'tensor<8x1xi8>'}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = e5m2 : tensor<4x32xi8>, tensor<8x1xi8> * tensor<32x4xi8> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @scale_columns(%a: tensor<4x32xi8>, %b: tensor<32x4xi8>, %c: tensor<4x4xf32>, %s: tensor<4x4xi8>) {
  // expected-error @+1 {{expected b_scale to have a column per 16 or 32 elements of 32, got 'tensor<4x4xi8>'}}
  %0 = tt.dot_scaled %a, %b scale %s, %c lhs = e5m2 rhs = e5m2 : tensor<4x32xi8> * tensor<32x4xi8>, tensor<4x4xi8> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @scale_groups(%a: tensor<4x32xi8>, %b: tensor<32x4xi8>, %c: tensor<4x4xf32>, %s: tensor<4x2xi8>, %u: tensor<4x1xi8>) {
  // expected-error @+1 {{expected scales of groups of the same size, got 16 and 32}}
  %0 = tt.dot_scaled %a scale %s, %b scale %u, %c lhs = e5m2 rhs = e5m2 : tensor<4x32xi8>, tensor<4x2xi8> * tensor<32x4xi8>, tensor<4x1xi8> -> tensor<4x4xf32>
  tt.return
}

// -----

// Reductions and scans.

tt.func @reduce_axis(%t: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, got 2}}
  %0 = "tt.reduce"(%t) <{axis = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_negative_axis(%t: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, got -1}}
  %0 = "tt.reduce"(%t) <{axis = -1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_result(%t: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a result of type 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_scalar(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of type 'f32', got 'i32'}}
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> i32
  tt.return
}

// -----

tt.func @reduce_results(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected 2 results, one per operand, got 1}}
  %0 = "tt.reduce"(%t, %t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_shapes(%t: tensor<4xf32>, %u: tensor<8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands}}
  %0:2 = "tt.reduce"(%t, %u) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<4xf32>, tensor<8xf32>) -> (f32, f32)
  tt.return
}

// -----

tt.func @reduce_arguments(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a region that takes ('f32', 'f32'), got ('f32', 'i32')}}
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: i32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_return(%t: tensor<4xf32>) {
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{expected operands ('f32'), got ('f32', 'f32')}}
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_terminator(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a region that ends with 'tt.reduce.return'}}
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    ub.unreachable
  }) : (tensor<4xf32>) -> f32
  tt.return
}

// -----

tt.func @no_operands() {
  // expected-error @+1 {{expected 1 or more operands}}
  "tt.reduce"() <{axis = 0 : i32}> ({
  ^bb0:
    "tt.reduce.return"() : () -> ()
  }) : () -> ()
  tt.return
}

// -----

tt.func @scan_result(%t: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a result of type 'tensor<4x8xf32>', got 'tensor<4x8xf16>'}}
  %0 = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf16>
  tt.return
}

// -----

tt.func @scan_arguments(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a region that takes ('f32', 'f32'), got ('f32')}}
  %0 = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32):
    tt.scan.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @histogram(%t: tensor<4x8xi32>) {
  // expected-error @+1 {{expected tensors of rank 1, got 'tensor<4x8xi32>' and 'tensor<8xi32>'}}
  %0 = tt.histogram %t : tensor<4x8xi32> -> tensor<8xi32>
  tt.return
}
