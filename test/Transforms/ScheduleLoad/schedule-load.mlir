// RUN: mlt-opt %s --schedule-load=registers=24 | %filecheck %s
// RUN: mlt-opt %s --schedule-load=registers=200 | %filecheck %s --check-prefix=FITS
// RUN: mlt-opt %s --schedule-load=registers=44 | %filecheck %s --check-prefix=SINK
// RUN: mlt-opt %s --schedule-load=registers=24 --remarks-filter=registers -o /dev/null 2>&1 | %filecheck %s --check-prefix=REMARK

#b = #mlt.operand<b>

// Two pieces of Q, four of K, two of the product: as it is, all of K and Q live
// at the first dot.

// REMARK: loop needs about {{4[0-9]}} registers of 24, {{3[0-9]}} with its loads in another order

// A loop that fits stays as it is.
// FITS-LABEL: @scores
// FITS: tt.load
// FITS-NEXT: tt.load
// FITS-NEXT: scf.for
// FITS-COUNT-4: tt.load
// FITS-NEXT: tt.dot
// FITS-NOT: mlt.barrier

// Moving the loads down is enough here: two pieces of K at a time.
// SINK-LABEL: @scores
// SINK: tt.load
// SINK-NEXT: tt.load
// SINK-NEXT: scf.for
// SINK-NEXT: tt.load
// SINK-NEXT: tt.dot
// SINK-NEXT: tt.load
// SINK-NEXT: tt.dot
// SINK-NOT: mlt.barrier

// At last the pieces of Q are loaded in the loop, each before its first dot, and
// the dots of one piece follow each other. Stores wait for all warps.
// CHECK-LABEL: @scores
// CHECK-SAME: %[[A:[^:]*]]: !tt.ptr<f16>
// CHECK: %[[P0:.*]] = tt.make_tensor_ptr %[[A]], [%{{.*}}], [%{{.*}}], [%{{.*}}, %c0_i32]
// CHECK: %[[P1:.*]] = tt.make_tensor_ptr %[[A]], [%{{.*}}], [%{{.*}}], [%{{.*}}, %c16_i32]
// CHECK-NOT: tt.load
// CHECK: scf.for
// CHECK-NEXT: %[[Q0:.*]] = tt.load %[[P0]]
// CHECK-NEXT: %[[K00:.*]] = tt.load
// CHECK-NEXT: %[[S0:.*]] = tt.dot %[[Q0]], %[[K00]], %{{.*}}
// CHECK-NEXT: %[[K01:.*]] = tt.load
// CHECK-NEXT: %[[S1:.*]] = tt.dot %[[Q0]], %[[K01]], %{{.*}}
// CHECK-NEXT: %[[K10:.*]] = tt.load
// CHECK-NEXT: %[[Q1:.*]] = tt.load %[[P1]]
// CHECK-NEXT: tt.dot %[[Q1]], %[[K10]], %[[S0]]
// CHECK-NEXT: %[[K11:.*]] = tt.load
// CHECK-NEXT: tt.dot %[[Q1]], %[[K11]], %[[S1]]
// CHECK: }
// CHECK-NEXT: mlt.barrier
module attributes {"ttg.num-warps" = 8 : i32} {
tt.func public @scores(%q: !tt.ptr<f16>, %k: !tt.ptr<f16>, %o: !tt.ptr<f32>, %n: i64, %row: i32, %steps: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %pq0 = tt.make_tensor_ptr %q, [%n, %n], [%n, %one], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %pq1 = tt.make_tensor_ptr %q, [%n, %n], [%n, %one], [%row, %c16] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %k00 = tt.make_tensor_ptr %k, [%n, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #b>>
  %k10 = tt.make_tensor_ptr %k, [%n, %n], [%n, %one], [%c16, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #b>>
  %k01 = tt.make_tensor_ptr %k, [%n, %n], [%n, %one], [%c0, %c16] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #b>>
  %k11 = tt.make_tensor_ptr %k, [%n, %n], [%n, %one], [%c16, %c16] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #b>>
  %po = tt.make_tensor_ptr %o, [%n, %n], [%n, %one], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %q0 = tt.load %pq0 : !tt.ptr<tensor<8x16xf16>>
  %q1 = tt.load %pq1 : !tt.ptr<tensor<8x16xf16>>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%sum = %zero) -> (tensor<8x16xf32>) : i32 {
    %t00 = tt.load %k00 : !tt.ptr<tensor<16x16xf16, #b>>
    %t10 = tt.load %k10 : !tt.ptr<tensor<16x16xf16, #b>>
    %t01 = tt.load %k01 : !tt.ptr<tensor<16x16xf16, #b>>
    %t11 = tt.load %k11 : !tt.ptr<tensor<16x16xf16, #b>>
    %s0 = tt.dot %q0, %t00, %zero : tensor<8x16xf16> * tensor<16x16xf16, #b> -> tensor<8x16xf32>
    %u0 = tt.dot %q1, %t10, %s0 : tensor<8x16xf16> * tensor<16x16xf16, #b> -> tensor<8x16xf32>
    %s1 = tt.dot %q0, %t01, %zero : tensor<8x16xf16> * tensor<16x16xf16, #b> -> tensor<8x16xf32>
    %u1 = tt.dot %q1, %t11, %s1 : tensor<8x16xf16> * tensor<16x16xf16, #b> -> tensor<8x16xf32>
    %both = arith.maxnumf %u0, %u1 : tensor<8x16xf32>
    %next = arith.addf %sum, %both : tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  tt.store %po, %r : !tt.ptr<tensor<8x16xf32>>
  tt.return
}
}
