// RUN: mlt-opt %s --split-input-file --legalize-block-io --canonicalize --cse | %filecheck %s

// Four of eight warps hold the same part of A, two the same of B: each loads
// the rows of a fourth and a half, and the products take all of it from shared
// memory. A and B lie there in blocks of 16 columns, B with pairs of rows packed.
// One barrier keeps the stores behind the loads of the last iteration, one the
// loads behind the stores.
// CHECK-LABEL: tt.func public @product
// CHECK: %[[WARP:.*]] = mlt.warp_id
// CHECK: scf.for
// CHECK: %[[A:.*]] = mlt.alloc {shape = array<i64: 64, 32>} : !tt.ptr<f16, 3>
// CHECK: %[[B:.*]] = mlt.alloc {shape = array<i64: 32, 64>} : !tt.ptr<f16, 3>
// CHECK: mlt.barrier
// CHECK: %[[PART:.*]] = tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, mlt.row_alignment = 2 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x32xf16>>
// CHECK: %[[TO:.*]] = tt.make_tensor_ptr %[[A]], {{.*}} : <tensor<8x32xf16>, 3>
// CHECK: tt.store %[[TO]], %[[PART]] {mlt.row_alignment = 64 : i32, mlt.row_block = 16 : i32, mlt.row_dim = 1 : i32}
// CHECK: %[[PART:.*]] = tt.load %{{.*}} : tensor<16x16x!tt.ptr<f16>>
// CHECK: %[[TO:.*]] = tt.make_tensor_ptr %[[B]], {{.*}} : <tensor<16x16xf16>, 3>
// CHECK: tt.store %[[TO]], %[[PART]] {mlt.row_alignment = 64 : i32, mlt.row_block = 16 : i32, mlt.row_dim = 1 : i32, mlt.row_pack = 2 : i32}
// CHECK: mlt.barrier
// CHECK: %[[FROM:.*]] = tt.make_tensor_ptr %[[A]], {{.*}} : <tensor<32x32xf16>, 3>
// CHECK: %[[TA:.*]] = tt.load %[[FROM]] {mlt.row_alignment = 64 : i32, mlt.row_block = 16 : i32, mlt.row_dim = 1 : i32}
// CHECK: %[[FROM:.*]] = tt.make_tensor_ptr %[[B]], {{.*}} : <tensor<32x16xf16>, 3>
// CHECK: %[[TB:.*]] = tt.load %[[FROM]] {mlt.row_alignment = 64 : i32, mlt.row_block = 16 : i32, mlt.row_dim = 1 : i32, mlt.row_pack = 2 : i32}
// CHECK: tt.dot %[[TA]], %[[TB]],
// CHECK-NOT: mlt.warp_tiles
module attributes {mlt.target = "pvc", "ttg.num-warps" = 8 : i32} {
  tt.func public @product(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %n: i64, %s: i64, %k: i32, %y: i32, %x: i32, %acc: tensor<32x16xf32>) -> tensor<32x16xf32> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %one = arith.constant 1 : i64
    %pid = tt.get_program_id x : i32
    %shifted = tt.addptr %a, %pid : !tt.ptr<f16>, i32
    %pa = tt.make_tensor_ptr %shifted, [%n, %n], [%s, %one], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %pb = tt.make_tensor_ptr %b, [%n, %n], [%s, %s], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<32x16xf16>>
    %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%qa = %pa, %qb = %pb, %c = %acc) -> (!tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x16xf16>>, tensor<32x16xf32>) : i32 {
      %ta = tt.load %qa {boundaryCheck = array<i32: 0, 1>, mlt.warp_tiles = array<i64: 2, 4, 1, 1>} : !tt.ptr<tensor<32x32xf16>>
      %tb = tt.load %qb {boundaryCheck = array<i32: 0, 1>, mlt.warp_tiles = array<i64: 1, 1, 4, 1>} : !tt.ptr<tensor<32x16xf16>>
      %d = tt.dot %ta, %tb, %c : tensor<32x32xf16> * tensor<32x16xf16> -> tensor<32x16xf32>
      %na = tt.advance %qa, [%c0, %c32] : <tensor<32x32xf16>>
      %nb = tt.advance %qb, [%c32, %c0] : <tensor<32x16xf16>>
      scf.yield %na, %nb, %d : !tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x16xf16>>, tensor<32x16xf32>
    }
    tt.return %r#2 : tensor<32x16xf32>
  }
}

