// RUN: mlt-opt %s --split-input-file --legalize-block-io --canonicalize --cse | %filecheck %s
// RUN: mlt-opt %s --split-input-file --legalize-block-io=versions=never --canonicalize --cse | %filecheck %s --check-prefix=NEVER

// What the message wants of base, width, height and pitch is looked at once; the
// other version goes row by row, and nothing is left to the launch.
// CHECK-LABEL: tt.func public @versioned
// CHECK-NOT: mlt.preconditions
// CHECK-NOT: mlt.raised
// CHECK: arith.cmpi ule
// CHECK: tt.ptr_to_int
// CHECK: scf.if
// CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
// CHECK: else
// CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 0, 1>, mlt.row_alignment = 4 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf32>>
module attributes {mlt.target = "pvc"} {
  tt.func public @versioned(%p: !tt.ptr<f32>, %m: i64, %n: i64, %s: i64, %y: i32) attributes {mlt.raised} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %v = arith.constant dense<1.0> : tensor<8x16xf32>
    %b = tt.make_tensor_ptr %p, [%m, %n], [%s, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
    tt.store %b, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}

// -----

// Everything is known: one version, and no branch.
// CHECK-LABEL: tt.func public @proven
// CHECK-NOT: scf.if
// CHECK: tt.store %{{.*}} : !tt.ptr<tensor<8x16xf32>>
// CHECK-NOT: scf.if
module attributes {mlt.target = "pvc"} {
  tt.func public @proven(%p: !tt.ptr<f32> {tt.divisibility = 64 : i32}) attributes {mlt.raised} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %v = arith.constant dense<1.0> : tensor<8x16xf32>
    %b = tt.make_tensor_ptr %p, [%c64, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
    tt.store %b, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}

// -----

// Written with block pointers: the tensor is what the array has to hold.
// CHECK-LABEL: tt.func public @block_pointer
// CHECK-SAME: mlt.preconditions = [{base = 0 : i32, elem_bytes = 4 : i32, height = {arg = 1 : i32}, kind = "array", loc = "{{[^"]*}}", pitch = {arg = 3 : i32}, width = {arg = 2 : i32}}]
// CHECK: scf.if
// CHECK: else
// NEVER-LABEL: tt.func public @block_pointer
// NEVER-SAME: mlt.preconditions
module attributes {mlt.target = "pvc"} {
  tt.func public @block_pointer(%p: !tt.ptr<f32>, %m: i64, %n: i64, %s: i64, %y: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %v = arith.constant dense<1.0> : tensor<8x16xf32>
    %b = tt.make_tensor_ptr %p, [%m, %n], [%s, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
    tt.store %b, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}

// -----

// Raised, and never to be versioned: the conditions are left to the launch.
// CHECK-LABEL: tt.func public @raised
// CHECK: scf.if
// NEVER-LABEL: tt.func public @raised
// NEVER-SAME: mlt.preconditions
// NEVER-NOT: scf.if
module attributes {mlt.target = "pvc"} {
  tt.func public @raised(%p: !tt.ptr<f16>, %m: i64, %n: i64, %s: i64, %y: i32) attributes {mlt.raised} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %v = arith.constant dense<1.0> : tensor<8x16xf16>
    %b = tt.make_tensor_ptr %p, [%m, %n], [%s, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
    tt.store %b, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf16>>
    tt.return
  }
}
