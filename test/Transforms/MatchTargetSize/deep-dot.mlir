// RUN: mlt-opt %s --match-target-size --canonicalize --cse | %filecheck %s

// Loads and accumulator have the size of one message and of one instruction;
// only the depth of the dot is too large.

// CHECK-LABEL: @deep
// CHECK: %[[A:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<8x32xf16>>
// CHECK: %[[B:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<32x16xf16>>
// CHECK: mlt.extract %[[A]][0, 0] : tensor<8x32xf16> to tensor<8x16xf16>
// CHECK: tt.dot {{.*}} : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
// CHECK: tt.dot {{.*}} : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
// CHECK-NOT: tt.dot
tt.func public @deep(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %pa = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%x, %c0] {order = array<i32: 1, 0>} : <tensor<8x32xf16>>
  %pb = tt.make_tensor_ptr %b, [%n, %n], [%n, %c1], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<32x16xf16>>
  %pc = tt.make_tensor_ptr %c, [%n, %n], [%n, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %ta = tt.load %pa : !tt.ptr<tensor<8x32xf16>>
  %tb = tt.load %pb : !tt.ptr<tensor<32x16xf16>>
  %d = tt.dot %ta, %tb, %zero : tensor<8x32xf16> * tensor<32x16xf16> -> tensor<8x16xf32>
  tt.store %pc, %d : !tt.ptr<tensor<8x16xf32>>
  tt.return
}
