// RUN: mlt-opt %s --split-input-file --raise-block-pointer --canonicalize --cse --remarks-filter=block-io --verify-diagnostics | %filecheck %s

// The number of rows is loaded: the tensor begins with the block, and has what
// is left of the rows, at most a tile and at least one, which a block behind the
// last row does not reach.
// CHECK-LABEL: tt.func public @loaded_rows
// CHECK-SAME: %[[P:[a-z0-9]*]]: !tt.ptr<f32>, %[[S:[a-z0-9]*]]: i32, %[[X:[a-z0-9]*]]: i32
// CHECK-DAG: %[[M:.*]] = tt.load
// CHECK-DAG: %[[S64:.*]] = arith.extsi %[[S]] : i32 to i64
// CHECK-DAG: %[[X64:.*]] = arith.extsi %[[X]] : i32 to i64
// CHECK-DAG: %[[M64:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK-DAG: %[[BASE:.*]] = tt.addptr %[[P]], %{{.*}} : !tt.ptr<f32>, i64
// CHECK: %[[REST:.*]] = arith.subi %[[M64]], %[[X64]] : i64
// CHECK: %[[MOST:.*]] = arith.minsi %[[REST]], %c16_i64
// CHECK: %[[SIZE:.*]] = arith.maxsi %[[MOST]], %c1_i64
// CHECK: %[[NONE:.*]] = arith.cmpi slt, %[[REST]], %c1_i64
// CHECK: %[[ROW:.*]] = arith.select %[[NONE]], %c16_i32, %c0_i32
// CHECK: tt.make_tensor_ptr %[[BASE]], [%[[SIZE]], %c32_i64], [%[[S64]], %c1_i64], [%[[ROW]], %c0_i32] {order = array<i32: 1, 0>} : <tensor<16x32xf32>>
// CHECK: tt.store {{.*}} {boundaryCheck = array<i32: 0>}
tt.func public @loaded_rows(%p: !tt.ptr<f32>, %s: i32, %x: i32, %sizes: !tt.ptr<i32>) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %m = tt.load %sizes : !tt.ptr<i32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %xs = tt.splat %x : i32 -> tensor<16xi32>
  %ri = arith.addi %xs, %rr : tensor<16xi32>
  %rows = tt.expand_dims %ri {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %in = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %mask = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x32xi1>
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Along the contiguous dimension, the rows could be of any width.
// CHECK-LABEL: tt.func public @loaded_columns
// CHECK-NOT: make_tensor_ptr
tt.func public @loaded_columns(%p: !tt.ptr<f32>, %s: i32, %sizes: !tt.ptr<i32>) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %n = tt.load %sizes : !tt.ptr<i32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ns = tt.splat %n : i32 -> tensor<1x32xi32>
  %in = arith.cmpi slt, %cols, %ns : tensor<1x32xi32>
  %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: a size or stride is not known at the launch}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}
