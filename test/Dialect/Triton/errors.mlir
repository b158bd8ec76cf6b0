// RUN: mlt-opt %s --split-input-file --verify-diagnostics

// Types.

// expected-error @+1 {{expected an integer, floating-point, pointer or ranked tensor type to point to, got 'none'}}
tt.func private @pointee(!tt.ptr<none>)

// -----

// expected-error @+1 {{expected a block of static shape, got 'tensor<?xf16>'}}
tt.func private @dynamic_block(!tt.ptr<tensor<?xf16>>)

// -----

// expected-error @+1 {{expected an address space of at least 0, got -1}}
tt.func private @address_space(!tt.ptr<f16, -1>)

// -----

// expected-error @+1 {{expected a tensor descriptor of rank 1 or more}}
tt.func private @descriptor_rank(!tt.tensordesc<f16>)

// -----

// expected-error @+1 {{expected an integer or floating-point element type of a tensor descriptor, got '!tt.ptr<f16>'}}
tt.func private @descriptor_element(!tt.tensordesc<4x!tt.ptr<f16>>)

// -----

// expected-error @+1 {{expected static positive sizes of the block, got 0}}
tt.func private @descriptor_size(!tt.tensordesc<0x4xf16>)

// -----

// Functions.

// expected-error @+1 {{expected a positive integer as tt.divisibility of argument #1, got 0 : i32}}
tt.func private @divisibility(i32, i32 {tt.divisibility = 0 : i32})

// -----

tt.func @return_type() -> i32 {
  %0 = arith.constant 0 : i64
  // expected-error @+1 {{expected values of the types that 'return_type' returns, ('i32'), got ('i64')}}
  tt.return %0 : i64
}

// -----

tt.func @missing_callee() {
  // expected-error @+1 {{expected 'nowhere' to name a tt.func of the module}}
  tt.call @nowhere() : () -> ()
  tt.return
}

// -----

tt.func private @callee(i32)
tt.func @callee_type(%x: i64) {
  // expected-error @+1 {{expected the type of 'callee', '(i32) -> ()', got '(i64) -> ()'}}
  tt.call @callee(%x) : (i64) -> ()
  tt.return
}

// -----

// Every operation.

tt.func @power_of_two(%t: tensor<12x4xf32>) {
  // expected-error @+1 {{expected sizes that are powers of two, got 'tensor<12x4xf32>'}}
  %0 = tt.precise_sqrt %t : tensor<12x4xf32>
  tt.return
}

// -----

tt.func @empty(%t: tensor<0xf32>) {
  // expected-error @+1 {{expected sizes that are powers of two, got 'tensor<0xf32>'}}
  %0 = tt.precise_sqrt %t : tensor<0xf32>
  tt.return
}

// -----

tt.func @too_large(%s: f32) {
  // expected-error @+1 {{expected at most 1048576 elements, got 'tensor<4611686018427387904x4611686018427387904xf32>'}}
  %0 = tt.splat %s : f32 -> tensor<4611686018427387904x4611686018427387904xf32>
  tt.return
}

// -----

tt.func @dynamic(%t: tensor<?xf32>) {
  // expected-error @+1 {{expected tensors of static shape, got 'tensor<?xf32>'}}
  %0 = tt.precise_sqrt %t : tensor<?xf32>
  tt.return
}

// -----

tt.func @encodings(%t: tensor<4xi64, "a">) {
  // expected-error @+1 {{expected tensors of the same encoding, got 'tensor<4xi64, "a">' and 'tensor<4x!tt.ptr<f32>>'}}
  %0 = tt.int_to_ptr %t : tensor<4xi64, "a"> -> tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @shapes(%t: tensor<4xi64>) {
  // expected-error @+1 {{must have the same shape}}
  %0 = tt.int_to_ptr %t : tensor<4xi64> -> tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

// Elementwise.

tt.func @bitcast_pointer(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected two pointers or none, got '!tt.ptr<f32>' and 'i64'}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func @bitcast_space(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected pointers of the same address space, got '!tt.ptr<f32>' and '!tt.ptr<f32, 3>'}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32, 3>
  tt.return
}

// -----

tt.func @bitcast_width(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected types of the same width, got 'f32' and 'i16'}}
  %0 = tt.bitcast %t : tensor<4xf32> -> tensor<4xi16>
  tt.return
}

// -----

tt.func @rounding(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a rounding mode for the conversion of 'f32' to the narrower 'f8E5M2'}}
  %0 = tt.fp_to_fp %t : tensor<4xf32> -> tensor<4xf8E5M2>
  tt.return
}

// -----

