// RUN: mlt-opt %s | mlt-opt | %filecheck %s

// What some releases of Triton printed and the newest does not.

// 3.2 and 3.3: descriptors before they had a type.
// CHECK-LABEL: @untyped_descriptors
tt.func @untyped_descriptors(%desc: !tt.ptr<i8>, %i: i32, %t: tensor<16x16xf16>) {
  // CHECK: tt.experimental_descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = ca evictionPolicy = evict_last : !tt.ptr<i8> -> tensor<16x16xf16>
  %0 = tt.experimental_descriptor_load %desc[%i, %i] cacheModifier = ca evictionPolicy = evict_last : !tt.ptr<i8> -> tensor<16x16xf16>
  // CHECK: tt.experimental_descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.ptr<i8>, tensor<16x16xf16>
  tt.experimental_descriptor_store %desc[%i, %i], %t : !tt.ptr<i8>, tensor<16x16xf16>
  // CHECK: tt.experimental_tensormap_fenceproxy_acquire %{{.*}} : !tt.ptr<i8>
  tt.experimental_tensormap_fenceproxy_acquire %desc : !tt.ptr<i8>
  // CHECK: tt.reinterpret_tensor_descriptor %{{.*}} : !tt.ptr<i8> to !tt.tensordesc<16x16xf16>
  %1 = tt.reinterpret_tensor_descriptor %desc : !tt.ptr<i8> to !tt.tensordesc<tensor<16x16xf16>>
  tt.return
}

// CHECK-LABEL: @tensormap
tt.func @tensormap(%desc: !tt.ptr<i8>, %base: !tt.ptr<f16>, %i: i32, %s: i64) {
  // CHECK: tt.experimental_tensormap_create %{{.*}}, %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}], [%{{.*}}, %{{.*}}] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  tt.experimental_tensormap_create %desc, %base, [%i, %i], [%i, %i], [%s], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  tt.return
}

// 3.2: scales of a scaled dot in the operand list.
// CHECK-LABEL: @dot_scaled
tt.func @dot_scaled(%a: tensor<128x64xi8>, %b: tensor<64x128xi8>, %c: tensor<128x128xf32>, %s: tensor<128x2xi8>) {
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<128x64xi8>, tensor<128x2xi8> * tensor<64x128xi8> -> tensor<128x128xf32>
  %0 = tt.dot_scaled %a, %s, %b, %c lhs = e5m2 rhs = e4m3 : tensor<128x64xi8>, tensor<128x2xi8> * tensor<64x128xi8> -> tensor<128x128xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<128x64xi8>, tensor<128x2xi8> * tensor<64x128xi8>, tensor<128x2xi8> -> tensor<128x128xf32>
  %1 = tt.dot_scaled %a, %s, %b, %s, %c lhs = e5m2 rhs = e4m3 : tensor<128x64xi8>, tensor<128x2xi8> * tensor<64x128xi8>, tensor<128x2xi8> -> tensor<128x128xf32>
  tt.return
}

