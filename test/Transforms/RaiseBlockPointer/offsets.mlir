// RUN: mlt-opt %s --raise-block-pointer --canonicalize --cse | %filecheck %s

// What Triton makes of a block pointer whose columns a loop advances.
// CHECK-LABEL: tt.func public @advanced
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f16>, %[[M:.*]]: i64, %[[N:.*]]: i64, %[[S:.*]]: i64, %[[Y:.*]]: i32, %[[K:.*]]: i32, %{{.*}}: !tt.ptr<f16>)
// CHECK: %[[A:.*]] = tt.make_tensor_ptr %[[P]], [%[[M]], %[[N]]], [%[[S]], %c1_i64], [%[[Y]], %c0_i32] {order = array<i32: 1, 0>}
// CHECK: %[[B:.*]] = tt.make_tensor_ptr
// CHECK: scf.for
// CHECK-SAME: iter_args(%[[AI:[a-z0-9]*]] = %[[A]], %[[BI:[a-z0-9]*]] = %[[B]])
// CHECK: tt.load %[[AI]] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
// CHECK: tt.store %[[BI]], %{{.*}} {boundaryCheck = array<i32: 0, 1>}
// CHECK: tt.advance %[[AI]], [%c0_i32, %c32_i32]
// CHECK: tt.advance %[[BI]], [%c0_i32, %c32_i32]
tt.func public @advanced(%p: !tt.ptr<f16>, %m: i64, %n: i64, %s: i64, %y: i32, %k: i32, %q: !tt.ptr<f16>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant 0 : i64
  %step = arith.constant 32 : i64
  %r0 = arith.constant dense<0> : tensor<16x1xi64>
  %c0s = arith.constant dense<0> : tensor<1x32xi64>
  %y64 = arith.extsi %y : i32 to i64
  %end = scf.for %i = %c0 to %k step %c32 iter_args(%x = %zero) -> (i64) : i32 {
    %ys = tt.splat %y64 : i64 -> tensor<16xi64>
    %yr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %yr64 = arith.extsi %yr : tensor<16xi32> to tensor<16xi64>
    %yi = arith.addi %ys, %yr64 : tensor<16xi64>
    %rows = tt.expand_dims %yi {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %xs = tt.splat %x : i64 -> tensor<32xi64>
    %xr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %xr64 = arith.extsi %xr : tensor<32xi32> to tensor<32xi64>
    %xi = arith.addi %xs, %xr64 : tensor<32xi64>
    %cols = tt.expand_dims %xi {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
    %ss = tt.splat %s : i64 -> tensor<16x1xi64>
    %ro = arith.muli %rows, %ss : tensor<16x1xi64>
    %rob = tt.broadcast %ro : tensor<16x1xi64> -> tensor<16x32xi64>
    %cob = tt.broadcast %cols : tensor<1x32xi64> -> tensor<16x32xi64>
    %rge = arith.cmpi sge, %rows, %r0 : tensor<16x1xi64>
    %ms = tt.splat %m : i64 -> tensor<16x1xi64>
    %rlt = arith.cmpi slt, %rows, %ms : tensor<16x1xi64>
    %rin = arith.andi %rge, %rlt : tensor<16x1xi1>
    %rinb = tt.broadcast %rin : tensor<16x1xi1> -> tensor<16x32xi1>
    %cge = arith.cmpi sge, %cols, %c0s : tensor<1x32xi64>
    %ns = tt.splat %n : i64 -> tensor<1x32xi64>
    %clt = arith.cmpi slt, %cols, %ns : tensor<1x32xi64>
    %cin = arith.andi %cge, %clt : tensor<1x32xi1>
    %cinb = tt.broadcast %cin : tensor<1x32xi1> -> tensor<16x32xi1>
    %mask = arith.andi %rinb, %cinb : tensor<16x32xi1>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %p1 = tt.addptr %ps, %rob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %p2 = tt.addptr %p1, %cob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %v = tt.load %p2, %mask : tensor<16x32x!tt.ptr<f16>>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %q1 = tt.addptr %qs, %rob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    %q2 = tt.addptr %q1, %cob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
    tt.store %q2, %v, %mask : tensor<16x32x!tt.ptr<f16>>
    %next = arith.addi %x, %step : i64
    scf.yield %next : i64
  }
  tt.return
}
