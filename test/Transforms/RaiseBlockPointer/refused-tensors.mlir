// RUN: mlt-opt %s --split-input-file --raise-block-pointer --remarks-filter=block-io --verify-diagnostics | %filecheck %s

// What the tensor is that a tile lies in, and where the mask ends it: every
// reason why it is none that a block pointer can name.

// CHECK-LABEL: @addresses
// CHECK-NOT: make_tensor_ptr
tt.func public @addresses(%p: !tt.ptr<!tt.ptr<f32>>, %s: i32) {
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<!tt.ptr<f32>> -> tensor<16x32x!tt.ptr<!tt.ptr<f32>>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<!tt.ptr<f32>>>, tensor<16x32xi32>
  // expected-remark @below {{no block pointer: the elements are no numbers}}
  %v = tt.load %pa : tensor<16x32x!tt.ptr<!tt.ptr<f32>>>
  tt.return
}

// -----

// CHECK-LABEL: @row
// CHECK-NOT: make_tensor_ptr
tt.func public @row(%p: !tt.ptr<f32>) {
  %value = arith.constant dense<1.0> : tensor<1x32xf32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %cols : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
  // expected-remark @below {{no block pointer: the tile is a single row or column}}
  tt.store %pa, %value : tensor<1x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The columns are the same in all rows.
// CHECK-LABEL: @repeated
// CHECK-NOT: make_tensor_ptr
tt.func public @repeated(%p: !tt.ptr<f32>) -> tensor<16x32xf32> {
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %cb : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  // expected-remark @below {{no block pointer: the same elements are accessed along a whole dimension}}
  %v = tt.load %pa : tensor<16x32x!tt.ptr<f32>>
  tt.return %v : tensor<16x32xf32>
}

// -----

// Two bounds for the columns: which is the smaller one is not known.
// CHECK-LABEL: @two_bounds
// CHECK-NOT: make_tensor_ptr
tt.func public @two_bounds(%p: !tt.ptr<f32>, %s: i32, %n: i32, %m: i32) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
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
  %ms = tt.splat %m : i32 -> tensor<1x32xi32>
  %in = arith.cmpi slt, %cols, %ns : tensor<1x32xi32>
  %im = arith.cmpi slt, %cols, %ms : tensor<1x32xi32>
  %both = arith.andi %in, %im : tensor<1x32xi1>
  %mask = tt.broadcast %both : tensor<1x32xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: the mask has different bounds for one dimension}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The window moves with the loop.
// CHECK-LABEL: @window
// CHECK-NOT: make_tensor_ptr
tt.func public @window(%p: !tt.ptr<f32>, %s: i32, %n: i32, %steps: i32) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
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
  %below = arith.cmpi slt, %cols, %ns : tensor<1x32xi32>
  scf.for %i = %c0 to %steps step %c1 : i32 {
    %first = tt.splat %i : i32 -> tensor<1x32xi32>
    %from = arith.cmpi sge, %cols, %first : tensor<1x32xi32>
    %both = arith.andi %below, %from : tensor<1x32xi1>
    %mask = tt.broadcast %both : tensor<1x32xi1> -> tensor<16x32xi1>
    // expected-remark @below {{no block pointer: the lower bound of the mask is not zero and may change}}
    tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// The index wraps around at M, the mask ends at N.
// CHECK-LABEL: @elsewhere
// CHECK-NOT: make_tensor_ptr
tt.func public @elsewhere(%p: !tt.ptr<f32>, %s: i32, %m: i32, %n: i32) -> tensor<16x32xf32> {
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %mv = tt.splat %m : i32 -> tensor<16xi32>
  %rw = arith.remsi %rr, %mv : tensor<16xi32>
  %rows = tt.expand_dims %rw {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %plain = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ns = tt.splat %n : i32 -> tensor<16x1xi32>
  %in = arith.cmpi slt, %plain, %ns : tensor<16x1xi32>
  %mask = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: an index wraps around elsewhere than where the mask ends}}
  %v = tt.load %pa, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return %v : tensor<16x32xf32>
}

// -----

// Every diagonal is one element, and the mask is a scalar: no row could leave.
// CHECK-LABEL: @diagonals
// CHECK-NOT: make_tensor_ptr
tt.func public @diagonals(%p: !tt.ptr<f32>, %on: i1) -> tensor<16x32xf32> {
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %mask = tt.splat %on : i1 -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: both dimensions have a stride of 1, and the mask has a condition on neither}}
  %v = tt.load %pa, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return %v : tensor<16x32xf32>
}

// -----

// The bytes of the tensor are asked for as floats.
// CHECK-LABEL: @cast
// CHECK-NOT: make_tensor_ptr
tt.func public @cast(%p: !tt.ptr<i8>, %s: i32) -> tensor<16x32xf32> {
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %cr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<i8> -> tensor<16x32x!tt.ptr<i8>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<i8>>, tensor<16x32xi32>
  %pf = tt.bitcast %pa : tensor<16x32x!tt.ptr<i8>> -> tensor<16x32x!tt.ptr<f32>>
  // expected-remark @below {{no block pointer: the pointers are not one base plus a stride per dimension}}
  %v = tt.load %pf : tensor<16x32x!tt.ptr<f32>>
  tt.return %v : tensor<16x32xf32>
}
