// RUN: mlt-opt %s --split-input-file --raise-block-pointer --canonicalize --cse --remarks-filter=block-io --verify-diagnostics | %filecheck %s

// Rows wrap around, and the store leaves out those behind the end.
// CHECK-LABEL: tt.func public @masked_at_the_store
// CHECK-SAME: %[[M:[a-z0-9]*]]: i32
// CHECK: %[[M64:.*]] = arith.extsi %[[M]]
// CHECK: %[[A:.*]] = tt.make_tensor_ptr %{{.*}}, [%[[M64]], %c32_i64], [%{{.*}}, %c1_i64], [%{{.*}}, %c0_i32]
// CHECK: tt.load %[[A]] {boundaryCheck = array<i32: 0>, padding = 1 : i32}
// CHECK-NOT: arith.remsi
tt.func public @masked_at_the_store(%p: !tt.ptr<f32>, %m: i32, %s: i32, %q: !tt.ptr<f32>) {
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c16 : i32
  %rs = tt.splat %row : i32 -> tensor<16xi32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ri = arith.addi %rs, %rr : tensor<16xi32>
  %mv = tt.splat %m : i32 -> tensor<16xi32>
  %rw = arith.remsi %ri, %mv : tensor<16xi32>
  %rows = tt.expand_dims %rw {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %v = tt.load %pa : tensor<16x32x!tt.ptr<f32>>
  %plain = tt.expand_dims %ri {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %qo = arith.muli %plain, %ss : tensor<16x1xi32>
  %qb = tt.broadcast %qo : tensor<16x1xi32> -> tensor<16x32xi32>
  %qc = arith.addi %qb, %cb : tensor<16x32xi32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %qa = tt.addptr %qs, %qc : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %in = arith.cmpi slt, %plain, %ms : tensor<16x1xi32>
  %mask = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x32xi1>
  tt.store %qa, %v, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Here a sum over the rows would miss those that come from the front.
// CHECK-LABEL: tt.func public @summed
// CHECK: arith.remsi
// CHECK-NOT: make_tensor_ptr
tt.func public @summed(%p: !tt.ptr<f32>, %m: i32, %s: i32) -> tensor<32xf32> {
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %mv = tt.splat %m : i32 -> tensor<16xi32>
  %rw = arith.remsi %rr, %mv : tensor<16xi32>
  %rows = tt.expand_dims %rw {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  // expected-remark @below {{no block pointer: an index wraps around, and not every store masks the rest}}
  %v = tt.load %pa : tensor<16x32x!tt.ptr<f32>>
  %sum = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x32xf32>) -> tensor<32xf32>
  tt.return %sum : tensor<32xf32>
}
