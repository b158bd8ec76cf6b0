// RUN: mlt-opt %s --split-input-file --join-prefetch | %filecheck %s

// One prefetch in the loop and one in front of it, each of the pointer of the
// half that the warp is in; the pointers are made in any order.

// CHECK-LABEL: tt.func @halves
// CHECK-SAME: %[[A:[a-z0-9]+]]: !tt.ptr<f16>, %[[B:[a-z0-9]+]]: !tt.ptr<f16>
// CHECK: %[[W:.*]] = mlt.warp_id : i32
// CHECK: %[[UPPER:.*]] = arith.cmpi uge, %[[W]], %{{.*}} : i32
// CHECK: %[[Q:.*]] = tt.make_tensor_ptr %[[B]]
// CHECK-NOT: mlt.prefetch
// CHECK: %[[P:.*]] = tt.make_tensor_ptr %[[A]]
// CHECK: %[[FIRST:.*]] = arith.select %{{.*}}, %[[Q]], %[[P]] : !tt.ptr<tensor<16x32xf16>>
// CHECK-NEXT: mlt.prefetch %[[FIRST]] : !tt.ptr<tensor<16x32xf16>>
// CHECK: scf.for {{.*}}(%[[X:[a-z0-9]+]] = %[[P]], %[[Y:[a-z0-9]+]] = %[[Q]])
// CHECK-NEXT: %[[ONE:.*]] = arith.select %{{.*}}, %[[Y]], %[[X]] : !tt.ptr<tensor<16x32xf16>>
// CHECK-NEXT: mlt.prefetch %[[ONE]] : !tt.ptr<tensor<16x32xf16>>
// CHECK-NOT: mlt.prefetch
// CHECK: tt.return
module attributes {"ttg.num-warps" = 32 : i32} {
  tt.func @halves(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %m: i64, %k: i64, %to: i32) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %q = tt.make_tensor_ptr %b, [%k, %m], [%m, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    mlt.prefetch %q part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
    %p = tt.make_tensor_ptr %a, [%m, %k], [%k, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    mlt.prefetch %p part 0 of 2 : !tt.ptr<tensor<16x32xf16>>
    %r:2 = scf.for %i = %c0 to %to step %c32 iter_args(%x = %p, %y = %q) -> (!tt.ptr<tensor<16x32xf16>>, !tt.ptr<tensor<16x32xf16>>) : i32 {
      mlt.prefetch %x part 0 of 2 : !tt.ptr<tensor<16x32xf16>>
      mlt.prefetch %y part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
      %x1 = tt.advance %x, [%c0, %c32] : <tensor<16x32xf16>>
      %y1 = tt.advance %y, [%c32, %c0] : <tensor<16x32xf16>>
      scf.yield %x1, %y1 : !tt.ptr<tensor<16x32xf16>>, !tt.ptr<tensor<16x32xf16>>
    }
    tt.return
  }
}

// -----

// No message of one shape serves both; tensors whose rows run along different
// dimensions; a part that is alone; one that every warp does. They stay.

// CHECK-LABEL: tt.func @stay
// CHECK-NOT: arith.select
// CHECK: mlt.prefetch %{{.*}} part 0 of 2 : !tt.ptr<tensor<16x32xf16>>
// CHECK-NEXT: mlt.prefetch %{{.*}} part 1 of 2 : !tt.ptr<tensor<8x32xf16>>
// CHECK: mlt.prefetch %{{.*}} part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
// CHECK: scf.if
// CHECK: mlt.prefetch %{{.*}} part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
// CHECK: mlt.prefetch %{{.*}} : !tt.ptr<tensor<16x32xf16>>
// CHECK-NOT: arith.select
module attributes {"ttg.num-warps" = 32 : i32} {
  tt.func @stay(%a: !tt.ptr<f16>, %m: i64, %k: i64, %if: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%m, %k], [%k, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %q = tt.make_tensor_ptr %a, [%m, %k], [%k, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x32xf16>>
    mlt.prefetch %p part 0 of 2 : !tt.ptr<tensor<16x32xf16>>
    mlt.prefetch %q part 1 of 2 : !tt.ptr<tensor<8x32xf16>>
    %t = tt.make_tensor_ptr %a, [%m, %k], [%c1, %m], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x32xf16>>
    mlt.prefetch %t part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
    scf.if %if {
      mlt.prefetch %p part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
    }
    mlt.prefetch %p : !tt.ptr<tensor<16x32xf16>>
    tt.return
  }
}
