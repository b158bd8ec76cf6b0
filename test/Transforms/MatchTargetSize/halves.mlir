// RUN: mlt-opt %s -split-input-file --match-target-size --canonicalize | %filecheck %s

// Cutting a tile in two columns of pieces, as an epilogue that stores in two
// steps does, moves nothing.

module attributes {mlt.target = "pvc"} {
// CHECK-LABEL: @columns
// CHECK-SAME: %[[X:.*]]: tensor<8x64xf32>
tt.func public @columns(%x: tensor<8x64xf32>, %lhs: !tt.ptr<tensor<8x32xf32>>, %rhs: !tt.ptr<tensor<8x32xf32>>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  // CHECK-NOT: tt.reshape
  // CHECK-NOT: tt.trans
  // CHECK-NOT: tt.split
  // CHECK-DAG: mlt.extract %[[X]][0, 0] : tensor<8x64xf32> to tensor<8x32xf32>
  // CHECK-DAG: mlt.extract %[[X]][0, 32] : tensor<8x64xf32> to tensor<8x32xf32>
  %r = tt.reshape %x : tensor<8x64xf32> -> tensor<8x2x32xf32>
  %t = tt.trans %r {order = array<i32: 0, 2, 1>} : tensor<8x2x32xf32> -> tensor<8x32x2xf32>
  %a, %b = tt.split %t : tensor<8x32x2xf32> -> tensor<8x32xf32>
  tt.return %a, %b : tensor<8x32xf32>, tensor<8x32xf32>
}
}

// -----

// Upper and lower rows.

module attributes {mlt.target = "pvc"} {
// CHECK-LABEL: @rows
// CHECK-SAME: %[[X:.*]]: tensor<8x32xf32>
tt.func public @rows(%x: tensor<8x32xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  // CHECK-NOT: tt.split
  // CHECK-DAG: mlt.extract %[[X]][0, 0] : tensor<8x32xf32> to tensor<4x32xf32>
  // CHECK-DAG: mlt.extract %[[X]][4, 0] : tensor<8x32xf32> to tensor<4x32xf32>
  %r = tt.reshape %x : tensor<8x32xf32> -> tensor<2x4x32xf32>
  %t = tt.trans %r {order = array<i32: 1, 2, 0>} : tensor<2x4x32xf32> -> tensor<4x32x2xf32>
  %a, %b = tt.split %t : tensor<4x32x2xf32> -> tensor<4x32xf32>
  tt.return %a, %b : tensor<4x32xf32>, tensor<4x32xf32>
}
}

// -----

// The reverse puts two tiles side by side.

module attributes {mlt.target = "pvc"} {
// CHECK-LABEL: @together
// CHECK-SAME: %[[A:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<8x16xf32>
tt.func public @together(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x32xf32> {
  // CHECK-NOT: tt.join
  // CHECK: %[[G:.*]] = mlt.glue %[[A]], %[[B]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  // CHECK: tt.return %[[G]]
  %j = tt.join %a, %b : tensor<8x16xf32> -> tensor<8x16x2xf32>
  %t = tt.trans %j {order = array<i32: 0, 2, 1>} : tensor<8x16x2xf32> -> tensor<8x2x16xf32>
  %r = tt.reshape %t : tensor<8x2x16xf32> -> tensor<8x32xf32>
  tt.return %r : tensor<8x32xf32>
}
}

// -----

// Even and odd columns are no halves, and eight columns do not fill the lanes.

module attributes {mlt.target = "pvc"} {
// CHECK-LABEL: @interleaved
tt.func public @interleaved(%x: tensor<8x64xf32>) -> tensor<8x32xf32> {
  // CHECK: tt.split
  %r = tt.reshape %x : tensor<8x64xf32> -> tensor<8x32x2xf32>
  %a, %b = tt.split %r : tensor<8x32x2xf32> -> tensor<8x32xf32>
  tt.return %a : tensor<8x32xf32>
}
// CHECK-LABEL: @narrow
tt.func public @narrow(%x: tensor<8x16xf32>) -> tensor<8x8xf32> {
  // CHECK: tt.split
  %r = tt.reshape %x : tensor<8x16xf32> -> tensor<8x2x8xf32>
  %t = tt.trans %r {order = array<i32: 0, 2, 1>} : tensor<8x2x8xf32> -> tensor<8x8x2xf32>
  %a, %b = tt.split %t : tensor<8x8x2xf32> -> tensor<8x8xf32>
  tt.return %b : tensor<8x8xf32>
}
}
