// RUN: mlt-opt %s --triton-version=3.3 | %filecheck %s --check-prefix=V33
// RUN: mlt-opt %s --triton-version=3.3 | mlt-opt --triton-version=3.5 | %filecheck %s --check-prefixes=V35
// RUN: mlt-opt %s --triton-version=3.3 | mlt-opt --triton-version=3.9 | %filecheck %s --check-prefixes=V39

// Descriptors changed their type and the names of their operations; nothing is
// lost on the way through an older release.

// V33-LABEL: tt.func @block(%{{.*}}: !tt.tensordesc<tensor<16x32xf16>>
// V35-LABEL: tt.func @block(%{{.*}}: !tt.tensordesc<tensor<16x32xf16>>
// V39-LABEL: tt.func @block(%{{.*}}: !tt.tensordesc<16x32xf16>
tt.func @block(%d: !tt.tensordesc<16x32xf16>, %i: i32) {
  // V33: tt.experimental_descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = cg : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  // V35: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = cg : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  // V39: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>} : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
  %0 = tt.descriptor_load %d[%i, %i] cacheModifier = cg : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
  // V33: tt.experimental_descriptor_store
  // V35: tt.descriptor_store
  // V39: tt.descriptor_store
  tt.descriptor_store %d[%i, %i], %0 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
  tt.return
}

// V33-LABEL: @rows
// V35-LABEL: @rows
// V39-LABEL: @rows
tt.func @rows(%d: !tt.tensordesc<1x128xf32>, %x: tensor<32xi32>, %y: i32) {
  // V33: tt.experimental_descriptor_gather %{{.*}} : (!tt.tensordesc<tensor<1x128xf32>>, tensor<32xi32>, i32) -> tensor<32x128xf32>
  // V35: tt.descriptor_gather %{{.*}} : (!tt.tensordesc<tensor<1x128xf32>>, tensor<32xi32>, i32) -> tensor<32x128xf32>
  // V39: tt.descriptor_gather %{{.*}} : (!tt.tensordesc<1x128xf32>, tensor<32xi32>, i32) -> tensor<32x128xf32>
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<1x128xf32>, tensor<32xi32>, i32) -> tensor<32x128xf32>
  tt.return
}
