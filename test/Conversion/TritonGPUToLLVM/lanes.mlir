// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

// The lane table, seen through operations that only move elements. Stores are
// left out of the checks; they keep values alive.

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// Element 16i + l lies in register i of lane l.
// CHECK-LABEL: llvm.func spir_kernelcc @range
// CHECK: %[[LANE:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv()
// CHECK: %[[DIST:.*]] = llvm.mlir.constant(dense<[0, 16, 32, 48]> : vector<4xi32>)
// CHECK: %[[BASE:.*]] = llvm.add %[[LANE]], %{{.*}} : i32
// CHECK: %[[ONE:.*]] = llvm.insertelement %[[BASE]], %{{.*}} : vector<4xi32>
// CHECK: %[[ALL:.*]] = llvm.shufflevector %[[ONE]], %{{.*}} [0, 0, 0, 0] : vector<4xi32>
// CHECK: llvm.add %[[ALL]], %[[DIST]] : vector<4xi32>
tt.func public @range(%p: !tt.ptr<i32>) {
  %r = tt.make_range {start = 5 : i32, end = 69 : i32} : tensor<64xi32>
  %q = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  tt.store %q, %r : tensor<64x!tt.ptr<i32>>
  tt.return
}

// Fewer elements than lanes are repeated, and stored once.
// CHECK-LABEL: llvm.func spir_kernelcc @short_range
// CHECK: %[[LANE:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv()
// CHECK: llvm.lshr
// CHECK: %[[FEW:.*]] = llvm.icmp "ult" %[[LANE]]
// CHECK: llvm.call spir_funccc @_Z28__spirv_PredicatedStoreINTELPU3AS1iib(%{{.*}}, %{{.*}}, %[[FEW]])
tt.func public @short_range(%p: !tt.ptr<i32>) {
  %r = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %q = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  tt.store %q, %r : tensor<4x!tt.ptr<i32>>
  tt.return
}