tt.func @packed_element(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected packed_element of at least 1, got 0}}
  %0 = tt.elementwise_inline_asm "" {constraints = "", packed_element = 0 : i32, pure = true} %t : tensor<4xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @packed_elements(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a number of elements divisible by packed_element, got 'tensor<4xf32>' and 8}}
  %0 = tt.elementwise_inline_asm "" {constraints = "", packed_element = 8 : i32, pure = true} %t : tensor<4xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @map_pack(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected pack of at least 1, got -1}}
  %0 = "tt.map_elementwise"(%t) <{pack = -1 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @map_arguments(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a region that takes 2 elements of each operand}}
  %0 = "tt.map_elementwise"(%t) <{pack = 2 : i32}> ({
  ^bb0(%a: f32):
    tt.map_elementwise.return %a, %a : f32, f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @map_results(%t: tensor<4xf32>) {
  %0 = "tt.map_elementwise"(%t) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{expected 2 elements of each result}}
    tt.map_elementwise.return %a : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

// Shapes.

tt.func @range_order() {
  // expected-error @+1 {{expected start below end, got 4 and 4}}
  %0 = tt.make_range {end = 4 : i32, start = 4 : i32} : tensor<4xi32>
  tt.return
}

// -----

tt.func @range_size() {
  // expected-error @+1 {{expected 4 elements, got 8}}
  %0 = tt.make_range {end = 2 : i32, start = -2 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_type() {
  // expected-error @+1 {{expected a tensor of i32, got 'tensor<4xi64>'}}
  %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi64>
  tt.return
}

// -----

tt.func @range_rank() {
  // expected-error @+1 {{expected a tensor of rank 1, got 'tensor<2x2xi32>'}}
  %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<2x2xi32>
  tt.return
}

// -----

tt.func @splat(%t: tensor<1xf32>) {
  // expected-error @+1 {{expected a scalar to splat, got 'tensor<1xf32>'}}
  %0 = tt.splat %t : tensor<1xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @unsplat(%t: tensor<2xf32>) {
  // expected-error @+1 {{expected a tensor of one element, got 'tensor<2xf32>'}}
  %0 = tt.unsplat %t : tensor<2xf32>
  tt.return
}

// -----

tt.func @expand_axis(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected an axis from 0 to 1, got 2}}
  %0 = tt.expand_dims %t {axis = 2 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  tt.return
}

// -----

tt.func @expand_shape(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of shape [1, 4], got [4, 1]}}
  %0 = tt.expand_dims %t {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  tt.return
}

// -----

tt.func @broadcast_rank(%t: tensor<1xf32>) {
  // expected-error @+1 {{expected a result of rank 1, got rank 2}}
  %0 = tt.broadcast %t : tensor<1xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @broadcast_size(%t: tensor<1x2xf32>) {
  // expected-error @+1 {{expected dimension 1 to keep its size 2, got 4}}
  %0 = tt.broadcast %t : tensor<1x2xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @reshape(%t: tensor<4x2xf32>) {
  // expected-error @+1 {{expected a result of 8 elements, got 16}}
  %0 = tt.reshape %t : tensor<4x2xf32> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @trans_order(%t: tensor<4x2xf32>) {
  // expected-error @+1 {{expected order to be a permutation of 2 dimensions, got [1, 1]}}
  %0 = tt.trans %t {order = array<i32: 1, 1>} : tensor<4x2xf32> -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @trans_shape(%t: tensor<4x2xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 4], got [4, 2]}}
  %0 = tt.trans %t {order = array<i32: 1, 0>} : tensor<4x2xf32> -> tensor<4x2xf32>
  tt.return
}

// -----

tt.func @join(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of shape [4, 2], got [2, 4]}}
  %0 = tt.join %t, %t : tensor<4xf32> -> tensor<2x4xf32>
  tt.return
}

// -----

tt.func @split(%t: tensor<4x4xf32>) {
  // expected-error @+1 {{expected a last dimension of size 2, got 'tensor<4x4xf32>'}}
  %0, %1 = tt.split %t : tensor<4x4xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @split_element(%t: tensor<4x2xf32>) {
  // expected-error @+1 {{expected results of element type 'f32', got 'f16'}}
  %0, %1 = tt.split %t : tensor<4x2xf32> -> tensor<4xf16>
  tt.return
}

// -----

tt.func @cat(%t: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of 8 elements, got 4}}
  %0 = tt.cat %t, %t : tensor<4xf32> -> tensor<4xf32>
  tt.return
}

// -----

tt.func @gather_shape(%t: tensor<4x4xf32>, %i: tensor<8x4xi32>) {
  // expected-error @+1 {{expected a result of shape [8, 4], got [4, 4]}}
  %0 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<4x4xf32>, tensor<8x4xi32>) -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @gather_axis(%t: tensor<4x4xf32>, %i: tensor<4x4xi32>) {
  // expected-error @+1 {{expected an axis below 2, got -1}}
  %0 = tt.gather %t[%i] {axis = -1 : i32} : (tensor<4x4xf32>, tensor<4x4xi32>) -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @gather_size(%t: tensor<4x4xf32>, %i: tensor<8x2xi32>) {
  // expected-error @+1 {{expected indices of size 4 in dimension 1, got 2}}
  %0 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<4x4xf32>, tensor<8x2xi32>) -> tensor<8x2xf32>
  tt.return
}
