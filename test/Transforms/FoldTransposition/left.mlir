// RUN: mlt-opt %s --split-input-file --fold-transposition | %filecheck %s
// RUN: mlt-opt %s --split-input-file --fold-transposition --remarks-filter='layout-conversion' -o /dev/null 2>&1 | %filecheck %s --check-prefix=REMARK

// REMARK-COUNT-3: is transposed in registers: expected a tile that is loaded
// REMARK-NOT: remark:

// What is computed has to change places; only operands of products are worth a
// remark.
// CHECK-LABEL: @computed
// CHECK-COUNT-2: tt.trans
tt.func @computed(%p: tensor<16x32xf16>, %v: tensor<16x64xf16>, %acc: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
  %t = tt.trans %p {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  %d = tt.dot %t, %v, %acc : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
  %u = tt.trans %d {order = array<i32: 1, 0>} : tensor<32x64xf32> -> tensor<64x32xf32>
  %w = arith.addf %u, %u : tensor<64x32xf32>
  %x = tt.reshape %w : tensor<64x32xf32> -> tensor<32x64xf32>
  tt.return %d, %x : tensor<32x64xf32>, tensor<32x64xf32>
}

// -----

// Volatile loads are done once, and a block that is used in both orders, not by
// a product, is loaded once.
// CHECK-LABEL: @once
// CHECK: %[[X:[a-z0-9_]+]] = tt.load {{.*}}isVolatile = true
// CHECK: tt.trans %[[X]]
// CHECK: %[[Y:[a-z0-9_]+]] = tt.load
// CHECK: tt.trans %[[Y]]
tt.func @once(%k: !tt.ptr<f16>, %n: i64) -> (tensor<32x16xf16>, tensor<32x16xf16>, tensor<16x32xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %k, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %x = tt.load %p {isVolatile = true} : !tt.ptr<tensor<16x32xf16>>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  %y = tt.load %p : !tt.ptr<tensor<16x32xf16>>
  %u = tt.trans %y {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  tt.return %t, %u, %y : tensor<32x16xf16>, tensor<32x16xf16>, tensor<16x32xf16>
}

// -----

// A loop that swaps its pointers, and a condition that chooses one.
// CHECK-LABEL: @chosen
// CHECK-COUNT-2: tt.trans
tt.func @chosen(%k: !tt.ptr<f16>, %n: i64, %m: i32, %f: i1, %q: tensor<16x32xf16>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %k, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %o = tt.make_tensor_ptr %k, [%n, %n], [%n, %c1], [%c16, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %r:3 = scf.for %i = %c0 to %m step %c16 iter_args(%a = %p, %b = %o, %s = %acc) -> (!tt.ptr<tensor<16x32xf16>>, !tt.ptr<tensor<16x32xf16>>, tensor<16x16xf32>) : i32 {
    %x = tt.load %a : !tt.ptr<tensor<16x32xf16>>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
    %d = tt.dot %q, %t, %s : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
    scf.yield %b, %a, %d : !tt.ptr<tensor<16x32xf16>>, !tt.ptr<tensor<16x32xf16>>, tensor<16x16xf32>
  }
  %z = scf.if %f -> (!tt.ptr<tensor<16x32xf16>>) {
    scf.yield %p : !tt.ptr<tensor<16x32xf16>>
  } else {
    scf.yield %o : !tt.ptr<tensor<16x32xf16>>
  }
  %x = tt.load %z : !tt.ptr<tensor<16x32xf16>>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  %d = tt.dot %q, %t, %r#2 : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
