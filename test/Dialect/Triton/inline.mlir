// RUN: mlt-opt %s --inline --split-input-file | %filecheck %s

// CHECK-LABEL: tt.func public @kernel
tt.func public @kernel(%p: !tt.ptr<f32>, %x: f32, %c: i1) {
  // CHECK-NEXT: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
  %0 = tt.call @twice(%x) : (f32) -> f32
  // CHECK-NEXT: %[[K:.*]] = arith.addf %[[S]], %[[S]] : f32
  %1 = tt.call @kept(%0) : (f32) -> f32
  // CHECK-NEXT: tt.store %{{.*}}, %[[K]] : !tt.ptr<f32>
  tt.store %p, %1 : !tt.ptr<f32>
  tt.return
}
// CHECK-NOT: @twice
tt.func private @twice(%x: f32) -> f32 attributes {noinline = false} {
  %0 = arith.addf %x, %x : f32
  tt.return %0 : f32
}
// Kernels have no calls, so that noinline is not honoured.
// CHECK-NOT: @kept
tt.func private @kept(%x: f32) -> f32 attributes {noinline = true} {
  %0 = arith.addf %x, %x : f32
  tt.return %0 : f32
}

// -----

// A function of several blocks.
// CHECK-LABEL: tt.func public @branches
tt.func public @branches(%p: !tt.ptr<f32>, %x: f32, %c: i1) {
  // CHECK-NOT: tt.call
  // CHECK: cf.cond_br
  // CHECK: cf.br ^[[DONE:bb[0-9]+]](%{{.*}} : f32)
  // CHECK: arith.negf
  // CHECK: cf.br ^[[DONE]](%{{.*}} : f32)
  // CHECK: [[DONE]](%[[V:.*]]: f32):
  // CHECK: tt.store %{{.*}}, %[[V]] : !tt.ptr<f32>
  %0 = tt.call @choose(%x, %c) : (f32, i1) -> f32
  tt.store %p, %0 : !tt.ptr<f32>
  tt.return
}
tt.func private @choose(%x: f32, %c: i1) -> f32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = arith.addf %x, %x : f32
  tt.return %0 : f32
^bb2:
  %1 = arith.negf %x : f32
  tt.return %1 : f32
}