// A value per row: row r is broadcast from lane r. Per column: nothing moves.
// CHECK-LABEL: llvm.func spir_kernelcc @rows_and_columns
// CHECK: %[[V:.*]] = llvm.load
// CHECK-COUNT-8: llvm.call spir_funccc @_Z19sub_group_broadcastfj(%[[V]]
// CHECK: %[[COLS:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xf32>
// CHECK: llvm.fadd %{{.*}}, %[[COLS]]
tt.func public @rows_and_columns(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %i8 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %p8 = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %q8 = tt.addptr %p8, %i8 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v8 = tt.load %q8 : tensor<8x!tt.ptr<f32>>
  %e8 = tt.expand_dims %v8 {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  %r = tt.broadcast %e8 : tensor<8x1xf32> -> tensor<8x16xf32>
  %i16 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %v16 = arith.sitofp %i16 : tensor<16xi32> to tensor<16xf32>
  %e16 = tt.expand_dims %v16 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
  %c = tt.broadcast %e16 : tensor<1x16xf32> -> tensor<8x16xf32>
  %sum = arith.addf %r, %c : tensor<8x16xf32>
  %o = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  tt.store %o, %sum : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// Plain rows are consecutive registers: the packed image of operand B is the
// same bits.
// CHECK-LABEL: llvm.func spir_kernelcc @operand_b
// CHECK: %[[V:.*]] = xevm.blockload2d {{.*}} -> vector<16xi16>
// CHECK: %[[B:.*]] = llvm.bitcast %[[V]] : vector<16xi16> to vector<8xi32>
// CHECK: xevm.mma %{{.*}}, %[[B]],
tt.func public @operand_b(%p: !tt.ptr<f16>, %out: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %a = arith.constant dense<1.0> : tensor<8x16xf16>
  %q = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<16x16xf16>>
  %v = tt.load %q : !tt.ptr<tensor<16x16xf16>>
  %b = mlt.convert_operand %v : tensor<16x16xf16> to tensor<16x16xf16, #mlt.operand<b>>
  %d = tt.dot %a, %b, %zero : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %o = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  tt.store %o, %d : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// tf32's operand A holds rows 2i and 2i + 1 in one register: upper lanes take
// the odd row, shifted by half of the lanes.
// CHECK-LABEL: llvm.func spir_kernelcc @operand_a_tf32
// CHECK: %[[V:.*]] = xevm.blockload2d {{.*}} -> vector<2xi32>
// CHECK: llvm.call spir_funccc @_Z17sub_group_shufflefj
// CHECK: llvm.call spir_funccc @_Z17sub_group_shufflefj
// CHECK: llvm.select %{{.*}} : i1, f32
// CHECK: xevm.mma {{.*}} : (vector<1xf32>, vector<8xf32>, vector<2xf32>) -> vector<2xf32>
tt.func public @operand_a_tf32(%p: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %b = arith.constant dense<1.0> : tensor<8x16xf32>
  %q = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<2x16xf32>>
  %v = tt.load %q : !tt.ptr<tensor<2x16xf32>>
  %w = mlt.extract %v[0, 0] : tensor<2x16xf32> to tensor<2x8xf32>
  %a = mlt.convert_operand %w : tensor<2x8xf32> to tensor<2x8xf32, #mlt.operand<a>>
  %d = tt.dot %a, %b, %v, inputPrecision = tf32 : tensor<2x8xf32, #mlt.operand<a>> * tensor<8x16xf32> -> tensor<2x16xf32>
  tt.store %q, %d : !tt.ptr<tensor<2x16xf32>>
  tt.return
}

// Glue of two column halves is a concatenation, of two row halves an
// interleaving of rows.
// CHECK-LABEL: llvm.func spir_kernelcc @glue
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2, 3] : vector<2xf32>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 4, 5, 2, 3, 6, 7] : vector<8xf32>
tt.func public @glue(%a: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %a, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<2x16xf32>>
  %u = tt.load %q : !tt.ptr<tensor<2x16xf32>>
  %v = arith.addf %u, %u : tensor<2x16xf32>
  %w = mlt.glue %u, %v : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x32xf32>
  %z = mlt.glue %w, %w : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<4x32xf32>
  %p = tt.splat %a : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>>
  tt.store %p, %z : tensor<4x32x!tt.ptr<f32>>
  tt.return
}

// Transposing a row: element r comes from lane r.
// CHECK-LABEL: llvm.func spir_kernelcc @trans
// CHECK-COUNT-4: llvm.call spir_funccc @_Z19sub_group_broadcastij(
tt.func public @trans(%p: !tt.ptr<i32>) {
  %r = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %t = tt.trans %e {order = array<i32: 1, 0>} : tensor<1x4xi32> -> tensor<4x1xi32>
  %q = tt.splat %p : !tt.ptr<i32> -> tensor<4x1x!tt.ptr<i32>>
  tt.store %q, %t : tensor<4x1x!tt.ptr<i32>>
  tt.return
}

// Transposing a square exchanges the bits of lane and row: 8 shuffles for each.
// CHECK-LABEL: llvm.func spir_kernelcc @square
// CHECK-COUNT-32: llvm.call spir_funccc @_Z21sub_group_shuffle_xorij(
// CHECK-NOT: llvm.call spir_funccc @{{.*}}sub_group_{{shuffle|broadcast}}
// CHECK: llvm.return
tt.func public @square(%p: !tt.ptr<i32>) {
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
  %x = tt.load %s : tensor<16x16x!tt.ptr<i32>>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x16xi32> -> tensor<16x16xi32>
  %q = tt.splat %p : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
  tt.store %q, %t : tensor<16x16x!tt.ptr<i32>>
  tt.return
}

// Eight columns are held twice: lanes choose between rows, then exchange.
// CHECK-LABEL: llvm.func spir_kernelcc @narrow
// CHECK-COUNT-12: llvm.call spir_funccc @_Z21sub_group_shuffle_xorij(
// CHECK-NOT: llvm.call spir_funccc @{{.*}}sub_group_{{shuffle|broadcast}}
// CHECK: llvm.return
tt.func public @narrow(%p: !tt.ptr<i32>) {
  %s = tt.splat %p : !tt.ptr<i32> -> tensor<16x8x!tt.ptr<i32>>
  %x = tt.load %s : tensor<16x8x!tt.ptr<i32>>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x8xi32> -> tensor<8x16xi32>
  %q = tt.splat %p : !tt.ptr<i32> -> tensor<8x16x!tt.ptr<i32>>
  tt.store %q, %t : tensor<8x16x!tt.ptr<i32>>
  tt.return
}
}