// -----

// An operand that is stored by columns: the parts are rows in memory, checked
// along the other dimension.
// CHECK-LABEL: tt.func public @columns
// CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 1>, mlt.row_alignment = 2 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf16>>
// CHECK: tt.store %{{.*}} {mlt.row_alignment = 64 : i32, mlt.row_block = 16 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf16>, 3>
// CHECK: tt.make_tensor_ptr {{.*}} {order = array<i32: 0, 1>} : <tensor<16x16xf16>, 3>
// CHECK: tt.load %{{.*}} {mlt.row_alignment = 64 : i32, mlt.row_block = 16 : i32, mlt.row_dim = 0 : i32} : !tt.ptr<tensor<16x16xf16>, 3>
module attributes {mlt.target = "pvc", "ttg.num-warps" = 2 : i32} {
  tt.func public @columns(%b: !tt.ptr<f16>, %n: i64, %s: i64, %x: i32, %a: tensor<8x16xf16>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %c0 = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %pid = tt.get_program_id x : i32
    %shifted = tt.addptr %b, %pid : !tt.ptr<f16>, i32
    %p = tt.make_tensor_ptr %shifted, [%n, %n], [%one, %s], [%c0, %x] {order = array<i32: 0, 1>} : <tensor<16x16xf16>>
    %t = tt.load %p {boundaryCheck = array<i32: 0>, mlt.warp_tiles = array<i64: 1, 1, 1, 1>} : !tt.ptr<tensor<16x16xf16>>
    %d = tt.dot %a, %t, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
    tt.return %d : tensor<8x16xf32>
  }
}

// -----

// Some warps do not get here: each loads what it needs.
// CHECK-LABEL: tt.func public @apart
// CHECK-NOT: mlt.alloc
// CHECK-NOT: mlt.barrier
module attributes {mlt.target = "pvc", "ttg.num-warps" = 2 : i32} {
  tt.func public @apart(%b: !tt.ptr<f16>, %n: i64, %s: i64, %x: i32, %q: !tt.ptr<tensor<16x16xf16>>) {
    %c0 = arith.constant 0 : i32
    %w = mlt.warp_id : i32
    %first = arith.cmpi eq, %w, %c0 : i32
    scf.if %first {
      %p = tt.make_tensor_ptr %b, [%n, %n], [%s, %s], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<16x16xf16>>
      %t = tt.load %p {mlt.warp_tiles = array<i64: 1, 1, 1, 1>} : !tt.ptr<tensor<16x16xf16>>
      tt.store %q, %t {mlt.row_dim = 1 : i32} : !tt.ptr<tensor<16x16xf16>>
    }
    tt.return
  }
}

// -----

// Shared memory is left for as many workgroups as there are registers for: of
// the 32 warps of a core, each may take 4 KiB.
// CHECK-LABEL: tt.func public @large
// CHECK: mlt.alloc {shape = array<i64: 64, 64>} : !tt.ptr<f16, 3>
// CHECK-NOT: mlt.alloc
module attributes {mlt.target = "pvc", "ttg.num-warps" = 2 : i32} {
  tt.func public @large(%b: !tt.ptr<f16>, %n: i64, %s: i64, %x: i32, %q: !tt.ptr<tensor<64x64xf16>>) {
    %c0 = arith.constant 0 : i32
    %p = tt.make_tensor_ptr %b, [%n, %n], [%s, %s], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<64x64xf16>>
    %t = tt.load %p {mlt.warp_tiles = array<i64: 1, 1, 1, 1>} : !tt.ptr<tensor<64x64xf16>>
    %u = tt.load %p {mlt.warp_tiles = array<i64: 1, 1, 1, 1>} : !tt.ptr<tensor<64x64xf16>>
    %v = arith.addf %t, %u : tensor<64x64xf16>
    tt.store %q, %v {mlt.row_dim = 1 : i32} : !tt.ptr<tensor<64x64xf16>>
    tt.return
  }
}
