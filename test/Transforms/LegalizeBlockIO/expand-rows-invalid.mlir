// RUN: mlt-opt %s --split-input-file --expand-row-access --verify-diagnostics

tt.func public @prefetch(%p: !tt.ptr<tensor<8x16xf16>>) {
  // expected-error @below {{expected 'mlt.row_dim' on loads and stores only}}
  mlt.prefetch %p {mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// -----

tt.func public @other_access(%a: !tt.ptr<f16>, %n: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %v = tt.load %p {mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf16>>
  // expected-error @below {{expected 'mlt.row_dim' as on other accesses through this block pointer}}
  tt.store %p, %v : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// -----

tt.func public @element(%p: !tt.ptr<f16>) {
  // expected-error @below {{expected a block pointer beside 'mlt.row_dim', got '!tt.ptr<f16>'}}
  %v = tt.load %p {mlt.row_dim = 0 : i32} : !tt.ptr<f16>
  tt.return
}

// -----

tt.func public @no_such_dimension(%a: !tt.ptr<f16>, %n: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-error @below {{expected 'mlt.row_dim' to be a dimension of at most two, the last one of a store, got 2 for '!tt.ptr<tensor<8x16xf16>>'}}
  %v = tt.load %p {mlt.row_dim = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// -----

tt.func public @packed(%a: !tt.ptr<f16>, %n: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-error @below {{expected 'mlt.row_pack' to divide the rows of a tile of two dimensions, got 3 : i32}}
  %v = tt.load %p {mlt.row_dim = 1 : i32, mlt.row_pack = 3 : i32} : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// -----

tt.func public @blocks(%a: !tt.ptr<f16>, %n: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x32xf16>>
  // expected-error @below {{expected 'mlt.row_block' to be the length 32 of the tile's rows, got 16 : i32; run --match-target-size first}}
  %v = tt.load %p {mlt.row_dim = 1 : i32, mlt.row_block = 16 : i32} : !tt.ptr<tensor<8x32xf16>>
  tt.return
}
