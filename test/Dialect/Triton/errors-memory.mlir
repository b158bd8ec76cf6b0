// RUN: mlt-opt %s --split-input-file --verify-diagnostics

// Block pointers.

tt.func @list_lengths(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected a list of 1 operands, got 3}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n, %n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<4x4xf16>>
  tt.return
}

// -----

tt.func @block_rank(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected 2 sizes, strides and offsets each for '!tt.ptr<tensor<4x4xf16>>', got 3 operands after the base}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 1, 0>} : <tensor<4x4xf16>>
  tt.return
}

// -----

tt.func @leftover_operand(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected 1 sizes, strides and offsets each for '!tt.ptr<tensor<4xf16>>', got 4 operands after the base}}
  %0 = "tt.make_tensor_ptr"(%p, %n, %n, %i, %i) <{order = array<i32: 0>}> : (!tt.ptr<f16>, i64, i64, i32, i32) -> !tt.ptr<tensor<4xf16>>
  tt.return
}

// -----

tt.func @block_order(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // expected-error @+1 {{expected order to be a permutation of 2 dimensions, got [0, 2]}}
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 0, 2>} : <tensor<4x4xf16>>
  tt.return
}

// -----

// expected-note @+1 {{prior use here}}
tt.func @block_base(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  // expected-error @+1 {{use of value '%p' expects different type than prior uses: '!tt.ptr<f16>' vs '!tt.ptr<f32>'}}
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<4x4xf16>>
  tt.return
}

// -----

tt.func @advance(%p: !tt.ptr<tensor<4x4xf16>>, %i: i32) {
  // expected-error @+1 {{expected 2 offsets, got 1}}
  %0 = tt.advance %p, [%i] : <tensor<4x4xf16>>
  tt.return
}

// -----

// Loads and stores.

tt.func @boundary_dimension(%p: !tt.ptr<tensor<4x4xf16>>) {
  // expected-error @+1 {{expected dimensions below 2 in boundaryCheck, got 2}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0, 2>} : !tt.ptr<tensor<4x4xf16>>
  tt.return
}

// -----

tt.func @boundary_twice(%p: !tt.ptr<tensor<4x4xf16>>, %t: tensor<4x4xf16>) {
  // expected-error @+1 {{expected each dimension once in boundaryCheck, got 1 twice}}
  tt.store %p, %t {boundaryCheck = array<i32: 1, 1>} : !tt.ptr<tensor<4x4xf16>>
  tt.return
}

// -----

tt.func @boundary_pointer(%p: tensor<4x!tt.ptr<f16>>) {
  // expected-error @+1 {{expected boundaryCheck only with a block pointer, got 'tensor<4x!tt.ptr<f16>>'}}
  %0 = tt.load %p {boundaryCheck = array<i32: 0>} : tensor<4x!tt.ptr<f16>>
  tt.return
}

// -----

tt.func @padding_pointer(%p: tensor<4x!tt.ptr<f16>>) {
  // expected-error @+1 {{expected padding only with a block pointer, got 'tensor<4x!tt.ptr<f16>>'}}
  %0 = tt.load %p {padding = 1 : i32} : tensor<4x!tt.ptr<f16>>
  tt.return
}

// -----

tt.func @block_mask(%p: !tt.ptr<tensor<4xf16>>, %m: tensor<4xi1>) {
  // expected-error @+1 {{expected no mask with a block pointer}}
  %0 = tt.load %p, %m : !tt.ptr<tensor<4xf16>>
  tt.return
}

// -----

tt.func @other(%p: tensor<4x!tt.ptr<f16>>, %o: tensor<4xf16>) {
  // expected-error @+1 {{expected a mask with the other value}}
  %0 = "tt.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4x!tt.ptr<f16>>, tensor<4xf16>) -> tensor<4xf16>
  tt.return
}

// -----

tt.func @load_mask(%p: tensor<4x!tt.ptr<f16>>, %m: tensor<8xi1>) {
  // expected-error @+1 {{failed to verify that the mask has the shape pointed to}}
  %0 = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tt.ptr<f16>>, tensor<8xi1>) -> tensor<4xf16>
  tt.return
}

// -----

