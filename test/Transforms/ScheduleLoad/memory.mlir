// RUN: mlt-opt %s --schedule-load=registers=1 | %filecheck %s

// A load stays in front of a store that may write what it reads, and one from
// in front of a loop that stores is not repeated in it.

// CHECK-LABEL: @stores
// CHECK: tt.load
// CHECK: scf.for
// CHECK-NEXT: %[[T:.*]] = tt.load
// CHECK-NEXT: tt.store
// CHECK-NEXT: tt.dot %{{.*}}, %[[T]]
// CHECK-NOT: mlt.barrier
tt.func public @stores(%q: !tt.ptr<f16>, %n: i64, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %half = arith.constant dense<0.5> : tensor<8x16xf16>
  %pq = tt.make_tensor_ptr %q, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %pk = tt.make_tensor_ptr %q, [%n, %n], [%n, %one], [%c1, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mlt.operand<b>>>
  %a = tt.load %pq : !tt.ptr<tensor<8x16xf16>>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<8x16xf32>) : i32 {
    %t = tt.load %pk : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
    tt.store %pq, %half : !tt.ptr<tensor<8x16xf16>>
    %d = tt.dot %a, %t, %acc : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
    scf.yield %d : tensor<8x16xf32>
  }
  %h = arith.truncf %r : tensor<8x16xf32> to tensor<8x16xf16>
  tt.store %pq, %h : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// A loop that not every warp enters: no barrier can stand behind it, so the
// operand stays in front.
// CHECK-LABEL: @divergent
// CHECK: %[[A:.*]] = tt.load
// CHECK-NEXT: scf.for
// CHECK: tt.dot %[[A]]
// CHECK-NOT: mlt.barrier
tt.func public @divergent(%q: !tt.ptr<f16>, %n: i64, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %pq = tt.make_tensor_ptr %q, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %pk = tt.make_tensor_ptr %q, [%n, %n], [%n, %one], [%c1, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mlt.operand<b>>>
  %warp = mlt.warp_id : i32
  %first = arith.cmpi eq, %warp, %c0 : i32
  scf.if %first {
    %a = tt.load %pq : !tt.ptr<tensor<8x16xf16>>
    %r = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %zero) -> (tensor<8x16xf32>) : i32 {
      %t = tt.load %pk : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %d = tt.dot %a, %t, %acc : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
      scf.yield %d : tensor<8x16xf32>
    }
    %h = arith.truncf %r : tensor<8x16xf32> to tensor<8x16xf16>
    tt.store %pq, %h : !tt.ptr<tensor<8x16xf16>>
  }
  tt.return
}
