// RUN: mlt-opt %s --canonicalize --split-input-file | %filecheck %s

// CHECK-LABEL: @uniform_constants
tt.func @uniform_constants() -> (tensor<4x8xf32>, tensor<1x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xf32>, f32) {
  %c = arith.constant 1.500000e+00 : f32
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<1.500000e+00> : tensor<4x8xf32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<1.500000e+00> : tensor<1x4xf32>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<1.500000e+00> : tensor<8x4xf32>
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<1.500000e+00> : tensor<32xf32>
  // CHECK-DAG: %[[E:.*]] = arith.constant 1.500000e+00 : f32
  %0 = tt.splat %c : f32 -> tensor<4x8xf32>
  %1 = tt.splat %c : f32 -> tensor<4xf32>
  %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<4xf32> -> tensor<1x4xf32>
  %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  %4 = tt.broadcast %3 : tensor<4x1xf32> -> tensor<4x8xf32>
  %5 = tt.trans %4 {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %6 = tt.reshape %5 : tensor<8x4xf32> -> tensor<32xf32>
  %7 = arith.constant dense<1.500000e+00> : tensor<1x1xf32>
  %8 = tt.unsplat %7 : tensor<1x1xf32>
  // CHECK: tt.return %[[A]], %[[B]], %[[A]], %[[C]], %[[D]], %[[E]]
  tt.return %0, %2, %4, %5, %6, %8 : tensor<4x8xf32>, tensor<1x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xf32>, f32
}

// CHECK-LABEL: @uniform_values
// CHECK-SAME: (%[[F:.*]]: f32)
tt.func @uniform_values(%f: f32) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xf32>, f32) {
  // CHECK-DAG: %[[A:.*]] = tt.splat %[[F]] : f32 -> tensor<4x8xf32>
  // CHECK-DAG: %[[B:.*]] = tt.splat %[[F]] : f32 -> tensor<8x4xf32>
  // CHECK-DAG: %[[C:.*]] = tt.splat %[[F]] : f32 -> tensor<32xf32>
  %0 = tt.splat %f : f32 -> tensor<4xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  %2 = tt.broadcast %1 : tensor<4x1xf32> -> tensor<4x8xf32>
  %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %4 = tt.reshape %3 : tensor<8x4xf32> -> tensor<32xf32>
  %5 = tt.splat %f : f32 -> tensor<1x1xf32>
  %6 = tt.unsplat %5 : tensor<1x1xf32>
  // CHECK: tt.return %[[A]], %[[B]], %[[C]], %[[F]]
  tt.return %2, %3, %4, %6 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<32xf32>, f32
}

// CHECK-LABEL: @identities
// CHECK-SAME: (%[[T:.*]]: tensor<4x8xf32>, %[[P:.*]]: tensor<4x!tt.ptr<f32>>, %[[B:.*]]: !tt.ptr<tensor<4x8xf32>>)
tt.func @identities(%t: tensor<4x8xf32>, %p: tensor<4x!tt.ptr<f32>>, %b: !tt.ptr<tensor<4x8xf32>>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x!tt.ptr<f32>>, !tt.ptr<tensor<4x8xf32>>) {
  %c0 = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<4xi64>
  %0 = tt.trans %t {order = array<i32: 0, 1>} : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tt.reshape %t allow_reorder : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = tt.broadcast %t : tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = tt.bitcast %t : tensor<4x8xf32> -> tensor<4x8xi32>
  %4 = tt.bitcast %3 : tensor<4x8xi32> -> tensor<4x8xf32>
  %5 = tt.fp_to_fp %t : tensor<4x8xf32> -> tensor<4x8xf32>
  %6 = tt.addptr %p, %z : tensor<4x!tt.ptr<f32>>, tensor<4xi64>
  %7 = tt.advance %b, [%c0, %c0] : <tensor<4x8xf32>>
  // CHECK-NEXT: tt.return %[[T]], %[[T]], %[[T]], %[[T]], %[[T]], %[[P]], %[[B]]
  tt.return %0, %1, %2, %4, %5, %6, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x!tt.ptr<f32>>, !tt.ptr<tensor<4x8xf32>>
}

