// RUN: mlt-opt %s --split-input-file --verify-diagnostics --lower-to-triton-release
// RUN: mlt-opt %s --split-input-file --triton-version=3.7 | %filecheck %s

// Up to 3.7 every cache modifier can stand on a load and on a store.

// CHECK-LABEL: @load
tt.func @load(%p: tensor<4x!tt.ptr<f32>>) {
  // CHECK: tt.load %{{.*}} cacheModifier = wb : tensor<4x!tt.ptr<f32>>
  // expected-error @+1 {{expected what Triton 3.9 knows, found cache modifier 'wb' of 'tt.load'; choose another release}}
  %0 = tt.load %p cacheModifier = wb : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

// CHECK-LABEL: @store
tt.func @store(%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf32>) {
  // CHECK: tt.store %{{.*}}, %{{.*}} cacheModifier = ca : tensor<4x!tt.ptr<f32>>
  // expected-error @+1 {{expected what Triton 3.9 knows, found cache modifier 'ca' of 'tt.store'}}
  tt.store %p, %v cacheModifier = ca : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----

// CHECK-LABEL: @right
tt.func @right(%p: tensor<4x!tt.ptr<f32>>) {
  // CHECK: tt.load %{{.*}} cacheModifier = cv
  %0 = tt.load %p cacheModifier = cv : tensor<4x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}} cacheModifier = wt
  tt.store %p, %0 cacheModifier = wt : tensor<4x!tt.ptr<f32>>
  tt.return
}
