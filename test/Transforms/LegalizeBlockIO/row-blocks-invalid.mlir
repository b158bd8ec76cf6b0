// RUN: mlt-opt %s --split-input-file --match-target-size --expand-row-access --verify-diagnostics

// What does not cut the tile into blocks is left whole, and refused.

module attributes {mlt.target = "pvc"} {
  tt.func public @no_part(%a: !tt.ptr<f16>, %n: i64, %y: i32) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
    // expected-error @below {{expected 'mlt.row_block' to be the length 16 of the tile's rows, got 3 : i32}}
    %v = tt.load %p {mlt.row_dim = 1 : i32, mlt.row_block = 3 : i32} : !tt.ptr<tensor<8x16xf16>>
    tt.return
  }
}

// -----

module attributes {mlt.target = "pvc"} {
  tt.func public @no_dimension(%a: !tt.ptr<f16>, %n: i64, %y: i32) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
    // expected-error @below {{expected 'mlt.row_dim' to be a dimension of at most two}}
    %v = tt.load %p {mlt.row_dim = 5 : i32, mlt.row_block = 16 : i32} : !tt.ptr<tensor<8x16xf16>>
    tt.return
  }
}