// CHECK-LABEL: @compositions
// CHECK-SAME: (%[[T:.*]]: tensor<2x4x8xf32>, %[[U:.*]]: tensor<1x1xf32>)
tt.func @compositions(%t: tensor<2x4x8xf32>, %u: tensor<1x1xf32>) -> (tensor<8x2x4xf32>, tensor<64xf32>, tensor<4x8xf32>) {
  // CHECK: %[[A:.*]] = tt.trans %[[T]] {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  %0 = tt.trans %t {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %1 = tt.trans %0 {order = array<i32: 1, 2, 0>} : tensor<4x8x2xf32> -> tensor<8x2x4xf32>
  // CHECK: %[[B:.*]] = tt.reshape %[[T]] allow_reorder : tensor<2x4x8xf32> -> tensor<64xf32>
  %2 = tt.reshape %t allow_reorder : tensor<2x4x8xf32> -> tensor<8x8xf32>
  %3 = tt.reshape %2 : tensor<8x8xf32> -> tensor<64xf32>
  // CHECK: %[[C:.*]] = tt.broadcast %[[U]] : tensor<1x1xf32> -> tensor<4x8xf32>
  %4 = tt.broadcast %u : tensor<1x1xf32> -> tensor<1x8xf32>
  %5 = tt.broadcast %4 : tensor<1x8xf32> -> tensor<4x8xf32>
  // CHECK: tt.return %[[A]], %[[B]], %[[C]]
  tt.return %1, %3, %5 : tensor<8x2x4xf32>, tensor<64xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: @split_of_join
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
tt.func @split_of_join(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tt.join %a, %b : tensor<4xf32> -> tensor<4x2xf32>
  %1, %2 = tt.split %0 : tensor<4x2xf32> -> tensor<4xf32>
  // CHECK-NEXT: tt.return %[[A]], %[[B]]
  tt.return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @short_range
tt.func @short_range() -> (tensor<1xi32>, tensor<2xi32>) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<-3> : tensor<1xi32>
  %0 = tt.make_range {end = -2 : i32, start = -3 : i32} : tensor<1xi32>
  // CHECK-DAG: %[[B:.*]] = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
  %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
  // CHECK: tt.return %[[A]], %[[B]]
  tt.return %0, %1 : tensor<1xi32>, tensor<2xi32>
}

// Only conversions that lose nothing are done at compile time.
// CHECK-LABEL: @conversions
tt.func @conversions() -> (tensor<4xf32>, f8E5M2, f8E5M2, f16) {
  %a = arith.constant dense<1.500000e+00> : tensor<4xf8E5M2>
  %b = arith.constant 1.500000e+00 : f32
  %c = arith.constant 1.100000e+00 : f32
  %d = arith.constant 3.125000e-02 : f32
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<1.500000e+00> : tensor<4xf32>
  // CHECK-DAG: %[[B:.*]] = arith.constant 1.500000e+00 : f8E5M2
  // CHECK-DAG: %[[D:.*]] = arith.constant 3.125000e-02 : f16
  // CHECK: %[[C:.*]] = tt.fp_to_fp %{{.*}}, rounding = rtne : f32 -> f8E5M2
  %0 = tt.fp_to_fp %a : tensor<4xf8E5M2> -> tensor<4xf32>
  %1 = tt.fp_to_fp %b, rounding = rtne : f32 -> f8E5M2
  %2 = tt.fp_to_fp %c, rounding = rtne : f32 -> f8E5M2
  %3 = tt.fp_to_fp %d, rounding = rtz : f32 -> f16
  // CHECK: tt.return %[[A]], %[[B]], %[[C]], %[[D]]
  tt.return %0, %1, %2, %3 : tensor<4xf32>, f8E5M2, f8E5M2, f16
}

// CHECK-LABEL: @known_masks
// CHECK-SAME: (%[[P:.*]]: tensor<4x!tt.ptr<f32>>, %[[O:.*]]: tensor<4xf32>)
tt.func @known_masks(%p: tensor<4x!tt.ptr<f32>>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %true = arith.constant dense<true> : tensor<4xi1>
  %false = arith.constant dense<false> : tensor<4xi1>
  // CHECK-NEXT: %[[V:.*]] = tt.load %[[P]] {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>, mine} : tensor<4x!tt.ptr<f32>>
  %0 = tt.load %p, %true, %o cacheModifier = cg {mine} : tensor<4x!tt.ptr<f32>>
  %1 = tt.load %p, %false, %o : tensor<4x!tt.ptr<f32>>
  // CHECK-NEXT: tt.store %[[P]], %[[O]] : tensor<4x!tt.ptr<f32>>
  tt.store %p, %o, %true : tensor<4x!tt.ptr<f32>>
  tt.store %p, %o, %false : tensor<4x!tt.ptr<f32>>
  // CHECK-NEXT: tt.return %[[V]], %[[O]]
  tt.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Unused reads go, volatile ones and writes stay.
// CHECK-LABEL: @unused
tt.func @unused(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %d: !tt.tensordesc<4xf32>, %t: tensor<4xf32>, %i: i32) {
  %0 = tt.load %p : !tt.ptr<f32>
  %1 = tt.descriptor_load %d[%i] : !tt.tensordesc<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: tt.load %{{.*}} {isVolatile = true} : !tt.ptr<f32>
  %2 = tt.load %p {isVolatile = true} : !tt.ptr<f32>
  %3 = tt.elementwise_inline_asm "" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
  // CHECK-NEXT: tt.elementwise_inline_asm "clock"
  %4 = tt.elementwise_inline_asm "clock" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
  %5 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %6 = arith.addf %a, %b : f32
    tt.reduce.return %6 : f32
  }) : (tensor<4xf32>) -> f32
  // CHECK-NEXT: tt.atomic_rmw
  %7 = tt.atomic_rmw add, relaxed, gpu, %q, %i : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.return
  tt.return
}

