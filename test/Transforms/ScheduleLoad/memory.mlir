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

// Accesses with an address per element move with the computation of their
// addresses, which is most of what they need.
// CHECK-LABEL: @gather
// CHECK: scf.for
// CHECK: %[[P0:.*]] = tt.addptr
// CHECK-NEXT: %[[L0:.*]] = tt.load %[[P0]]
// CHECK-NEXT: %[[B0:.*]] = mlt.convert_operand %[[L0]]
// CHECK-NEXT: tt.dot %{{.*}}, %[[B0]]
// CHECK: %[[P1:.*]] = tt.addptr
// CHECK-NEXT: %[[L1:.*]] = tt.load %[[P1]]
// CHECK-NEXT: %[[B1:.*]] = mlt.convert_operand %[[L1]]
// CHECK-NEXT: tt.dot %{{.*}}, %[[B1]]
tt.func public @gather(%a: tensor<8x16xf16>, %b: tensor<16x16x!tt.ptr<f16>>, %steps: i32) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %far = arith.constant dense<64> : tensor<16x16xi32>
  %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %zero, %y = %zero) -> (tensor<8x16xf32>, tensor<8x16xf32>) : i32 {
    %offset = tt.splat %i : i32 -> tensor<16x16xi32>
    %other = arith.addi %offset, %far : tensor<16x16xi32>
    %p0 = tt.addptr %b, %offset : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %p1 = tt.addptr %b, %other : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %l0 = tt.load %p0 : tensor<16x16x!tt.ptr<f16>>
    %l1 = tt.load %p1 : tensor<16x16x!tt.ptr<f16>>
    %b0 = mlt.convert_operand %l0 : tensor<16x16xf16> to tensor<16x16xf16, #mlt.operand<b>>
    %b1 = mlt.convert_operand %l1 : tensor<16x16xf16> to tensor<16x16xf16, #mlt.operand<b>>
    %d0 = tt.dot %a, %b0, %x : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
    %d1 = tt.dot %a, %b1, %y : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
    scf.yield %d0, %d1 : tensor<8x16xf32>, tensor<8x16xf32>
  }
  tt.return %r#0, %r#1 : tensor<8x16xf32>, tensor<8x16xf32>
}
