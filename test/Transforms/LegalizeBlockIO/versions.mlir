// RUN: mlt-opt %s --split-input-file --legalize-block-io --canonicalize --cse | %filecheck %s
// RUN: mlt-opt %s --split-input-file --legalize-block-io=versions=always --canonicalize --cse | %filecheck %s --check-prefix=ALWAYS
// RUN: mlt-opt %s --split-input-file --legalize-block-io=versions=never --canonicalize --cse | %filecheck %s --check-prefix=NEVER

// What the message wants of base, width, height and pitch is looked at once; the
// other version has a pointer per element, and nothing is left to the launch.
// CHECK-LABEL: tt.func public @versioned
// CHECK-NOT: mlt.preconditions
// CHECK-NOT: mlt.versioned
// CHECK: arith.cmpi ule
// CHECK: tt.ptr_to_int
// CHECK: scf.if
// CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
// CHECK: else
// CHECK-NOT: tt.make_tensor_ptr
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x16x!tt.ptr<f32>>
module attributes {mlt.target = "pvc"} {
  tt.func public @versioned(%p: !tt.ptr<f32>, %m: i64, %n: i64, %s: i64, %y: i32) attributes {mlt.versioned} {
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
  tt.func public @proven(%p: !tt.ptr<f32> {tt.divisibility = 64 : i32}) attributes {mlt.versioned} {
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

// Written with block pointers: the promises of the launcher are what messages
// want of a pitch, so the rest is left to the launch.
// CHECK-LABEL: tt.func public @promised
// CHECK-SAME: mlt.preconditions
// CHECK-NOT: scf.if
// ALWAYS-LABEL: tt.func public @promised
// ALWAYS-NOT: mlt.preconditions
// ALWAYS: scf.if
// ALWAYS: else
// NEVER-LABEL: tt.func public @promised
// NEVER-SAME: mlt.preconditions
module attributes {mlt.target = "pvc"} {
  tt.func public @promised(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i64, %n: i64 {tt.divisibility = 16 : i32}, %s: i64 {tt.divisibility = 16 : i32}, %y: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %v = arith.constant dense<1.0> : tensor<8x16xf32>
    %b = tt.make_tensor_ptr %p, [%m, %n], [%s, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
    tt.store %b, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}

// -----

// Nothing is promised: any pitch may come.
// CHECK-LABEL: tt.func public @nothing_promised
// CHECK-NOT: mlt.preconditions
// CHECK: scf.if
// CHECK: else
// NEVER-LABEL: tt.func public @nothing_promised
// NEVER-SAME: mlt.preconditions
// NEVER-NOT: scf.if
module attributes {mlt.target = "pvc"} {
  tt.func public @nothing_promised(%p: !tt.ptr<f16>, %m: i64, %n: i64, %s: i64, %y: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %v = arith.constant dense<1.0> : tensor<8x16xf16>
    %b = tt.make_tensor_ptr %p, [%m, %n], [%s, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
    tt.store %b, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf16>>
    tt.return
  }
}
