// RUN: mlt-opt %s --match-target-size --canonicalize --cse | %filecheck %s
// RUN: mlt-opt %s --match-target-size --canonicalize --cse | %filecheck %s --check-prefix=COUNT
// RUN: mlt-opt %s --match-target-size=max-load-size=16,32 --canonicalize --cse | %filecheck %s --check-prefix=LOAD
// RUN: mlt-opt %s --match-target-size=max-dot-size=4,16,16 --canonicalize --cse | %filecheck %s --check-prefix=DOT
// RUN: mlt-opt %s --match-target-size=max-store-size=4,16 --canonicalize --cse | %filecheck %s --check-prefix=STORE

// The paper's figures: A's 32x32 load whole, B's 32x64 load in two, 32 dots
// 8x16 = 8x16 * 16x16, loop-carried tiles split, no glue in the loop.

// CHECK-LABEL: @gemm
// CHECK: tt.make_tensor_ptr %{{.*}} : <tensor<32x32xf16>>
// CHECK: tt.make_tensor_ptr %{{.*}} : <tensor<32x32xf16>>
// CHECK: tt.make_tensor_ptr %{{.*}} : <tensor<32x32xf16>>
// CHECK: scf.for
// CHECK-NOT: mlt.glue
// CHECK: %[[A:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<32x32xf16>>
// CHECK: %[[B0:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<32x32xf16>>
// CHECK: %[[B1:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<32x32xf16>>
// CHECK: %[[A00:.*]] = mlt.extract %[[A]][0, 0] : tensor<32x32xf16> to tensor<8x16xf16>
// CHECK: %[[B00:.*]] = mlt.extract %[[B0]][0, 0] : tensor<32x32xf16> to tensor<16x16xf16>
// CHECK: %[[D:.*]] = tt.dot %[[A00]], %[[B00]], %{{.*}} : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
// CHECK: %[[A01:.*]] = mlt.extract %[[A]][0, 16]
// CHECK: %[[B10:.*]] = mlt.extract %[[B0]][16, 0]
// CHECK: tt.dot %[[A01]], %[[B10]], %[[D]]
// CHECK-NOT: mlt.glue
// CHECK: scf.yield
// CHECK-NOT: mlt.glue
// CHECK: tt.store %{{.*}} : !tt.ptr<tensor<8x16xf32>>

// COUNT-COUNT-32: tt.dot {{.*}} : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
// COUNT-NOT: tt.dot
// COUNT-COUNT-16: tt.store {{.*}} : !tt.ptr<tensor<8x16xf32>>
// COUNT-NOT: tt.store

// LOAD: scf.for
// LOAD-COUNT-2: tt.load {{.*}} : !tt.ptr<tensor<16x32xf16>>
// LOAD-COUNT-4: tt.load {{.*}} : !tt.ptr<tensor<16x32xf16>>
// LOAD-NOT: tt.load
// LOAD: scf.yield

// DOT-COUNT-64: tt.dot {{.*}} : tensor<4x16xf16> * tensor<16x16xf16> -> tensor<4x16xf32>
// DOT-NOT: tt.dot

// STORE-COUNT-32: tt.store {{.*}} : !tt.ptr<tensor<4x16xf32>>
// STORE-NOT: tt.store

tt.func public @gemm(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %n: i64, %k: i32, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %pa = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%x, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %pb = tt.make_tensor_ptr %b, [%n, %n], [%n, %c1], [%c0, %y] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%qa = %pa, %qb = %pb, %acc = %zero) -> (!tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x64xf16>>, tensor<32x64xf32>) : i32 {
    %ta = tt.load %qa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xf16>>
    %tb = tt.load %qb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x64xf16>>
    %d = tt.dot %ta, %tb, %acc : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
    %na = tt.advance %qa, [%c0, %c32] : <tensor<32x32xf16>>
    %nb = tt.advance %qb, [%c32, %c0] : <tensor<32x64xf16>>
    scf.yield %na, %nb, %d : !tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x64xf16>>, tensor<32x64xf32>
  }
  %pc = tt.make_tensor_ptr %c, [%n, %n], [%n, %c1], [%x, %y] {order = array<i32: 1, 0>} : <tensor<32x64xf32>>
  tt.store %pc, %r#2 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x64xf32>>
  tt.return
}