// Up to 3.7: block pointers. The types may be written in full or stripped.
// CHECK-LABEL: @block_pointer
tt.func @block_pointer(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // CHECK: %[[P:.*]] = tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : !tt.ptr<tensor<16x32xf16>>
  // CHECK: %[[Q:.*]] = tt.advance %[[P]], [%{{.*}}, %{{.*}}] : <tensor<16x32xf16>>
  %1 = tt.advance %0, [%i, %i] : <tensor<16x32xf16>>
  // CHECK: %[[V:.*]] = tt.load %[[Q]] {boundaryCheck = array<i32: 0, 1>, cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>, padding = 2 : i32} : !tt.ptr<tensor<16x32xf16>>
  %2 = tt.load %1 evictionPolicy = evict_first {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x32xf16>>
  // CHECK: tt.store %[[P]], %[[V]] {boundaryCheck = array<i32: 1>, cachePolicy = #tt.cache_policy<cache_modifier = wb, eviction_policy = evict_normal>} : !tt.ptr<tensor<16x32xf16>>
  tt.store %0, %2 cacheModifier = wb {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x32xf16>>
  tt.return
}

// Before 3.9: descriptors wrap a tensor type.
// CHECK-LABEL: @wrapped_descriptor
// CHECK-SAME: !tt.tensordesc<16x32xf16>
tt.func @wrapped_descriptor(%d: !tt.tensordesc<tensor<16x32xf16>>, %p: !tt.ptr<f16>, %n: i64, %i: i32) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <16x32xf16>
  %0 = tt.make_tensor_descriptor %p, [%i, %i], [%n, %n] : <f16>, <tensor<16x32xf16>>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
  %1 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.return
}

// Attributes that no release gave a meaning to, or that mean something to later
// passes only, stay where they are.
// CHECK-LABEL: @attributes
// CHECK-SAME: {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}
// CHECK-SAME: attributes {noinline = false, some.flag}
tt.func @attributes(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %n: i32) attributes {noinline = false, some.flag} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: tt.load %{{.*}} {mine = "x", ttg.amount = 2 : i32} : !tt.ptr<f32>
    %v = tt.load %p {mine = "x", ttg.amount = 2 : i32} : !tt.ptr<f32>
    tt.store %p, %v {tt.latency = 1 : i32} : !tt.ptr<f32>
    // CHECK: } {tt.num_stages = 3 : i32, tt.warp_specialize}
  } {tt.num_stages = 3 : i32, tt.warp_specialize}
  tt.return
}

// 3.3: the operations on typed descriptors were experimental.
// CHECK-LABEL: @experimental_rows
tt.func @experimental_rows(%d: !tt.tensordesc<tensor<1x128xf32>>, %x: tensor<32xi32>, %y: i32) {
  // CHECK: tt.experimental_descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x128xf32>, tensor<32xi32>, i32) -> tensor<32x128xf32>
  %0 = tt.experimental_descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x128xf32>>, tensor<32xi32>, i32) -> tensor<32x128xf32>
  // CHECK: tt.experimental_descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x128xf32>, tensor<32xi32>, i32, tensor<32x128xf32>
  tt.experimental_descriptor_scatter %d[%x, %y], %0 : !tt.tensordesc<tensor<1x128xf32>>, tensor<32xi32>, i32, tensor<32x128xf32>
  tt.return
}

// 3.9: both cache hints in one attribute.
// CHECK-LABEL: @cache_policy
tt.func @cache_policy(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<4xi1>, %d: !tt.tensordesc<4x8xf32>, %i: i32) {
  // CHECK: %[[V:.*]] = tt.load %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>, isVolatile = true} : tensor<4x!tt.ptr<f32>>
  %0 = tt.load %p, %m {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>, isVolatile = true} : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %[[V]] {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>, ignore_cta} : tensor<4x!tt.ptr<f32>>
  tt.store %p, %0 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>, ignore_cta} : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}} : tensor<4x!tt.ptr<f32>>
  %1 = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_normal>} : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] {cachePolicy = #tt.cache_policy<cache_modifier = cv, eviction_policy = evict_normal>} : !tt.tensordesc<4x8xf32> -> tensor<4x8xf32>
  %2 = tt.descriptor_load %d[%i, %i] {cachePolicy = #tt.cache_policy<cache_modifier = cv, eviction_policy = evict_normal>} : !tt.tensordesc<4x8xf32> -> tensor<4x8xf32>
  tt.return
}

// From 3.7 on: what debug_barrier becomes.
// CHECK-LABEL: @barriers
tt.func @barriers() {
  // CHECK: gpu.barrier
  gpu.barrier
  // CHECK: ttg.barrier local
  ttg.barrier local
  // CHECK: ttg.barrier all
  ttg.barrier all|local
  // CHECK: ttg.barrier local|global_read|global_write
  ttg.barrier global_write|global_read|local
  // CHECK: ttg.barrier tensor_read|tensor_write
  "ttg.barrier"() <{addrSpace = 24 : i32}> : () -> ()
  // CHECK: ttg.barrier none
  ttg.barrier none
  tt.return
}
