// RUN: mlt-opt %s --split-input-file --unbatch-blocks --canonicalize | %filecheck %s

// One matrix: its base lies at the matrix, and its rows leave the tensor where
// the batch ends.
// CHECK-LABEL: tt.func public @one
// CHECK-SAME: %[[A:[a-z0-9]*]]: !tt.ptr<f16>, %[[B:[a-z0-9]*]]: i64, %[[M:[a-z0-9]*]]: i64, %[[K:[a-z0-9]*]]: i64, %[[SB:[a-z0-9]*]]: i64, %[[Z:[a-z0-9]*]]: i32, %[[Y:[a-z0-9]*]]: i32
// CHECK: %[[Z64:.*]] = arith.extsi %[[Z]]
// CHECK: %[[START:.*]] = arith.muli %[[Z64]], %[[SB]]
// CHECK: %[[FROM:.*]] = arith.cmpi sge, %[[Z64]], %c0_i64
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[Z64]], %[[B]]
// CHECK: %[[IN:.*]] = arith.andi %[[FROM]], %[[BELOW]]
// CHECK: %[[BASE:.*]] = tt.addptr %[[A]], %[[START]]
// CHECK: %[[ROW:.*]] = arith.select %[[IN]], %[[Y]], %c2147483647_i32
// CHECK: %[[P:.*]] = tt.make_tensor_ptr %[[BASE]], [%[[M]], %[[K]]], [%[[K]], %c1_i64], [%[[ROW]], %c0_i32] {order = array<i32: 1, 0>} : <tensor<32x16xf16>>
// CHECK: scf.for {{.*}} iter_args(%[[Q:.*]] = %[[P]])
// CHECK: %[[V:.*]] = tt.load %[[Q]] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<32x16xf16>>
// CHECK: tt.store %[[Q]], %[[V]] {boundaryCheck = array<i32: 0>}
// CHECK: tt.advance %[[Q]], [%c0_i32, %c16_i32] : <tensor<32x16xf16>>
tt.func public @one(%a: !tt.ptr<f16>, %b: i64, %m: i64, %k: i64, %sb: i64, %z: i32, %y: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %unit = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%b, %m, %k], [%sb, %k, %unit], [%z, %y, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x32x16xf16>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (!tt.ptr<tensor<1x32x16xf16>>) : i32 {
    %v = tt.load %q {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<1x32x16xf16>>
    tt.store %q, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<1x32x16xf16>>
    %w = tt.advance %q, [%c0, %c0, %c16] : <tensor<1x32x16xf16>>
    scf.yield %w : !tt.ptr<tensor<1x32x16xf16>>
  }
  tt.return
}

// -----

// Two matrices, each of which meets its dot. Nothing is checked along the batch.
// CHECK-LABEL: tt.func public @dots
// CHECK: %[[A0:.*]] = tt.make_tensor_ptr %{{.*}} : <tensor<16x16xf16>>
// CHECK: %[[A1:.*]] = tt.make_tensor_ptr %{{.*}} : <tensor<16x16xf16>>
// CHECK-DAG: mlt.prefetch %[[A0]] : !tt.ptr<tensor<16x16xf16>>
// CHECK-DAG: mlt.prefetch %[[A1]] : !tt.ptr<tensor<16x16xf16>>
// CHECK-DAG: %[[V0:.*]] = tt.load %[[A0]] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
// CHECK-DAG: %[[V1:.*]] = tt.load %[[A1]] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
// CHECK-DAG: tt.dot %[[V0]], %{{.*}} : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
// CHECK-DAG: tt.dot %[[V1]], %{{.*}} : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
tt.func public @dots(%a: !tt.ptr<f16>, %m: i64, %k: i64, %sb: i64, %b: tensor<2x16x16xf16>, %c: tensor<2x16x16xf32>) -> tensor<2x16x16xf32> {
  %c0 = arith.constant 0 : i32
  %unit = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %p = tt.make_tensor_ptr %a, [%two, %m, %k], [%sb, %k, %unit], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<2x16x16xf16>>
  mlt.prefetch %p : !tt.ptr<tensor<2x16x16xf16>>
  %v = tt.load %p {boundaryCheck = array<i32: 1, 2>, padding = 1 : i32} : !tt.ptr<tensor<2x16x16xf16>>
  %d = tt.dot %v, %b, %c : tensor<2x16x16xf16> * tensor<2x16x16xf16> -> tensor<2x16x16xf32>
  tt.return %d : tensor<2x16x16xf32>
}

// -----

// Four dimensions, with heads between the rows: rows and columns are those with
// more than one element. What was cut off by a reshape needs none.
// CHECK-LABEL: tt.func public @heads
// CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %c64_i64], [%{{.*}}, %c1_i64], [%{{.*}}, %c0_i32] {order = array<i32: 1, 0>} : <tensor<16x64xf16>>
// CHECK: %[[V:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<16x64xf16>>
// CHECK-NOT: tt.reshape
// CHECK: tt.return %[[V]]
tt.func public @heads(%a: !tt.ptr<f16>, %b: i64, %t: i64, %h: i64, %sb: i64, %st: i64, %x: i32) -> tensor<16x64xf16> {
  %c0 = arith.constant 0 : i32
  %unit = arith.constant 1 : i64
  %depth = arith.constant 64 : i64
  %p = tt.make_tensor_ptr %a, [%b, %t, %h, %depth], [%sb, %st, %depth, %unit], [%x, %x, %x, %c0] {order = array<i32: 3, 2, 1, 0>} : <tensor<1x16x1x64xf16>>
  %v = tt.load %p : !tt.ptr<tensor<1x16x1x64xf16>>
  %m = tt.reshape %v : tensor<1x16x1x64xf16> -> tensor<16x64xf16>
  tt.return %m : tensor<16x64xf16>
}
