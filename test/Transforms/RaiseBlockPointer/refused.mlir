// RUN: mlt-opt %s --split-input-file --raise-block-pointer --remarks-filter=block-io --verify-diagnostics | %filecheck %s

// The offset may need 64 bits: cut down, it could come back inside.
// CHECK-LABEL: @wide
// CHECK-NOT: make_tensor_ptr
tt.func public @wide(%p: !tt.ptr<f32>, %n: i64, %s: i64, %x: i64) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r = arith.extsi %rr : tensor<16xi32> to tensor<16xi64>
  %c = arith.extsi %cr : tensor<32xi32> to tensor<32xi64>
  %xs = tt.splat %x : i64 -> tensor<32xi64>
  %ci = arith.addi %xs, %c : tensor<32xi64>
  %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
  %ss = tt.splat %s : i64 -> tensor<16x1xi64>
  %ro = arith.muli %rows, %ss : tensor<16x1xi64>
  %rb = tt.broadcast %ro : tensor<16x1xi64> -> tensor<16x32xi64>
  %cb = tt.broadcast %cols : tensor<1x32xi64> -> tensor<16x32xi64>
  %o = arith.addi %rb, %cb : tensor<16x32xi64>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi64>
  %ns = tt.splat %n : i64 -> tensor<1x32xi64>
  %in = arith.cmpi slt, %cols, %ns : tensor<1x32xi64>
  %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: an offset is not known to fit in 32 bits}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// The mask lets elements in front of the first column through.
// CHECK-LABEL: @negative
// CHECK-NOT: make_tensor_ptr
tt.func public @negative(%p: !tt.ptr<f32>, %n: i32, %s: i32, %x: i32) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %xs = tt.splat %x : i32 -> tensor<32xi32>
  %ci = arith.addi %xs, %cr : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
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
  // expected-remark @below {{no block pointer: an offset may be negative, and the mask does not say so}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Which elements are even is no boundary.
// CHECK-LABEL: @other_mask
// CHECK-NOT: make_tensor_ptr
tt.func public @other_mask(%p: !tt.ptr<f32>, %n: i32, %s: i32) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %x = arith.constant 0 : i32
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %xs = tt.splat %x : i32 -> tensor<32xi32>
  %ci = arith.addi %xs, %cr : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ns = tt.splat %n : i32 -> tensor<1x32xi32>
  %in = arith.cmpi ne, %cols, %ns : tensor<1x32xi32>
  %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: the mask is no conjunction of bounds of single dimensions}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// How far the rows go is not said.
// CHECK-LABEL: @only_a_lower_bound
// CHECK-NOT: make_tensor_ptr
tt.func public @only_a_lower_bound(%p: !tt.ptr<f32>, %n: i32, %s: i32) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %x = arith.constant 0 : i32
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %xs = tt.splat %x : i32 -> tensor<32xi32>
  %ci = arith.addi %xs, %cr : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ns = tt.splat %n : i32 -> tensor<1x32xi32>
  %in = arith.cmpi sge, %cols, %ns : tensor<1x32xi32>
  %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: the mask has no upper bound for a dimension}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// A message needs its sizes before the launch.
// CHECK-LABEL: @loaded_bound
// CHECK-NOT: make_tensor_ptr
tt.func public @loaded_bound(%p: !tt.ptr<f32>, %n: i32, %s: i32, %l: !tt.ptr<i32>) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %x = arith.constant 0 : i32
  %length = tt.load %l : !tt.ptr<i32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %xs = tt.splat %x : i32 -> tensor<32xi32>
  %ci = arith.addi %xs, %cr : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ns = tt.splat %length : i32 -> tensor<1x32xi32>
  %in = arith.cmpi slt, %cols, %ns : tensor<1x32xi32>
  %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: a size or stride is not known at the launch}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// No dimension is contiguous.
// CHECK-LABEL: @strided
// CHECK-NOT: make_tensor_ptr
tt.func public @strided(%p: !tt.ptr<f32>, %n: i32, %s: i32) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %x = arith.constant 0 : i32
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %xs = tt.splat %x : i32 -> tensor<32xi32>
  %ci = arith.addi %xs, %cr : tensor<32xi32>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %two = arith.constant dense<2> : tensor<1x32xi32>
  %twice = arith.muli %cols, %two : tensor<1x32xi32>
  %cb = tt.broadcast %twice : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  %ns = tt.splat %n : i32 -> tensor<1x32xi32>
  %in = arith.cmpi slt, %cols, %ns : tensor<1x32xi32>
  %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<16x32xi1>
  // expected-remark @below {{no block pointer: no dimension has a stride that is known to be 1}}
  tt.store %pa, %value, %mask : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Columns come from memory.
// CHECK-LABEL: @gathered
// CHECK: tt.make_tensor_ptr {{.*}} : <tensor<32xi32>>
// CHECK-NOT: make_tensor_ptr
tt.func public @gathered(%p: !tt.ptr<f32>, %n: i32, %s: i32, %l: !tt.ptr<i32>) {
  %value = arith.constant dense<1.0> : tensor<16x32xf32>
  %rr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %lp = tt.splat %l : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %la = tt.addptr %lp, %cr : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %ci = tt.load %la : tensor<32x!tt.ptr<i32>>
  %rows = tt.expand_dims %rr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cols = tt.expand_dims %ci {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ss = tt.splat %s : i32 -> tensor<16x1xi32>
  %ro = arith.muli %rows, %ss : tensor<16x1xi32>
  %rb = tt.broadcast %ro : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %cols : tensor<1x32xi32> -> tensor<16x32xi32>
  %o = arith.addi %rb, %cb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %o : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
  // expected-remark @below {{no block pointer: the pointers are not one base plus a stride per dimension}}
  tt.store %pa, %value : tensor<16x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Messages reach global memory only.
// CHECK-LABEL: @shared
// CHECK-NOT: make_tensor_ptr
tt.func public @shared() {
  %p = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
  %value = arith.constant dense<1.0> : tensor<64xf32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32, 3> -> tensor<64x!tt.ptr<f32, 3>>
  %pa = tt.addptr %ps, %range : tensor<64x!tt.ptr<f32, 3>>, tensor<64xi32>
  // expected-remark @below {{no block pointer: the vector is not in global memory}}
  tt.store %pa, %value : tensor<64x!tt.ptr<f32, 3>>
  tt.return
}
