// RUN: mlt-opt %s --split-input-file --raise-block-pointer --canonicalize --cse | %filecheck %s

// Pointers that a loop carries, and a mask whose bound shrinks. Rows have no
// mask: their offset moves the base, and the tile is all there is of them.
// CHECK-LABEL: tt.func public @carried
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f16>, %[[K:.*]]: i32, %[[S:.*]]: i32, %{{.*}}: !tt.ptr<f16>)
// CHECK-SAME: mlt.raised
// CHECK: %[[BASE:.*]] = tt.addptr %[[P]]
// CHECK: %[[K64:.*]] = arith.extsi %[[K]]
// CHECK: %[[A:.*]] = tt.make_tensor_ptr %[[BASE]], [%c16_i64, %[[K64]]], [%{{.*}}, %c1_i64], [%c0_i32, %c0_i32] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
// CHECK: scf.for
// CHECK-SAME: %[[I:[a-z0-9]*]] = %[[A]]
// CHECK: tt.load %[[I]] {boundaryCheck = array<i32: 1>, padding = 1 : i32}
// CHECK: tt.advance %[[I]], [%c0_i32, %c32_i32]
tt.func public @carried(%p: !tt.ptr<f16>, %k: i32, %s: i32, %q: !tt.ptr<f16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %step = arith.constant dense<32> : tensor<16x32xi32>
  %zeros = arith.constant dense<0.0> : tensor<16x32xf16>
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c16 : i32
  %rs = tt.splat %row : i32 -> tensor<16xi32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ri = arith.addi %rs, %rr : tensor<16xi32>
  %rows = tt.expand_dims %ri {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
  %pr = tt.addptr %ps, %ro : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %prb = tt.broadcast %pr : tensor<16x1x!tt.ptr<f16>> -> tensor<16x32x!tt.ptr<f16>>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %start = tt.addptr %prb, %cb : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  %k31 = arith.addi %k, %c31 : i32
  %trips = arith.divsi %k31, %c32 : i32
  %end:2 = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %start, %sum = %zeros) -> (tensor<16x32x!tt.ptr<f16>>, tensor<16x32xf16>) : i32 {
    %done = arith.muli %i, %c32 : i32
    %left = arith.subi %k, %done : i32
    %ls = tt.splat %left : i32 -> tensor<1x32xi32>
    %in = arith.cmpi slt, %cols, %ls : tensor<1x32xi32>
    %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
    %v = tt.load %a, %mask, %zeros : tensor<16x32x!tt.ptr<f16>>
    %n = arith.addf %sum, %v : tensor<16x32xf16>
    %next = tt.addptr %a, %step : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
    scf.yield %next, %n : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xf16>
  }
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  tt.store %qs, %end#1 : tensor<16x32x!tt.ptr<f16>>
  tt.return
}

// -----

// Without any mask the tensor is what all iterations access: 16 rows and then
// 16 more in each of (n + 15) / 16 - 1 iterations.
// CHECK-LABEL: tt.func public @unmasked
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[N:.*]]: i32, %[[S:.*]]: i64)
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1_i64
// CHECK: %[[MORE:.*]] = arith.muli %[[LAST]], %c16_i64
// CHECK: %[[ROWS:.*]] = arith.addi %[[MORE]], %c16_i64
// CHECK: tt.make_tensor_ptr %[[P]], [%[[ROWS]], %c32_i64], [%[[S]], %c1_i64], [%c0_i32, %c0_i32]
// CHECK: tt.store %{{.*}}, %{{[^{]*}} : !tt.ptr<tensor<16x32xf32>>
// CHECK: tt.advance %{{.*}}, [%c16_i32, %c0_i32]
tt.func public @unmasked(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %zeros = arith.constant dense<0.0> : tensor<16x32xf32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  scf.for %i = %c0 to %n step %c16 : i32 {
    %is = tt.splat %i : i32 -> tensor<16xi32>
    %ri = arith.addi %is, %rr : tensor<16xi32>
    %r64 = arith.extsi %ri : tensor<16xi32> to tensor<16xi64>
    %rows = tt.expand_dims %r64 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %ss = tt.splat %s : i64 -> tensor<16x1xi64>
    %ro = arith.muli %rows, %ss : tensor<16x1xi64>
    %rb = tt.broadcast %ro : tensor<16x1xi64> -> tensor<16x32xi64>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
    %pr = tt.addptr %ps, %rb : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi64>
    %pa = tt.addptr %pr, %cb : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
    tt.store %pa, %zeros : tensor<16x32x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// The range stands on either side; what is masked off becomes minus infinity.
// CHECK-LABEL: tt.func public @other
// CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%c1_i64, %{{.*}}], [%c0_i32, %c0_i32] {order = array<i32: 0, 1>}
// CHECK: %[[V:.*]] = tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
// CHECK: arith.select %{{.*}}, %[[V]], %{{.*}} : tensor<16x32xi1>, tensor<16x32xf32>
tt.func public @other(%p: !tt.ptr<f32>, %m: i32, %n: i32, %s: i32) -> tensor<16x32xf32> {
  %inf = arith.constant dense<0xFF800000> : tensor<16x32xf32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<1x32xi32>
  %co = arith.muli %cols, %ss : tensor<1x32xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %co : tensor<1x32xi32> -> tensor<16x32xi32>
  %sum = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %sum : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %ns = tt.splat %n : i32 -> tensor<1x32xi32>
  %rin = arith.cmpi sgt, %ms, %rows : tensor<16x1xi32>
  %cin = arith.cmpi slt, %cols, %ns : tensor<1x32xi32>
  %rinb = tt.broadcast %rin : tensor<16x1xi1> -> tensor<16x32xi1>
  %cinb = tt.broadcast %cin : tensor<1x32xi1> -> tensor<16x32xi1>
  %mask = arith.andi %rinb, %cinb : tensor<16x32xi1>
  %v = tt.load %pa, %mask, %inf : tensor<16x32x!tt.ptr<f32>>
  tt.return %v : tensor<16x32xf32>
}
