// RUN: mlt-opt %s --split-input-file --raise-block-pointer --canonicalize --cse --remarks-filter=block-io --verify-diagnostics | %filecheck %s

// A scalar in the mask, and an offset of 64 bits: where the one is false or the
// other needs more than 32, the rows lie behind the last one.
// CHECK-LABEL: tt.func public @scalars
// CHECK-SAME: %[[P:[a-z0-9]*]]: !tt.ptr<f32>, %[[N:[a-z0-9]*]]: i32, %[[S:[a-z0-9]*]]: i32, %[[ON:[a-z0-9]*]]: i1
// CHECK: %[[X:.*]] = arith.muli %{{.*}}, %c32_i64 : i64
// CHECK: %[[FITS:.*]] = arith.cmpi slt, %[[X]], %c2147483648_i64
// CHECK: %[[IN:.*]] = arith.andi %[[ON]], %[[FITS]]
// CHECK: %[[ROW:.*]] = arith.select %[[IN]], %c0_i32, %c2147483647_i32
// CHECK: tt.make_tensor_ptr %[[P]], [%c16_i64, %{{.*}}], [%{{.*}}, %c1_i64], [%[[ROW]], %{{.*}}] {order = array<i32: 1, 0>} : <tensor<16x32xf32>>
// CHECK: tt.store {{.*}} {boundaryCheck = array<i32: 0, 1>}
tt.func public @scalars(%p: !tt.ptr<f32>, %n: i32, %s: i32, %on: i1) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %c32 = arith.constant 32 : i64
  %pid = tt.get_program_id x : i32
  %wide = arith.extsi %pid : i32 to i64
  %x = arith.muli %wide, %c32 : i64
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %c = arith.extsi %cr : tensor<32xi32> to tensor<32xi64>
  %xs = tt.splat %x : i64 -> tensor<32xi64>
  %ci = arith.addi %xs, %c : tensor<32xi64>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %rn = arith.muli %rows, %ss : tensor<16x1xi32>
  %ro = arith.extsi %rn : tensor<16x1xi32> to tensor<16x1xi64>
  %rb = tt.broadcast %ro : tensor<16x1xi64> -> tensor<16x32xi64>
  %cb = tt.broadcast %cols : tensor<1x32xi64> -> tensor<16x32xi64>
  %o = arith.addi %rb, %cb : tensor<16x32xi64>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi64>
  %nw = arith.extsi %n : i32 to i64
  %ns = tt.splat %nw : i64 -> tensor<1x32xi64>
  %in = arith.cmpi slt, %cols, %ns : tensor<1x32xi64>
  %inside = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
  %ons = tt.splat %on : i1 -> tensor<16x32xi1>
  %mask = arith.andi %inside, %ons : tensor<16x32xi1>
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Three dimensions; the bound of the one that has a single element holds for
// all or none.
// CHECK-LABEL: tt.func public @batch
// CHECK-SAME: %[[P:[a-z0-9]*]]: !tt.ptr<f32>, %[[B:[a-z0-9]*]]: i32
// CHECK: %[[Z:.*]] = tt.get_program_id z
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// CHECK: %[[ROW:.*]] = arith.select %[[IN]], %c0_i32, %c2147483647_i32
// CHECK: tt.make_tensor_ptr %{{.*}}, [%c1_i64, %c16_i64, %c32_i64], [%c0_i64, %{{.*}}, %c1_i64], [%c0_i32, %[[ROW]], %c0_i32] {order = array<i32: 2, 1, 0>} : <tensor<1x16x32xf32>>
// CHECK: tt.store {{.*}} {boundaryCheck = array<i32: 1>}
tt.func public @batch(%p: !tt.ptr<f32>, %b: i32, %sb: i32, %s: i32) {
  %value = arith.constant dense<1.0> : tensor<1x16x32xf32>
  %z = tt.get_program_id z : i32
  %zs = tt.splat %z : i32 -> tensor<1x1x1xi32>
  %bs = tt.splat %b : i32 -> tensor<1x1x1xi32>
  %in = arith.cmpi slt, %zs, %bs : tensor<1x1x1xi32>
  %mask = tt.broadcast %in : tensor<1x1x1xi1> -> tensor<1x16x32xi1>
  %sbs = tt.splat %sb : i32 -> tensor<1x1x1xi32>
  %zo = arith.muli %zs, %sbs : tensor<1x1x1xi32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r0 = tt.expand_dims %rr {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rows = tt.expand_dims %r0 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
  %c0 = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %cols = tt.expand_dims %c0 {axis = 1 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<1x16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<1x16x1xi32>
  %zb = tt.broadcast %zo : tensor<1x1x1xi32> -> tensor<1x16x1xi32>
  %zr = arith.addi %zb, %ro : tensor<1x16x1xi32>
  %rb = tt.broadcast %zr : tensor<1x16x1xi32> -> tensor<1x16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x1x32xi32> -> tensor<1x16x32xi32>
  %o = arith.addi %rb, %cb : tensor<1x16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1x16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<1x16x32x!tt.ptr<f32>>, tensor<1x16x32xi32>
  tt.store %pa, %value, %mask : tensor<1x16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The batch is what lies next to each other in memory.
// CHECK-LABEL: tt.func public @batch_inside
// CHECK-NOT: make_tensor_ptr
tt.func public @batch_inside(%p: !tt.ptr<f32>, %s: i32) {
  %value = arith.constant dense<1.0> : tensor<2x16x32xf32>
  %br = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %b0 = tt.expand_dims %br {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
  %b1 = tt.expand_dims %b0 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
  %r0 = tt.expand_dims %rr {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %r1 = tt.expand_dims %r0 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
  %c0 = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %c1 = tt.expand_dims %c0 {axis = 1 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<1x16x1xi32>
  %ro = arith.muli %r1, %ss : tensor<1x16x1xi32>
  %two = arith.constant dense<2> : tensor<1x1x32xi32>
  %co = arith.muli %c1, %two : tensor<1x1x32xi32>
  %bb = tt.broadcast %b1 : tensor<2x1x1xi32> -> tensor<2x16x32xi32>
  %rb = tt.broadcast %ro : tensor<1x16x1xi32> -> tensor<2x16x32xi32>
  %cb = tt.broadcast %co : tensor<1x1x32xi32> -> tensor<2x16x32xi32>
  %br1 = arith.addi %bb, %rb : tensor<2x16x32xi32>
  %o = arith.addi %br1, %cb : tensor<2x16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<2x16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<2x16x32x!tt.ptr<f32>>, tensor<2x16x32xi32>
  // expected-remark @below {{no block pointer: the contiguous dimension is none of the last two}}
  tt.store %pa, %value : tensor<2x16x32x!tt.ptr<f32>>
  tt.return
}