// The operations of 3.3 on typed descriptors got other names.
// CHECK-LABEL: @renamed
tt.func @renamed(%d: !tt.tensordesc<tensor<8x8xf32>>, %r: !tt.tensordesc<1x8xf32>, %x: tensor<8xi32>, %i: i32) {
  // CHECK-NEXT: %[[V:.*]] = tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} : !tt.tensordesc<8x8xf32> -> tensor<8x8xf32>
  %0 = tt.experimental_descriptor_load %d[%i, %i] evictionPolicy = evict_first : !tt.tensordesc<tensor<8x8xf32>> -> tensor<8x8xf32>
  // CHECK-NEXT: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %[[V]] : !tt.tensordesc<8x8xf32>, tensor<8x8xf32>
  tt.experimental_descriptor_store %d[%i, %i], %0 : !tt.tensordesc<tensor<8x8xf32>>, tensor<8x8xf32>
  // CHECK-NEXT: %[[G:.*]] = tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x8xf32>, tensor<8xi32>, i32) -> tensor<8x8xf32>
  %1 = tt.experimental_descriptor_gather %r[%x, %i] : (!tt.tensordesc<1x8xf32>, tensor<8xi32>, i32) -> tensor<8x8xf32>
  // CHECK-NEXT: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %[[G]] : !tt.tensordesc<1x8xf32>, tensor<8xi32>, i32, tensor<8x8xf32>
  tt.experimental_descriptor_scatter %r[%x, %i], %1 : !tt.tensordesc<1x8xf32>, tensor<8xi32>, i32, tensor<8x8xf32>
  tt.return
}

// -----

// A pointer that moves only sometimes moves by an amount that is chosen.
// CHECK-LABEL: @chosen_distance
// CHECK-SAME: %[[P:[a-z0-9_]+]]: !tt.ptr<tensor<64x32xf16>>, %[[C:[a-z0-9_]+]]: i1
// CHECK-DAG: %[[ZERO:[a-z0-9_]+]] = arith.constant 0 : i32
// CHECK-DAG: %[[STEP:[a-z0-9_]+]] = arith.constant 32 : i32
// CHECK: %[[D:[a-z0-9_]+]] = arith.select %[[C]], %[[STEP]], %[[ZERO]] : i32
// CHECK: %[[Q:[a-z0-9_]+]] = tt.advance %[[P]], [%[[ZERO]], %[[D]]]
// CHECK: tt.load %[[Q]]
tt.func @chosen_distance(%p: !tt.ptr<tensor<64x32xf16>>, %c: i1) -> tensor<64x32xf16> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %next = tt.advance %p, [%c0, %c32] : <tensor<64x32xf16>>
  %q = scf.if %c -> (!tt.ptr<tensor<64x32xf16>>) {
    scf.yield %next : !tt.ptr<tensor<64x32xf16>>
  } else {
    scf.yield %p : !tt.ptr<tensor<64x32xf16>>
  }
  %x = tt.load %q : !tt.ptr<tensor<64x32xf16>>
  tt.return %x : tensor<64x32xf16>
}

// -----

// CHECK-LABEL: @chosen_block
// CHECK-SAME: %[[A:[a-z0-9_]+]]: !tt.ptr<f16>, %[[B:[a-z0-9_]+]]: !tt.ptr<f16>, %[[N:[a-z0-9_]+]]: i64, %[[M:[a-z0-9_]+]]: i64, %[[X:[a-z0-9_]+]]: i32, %[[C:[a-z0-9_]+]]: i1
// CHECK-DAG: %[[BASE:[a-z0-9_]+]] = arith.select %[[C]], %[[A]], %[[B]] : !tt.ptr<f16>
// CHECK-DAG: %[[SIZE:[a-z0-9_]+]] = arith.select %[[C]], %[[N]], %[[M]] : i64
// CHECK: tt.make_tensor_ptr %[[BASE]], [%[[SIZE]], %[[N]]], [%[[N]], %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
// CHECK-NOT: tt.advance
tt.func @chosen_block(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %n: i64, %m: i64, %x: i32, %c: i1) -> tensor<64x32xf16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%x, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  %q = tt.make_tensor_ptr %b, [%m, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  %r = tt.advance %q, [%c0, %x] : <tensor<64x32xf16>>
  %s = arith.select %c, %p, %r : !tt.ptr<tensor<64x32xf16>>
  %v = tt.load %s : !tt.ptr<tensor<64x32xf16>>
  tt.return %v : tensor<64x32xf16>
}