tt.func @load_type(%p: tensor<4x!tt.ptr<f16>>) {
  // expected-error @+1 {{failed to verify that the result has the type pointed to}}
  %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4x!tt.ptr<f16>>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @not_a_pointer(%p: i32) {
  // expected-error @+1 {{'ptr' must be pointer or tensor of pointers or block pointer, but got 'i32'}}
  %0 = tt.load %p : i32
  tt.return
}

// -----

tt.func @hint_twice(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected cacheModifier once}}
  %0 = tt.load %p cacheModifier = ca evictionPolicy = evict_last cacheModifier = cg : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @hint_name(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected one of [evict_normal, evict_first, evict_last] for how long a line should stay in the cache, got: keep}}
  %0 = tt.load %p evictionPolicy = keep : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @policy_kind(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected #tt.cache_policy as cachePolicy, got 3 : i32}}
  %0 = tt.load %p {cachePolicy = 3 : i32} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @policy_and_hint(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{expected either cachePolicy or cacheModifier and evictionPolicy, got both}}
  %0 = tt.load %p cacheModifier = ca {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>} : !tt.ptr<f32>
  tt.return
}

// -----

tt.func @volatile_kind(%p: !tt.ptr<f32>) {
  // expected-error @+1 {{attribute 'isVolatile' failed to satisfy constraint: bool attribute}}
  %0 = tt.load %p {isVolatile = "yes"} : !tt.ptr<f32>
  tt.return
}

// -----

// Atomics.

tt.func @atomic_value(%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf16>) {
  // expected-error @+1 {{expected a value of type 'tensor<4xf32>', got 'tensor<4xf16>'}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (tensor<4x!tt.ptr<f32>>, tensor<4xf16>) -> tensor<4xf16>
  tt.return
}

// -----

tt.func @atomic_kind(%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected an integer element for add, got 'f32'}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @atomic_kind(%p: tensor<4x!tt.ptr<i32>>, %v: tensor<4xi32>) {
  // expected-error @+1 {{expected a floating-point element for fadd, got 'i32'}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func @cas(%p: !tt.ptr<i32>, %v: i32, %w: i64) {
  // expected-error @+1 {{expected cmp of type 'i32', got 'i64'}}
  %0 = tt.atomic_cas relaxed, gpu, %p, %w, %v : (!tt.ptr<i32>, i64, i32) -> i32
  tt.return
}

// -----

tt.func @load_order(%p: !tt.ptr<i32>) {
  // expected-error @+1 {{expected relaxed or acquire ordering, got release}}
  %0 = tt.atomic_load release, gpu, %p : (!tt.ptr<i32>) -> i32
  tt.return
}

// -----

tt.func @store_order(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{expected relaxed or release ordering, got acq_rel}}
  tt.atomic_store acq_rel, gpu, %p, %v : !tt.ptr<i32>
  tt.return
}

// -----

tt.func @load_bits(%p: !tt.ptr<i1>) {
  // expected-error @+1 {{'tt.atomic_load' op expected elements of at least 8 bits, got 'i1'}}
  %0 = tt.atomic_load relaxed, gpu, %p : (!tt.ptr<i1>) -> i1
  tt.return
}

// -----

tt.func @store_bits(%p: tensor<4x!tt.ptr<i1>>, %v: tensor<4xi1>) {
  // expected-error @+1 {{'tt.atomic_store' op expected elements of at least 8 bits, got 'i1'}}
  tt.atomic_store relaxed, gpu, %p, %v : tensor<4x!tt.ptr<i1>>
  tt.return
}

// -----

tt.func @poll_bits(%p: !tt.ptr<i8>, %v: i8) {
  // expected-error @+1 {{'tt.atomic_poll' op expected elements of at least 16 bits, got 'i8'}}
  %0 = tt.atomic_poll relaxed, gpu, %p, %v : !tt.ptr<i8>, i8 -> i1
  tt.return
}

// -----

tt.func @print(%v: i32) {
  // expected-error @+1 {{expected isSigned to have an entry for each of the 1 operands, got 0}}
  tt.print "" {hex = false, isSigned = array<i32>} : %v : i32
  tt.return
}

// -----

// Descriptors.

