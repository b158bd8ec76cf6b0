// RUN: mlt-opt %s --split-input-file --unbatch-blocks --remarks-filter=block-io --verify-diagnostics | %filecheck %s

// The base of a matrix cannot be advanced.
// CHECK-LABEL: tt.func public @moves
// CHECK: tt.load %{{.*}} : !tt.ptr<tensor<1x16x16xf16>>
tt.func public @moves(%a: !tt.ptr<f16>, %n: i64, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %unit = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n, %n], [%s, %n, %unit], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x16x16xf16>>
  %q = tt.advance %p, [%c1, %c0, %c0] : <tensor<1x16x16xf16>>
  // expected-remark @below {{no matrices: the block moves along a leading dimension}}
  %v = tt.load %q : !tt.ptr<tensor<1x16x16xf16>>
  // expected-remark @below {{no matrices: the block moves along a leading dimension}}
  tt.store %p, %v : !tt.ptr<tensor<1x16x16xf16>>
  tt.return
}

// -----

// CHECK-LABEL: tt.func public @differ
// CHECK: tt.load %{{.*}} : !tt.ptr<tensor<1x16x16xf16>>
tt.func public @differ(%a: !tt.ptr<f16>, %n: i64, %s: i64) {
  %c0 = arith.constant 0 : i32
  %unit = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n, %n], [%s, %n, %unit], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<1x16x16xf16>>
  // expected-remark @below {{no matrices: accesses through the block pointer check different leading dimensions}}
  %v = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<1x16x16xf16>>
  // expected-remark @below {{no matrices: accesses through the block pointer check different leading dimensions}}
  tt.store %p, %v : !tt.ptr<tensor<1x16x16xf16>>
  tt.return
}
