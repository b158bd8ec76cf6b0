// RUN: mlt-opt %s --split-input-file --triton-version=3.2 | %filecheck %s --check-prefixes=ALL,OLD,V32
// RUN: mlt-opt %s --split-input-file --triton-version=3.7 | %filecheck %s --check-prefixes=ALL,NEW,V37
// RUN: mlt-opt %s --split-input-file --triton-version=3.9 | %filecheck %s --check-prefixes=ALL,NEW,V39
// RUN: mlt-opt %s --split-input-file | %filecheck %s --check-prefixes=ALL,NEW,V39

// What is printed for a release, from the text of any.

// ALL-LABEL: @hints
tt.func @hints(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<4xi1>) {
  // V32: tt.load %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<4x!tt.ptr<f32>>
  // V37: tt.load %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<4x!tt.ptr<f32>>
  // V39: tt.load %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>, isVolatile = true} : tensor<4x!tt.ptr<f32>>
  %0 = tt.load %p, %m cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<4x!tt.ptr<f32>>
  // V32: tt.store %{{.*}}, %{{.*}} evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  // V37: tt.store %{{.*}}, %{{.*}} evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  // V39: tt.store %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} : tensor<4x!tt.ptr<f32>>
  tt.store %p, %0 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

// ALL-LABEL: @scaled
tt.func @scaled(%a: tensor<64x64xi8>, %s: tensor<64x2xi8>, %c: tensor<64x64xf32>) {
  // OLD: tt.dot_scaled %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} lhs = e5m2 rhs = e4m3 : tensor<64x64xi8>, tensor<64x2xi8> * tensor<64x64xi8>, tensor<64x2xi8> -> tensor<64x64xf32>
  // NEW: tt.dot_scaled %{{[a-z0-9]+}} scale %{{[a-z0-9]+}}, %{{[a-z0-9]+}} scale %{{[a-z0-9]+}}, %{{[a-z0-9]+}} lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<64x64xi8>, tensor<64x2xi8> * tensor<64x64xi8>, tensor<64x2xi8> -> tensor<64x64xf32>
  %0 = tt.dot_scaled %a scale %s, %a scale %s, %c lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<64x64xi8>, tensor<64x2xi8> * tensor<64x64xi8>, tensor<64x2xi8> -> tensor<64x64xf32>
  tt.return
}

// -----

// Without a barrier that names what it orders, the one that orders everything.
// ALL-LABEL: @barrier
tt.func @barrier() {
  // OLD: gpu.barrier
  // NEW: ttg.barrier local
  ttg.barrier local
  tt.return
}