tt.func @descriptor_lists(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{expected a list of 2 operands, got 1}}
  %0 = tt.make_tensor_descriptor %p, [%n, %n], [%s] : <f32>, <4x4xf32>
  tt.return
}

// -----

tt.func @descriptor_rank(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{expected 2 sizes and strides each for '!tt.tensordesc<4x4xf32>', got 2 operands after the base}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <4x4xf32>
  tt.return
}

// -----

tt.func @descriptor_base(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  // expected-error @+1 {{expected a base that points to 'f32', got '!tt.ptr<f16>'}}
  %0 = tt.make_tensor_descriptor %p, [%n], [%s] : <f16>, <4xf32>
  tt.return
}

// -----

tt.func @descriptor_indices(%d: !tt.tensordesc<4x4xf32>, %i: i32) {
  // expected-error @+1 {{expected 2 indices, got 1}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<4x4xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @descriptor_load(%d: !tt.tensordesc<4x4xf32>, %i: i32) {
  // expected-error @+1 {{expected a tensor like the block 'tensor<4x4xf32>', got 'tensor<4x8xf32>'}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<4x4xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @descriptor_store(%d: !tt.tensordesc<2x1x4xf32>, %i: i32, %t: tensor<4xf32>) {
  // expected-error @+1 {{expected a tensor like the block 'tensor<2x1x4xf32>', got 'tensor<4xf32>'}}
  tt.descriptor_store %d[%i, %i, %i], %t : !tt.tensordesc<2x1x4xf32>, tensor<4xf32>
  tt.return
}

// -----

tt.func @descriptor_reduce(%d: !tt.tensordesc<4xf32>, %i: i32, %t: tensor<4xf16>) {
  // expected-error @+1 {{expected a tensor like the block 'tensor<4xf32>', got 'tensor<4xf16>'}}
  tt.descriptor_reduce add, %d[%i], %t : !tt.tensordesc<4xf32>, tensor<4xf16>
  tt.return
}

// -----

tt.func @gather_rows(%d: !tt.tensordesc<2x4xf32>, %x: tensor<8xi32>, %i: i32) {
  // expected-error @+1 {{expected a descriptor of blocks of one row, got '!tt.tensordesc<2x4xf32>'}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<2x4xf32>, tensor<8xi32>, i32) -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @gather_offsets(%d: !tt.tensordesc<1x4xf32>, %x: tensor<2x4xi32>, %i: i32) {
  // expected-error @+1 {{expected a tensor of offsets of rank 1, got 'tensor<2x4xi32>'}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x4xf32>, tensor<2x4xi32>, i32) -> tensor<8x4xf32>
  tt.return
}

// -----

tt.func @scatter_rows(%d: !tt.tensordesc<1x4xf32>, %x: tensor<8xi32>, %i: i32, %t: tensor<8x8xf32>) {
  // expected-error @+1 {{expected rows of type 'tensor<8x4xf32>', got 'tensor<8x8xf32>'}}
  tt.descriptor_scatter %d[%x, %i], %t : !tt.tensordesc<1x4xf32>, tensor<8xi32>, i32, tensor<8x8xf32>
  tt.return
}

// -----

tt.func @few_rows(%d: !tt.tensordesc<1x64xf16>, %x: tensor<4xi32>, %i: i32) {
  // expected-error @below {{'tt.descriptor_gather' op expected at least 8 rows, got 4}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x64xf16>, tensor<4xi32>, i32) -> tensor<4x64xf16>
  tt.return
}

// -----

tt.func @wide_elements(%d: !tt.tensordesc<1x64xi64>, %x: tensor<8xi32>, %i: i32) {
  // expected-error @below {{'tt.descriptor_gather' op expected elements of at most 32 bits, got 'i64'}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x64xi64>, tensor<8xi32>, i32) -> tensor<8x64xi64>
  tt.return
}

// -----

tt.func @few_columns(%d: !tt.tensordesc<1x8xf16>, %x: tensor<8xi32>, %i: i32) {
  // expected-error @below {{'tt.descriptor_gather' op expected at least 16 columns of 'f16', got 8}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x8xf16>, tensor<8xi32>, i32) -> tensor<8x8xf16>
  tt.return
}
