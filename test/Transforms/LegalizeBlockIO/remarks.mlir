// RUN: mlt-opt %s --split-input-file --legalize-block-io --remarks-filter=block-io --verify-diagnostics -o /dev/null

// Every reason for which an access is no block message.
tt.func public @reasons(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %f: !tt.ptr<f32>, %d: !tt.ptr<f64>, %n: i64, %x: i32, %t: tensor<32x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c33 = arith.constant 33 : i64
  %c3 = arith.constant 3 : i32
  %c64 = arith.constant 64 : i64
  %pid = tt.get_program_id x : i32
  %pl = arith.extsi %pid : i32 to i64

  // A vector is served by messages for single rows, unless it is too short.
  %rank1 = tt.make_tensor_ptr %a, [%n], [%c1], [%c0] {order = array<i32: 0>} : <tensor<64xf16>>
  %v0 = tt.load %rank1 : !tt.ptr<tensor<64xf16>>
  %short1 = tt.make_tensor_ptr %a, [%n], [%c1], [%c0] {order = array<i32: 0>} : <tensor<8xf16>>
  // expected-remark @below {{no 2-D block message: the block has rank 1, expected 2}}
  %v9 = tt.load %short1 : !tt.ptr<tensor<8xf16>>

  %strided = tt.make_tensor_ptr %a, [%n, %n], [%n, %n], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: no dimension has a stride that is known to be 1}}
  %v1 = tt.load %strided : !tt.ptr<tensor<8x16xf16>>

  %wide = tt.make_tensor_ptr %d, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf64>>
  // expected-remark @below {{no 2-D block message: the target has no 2-D block load of 64-bit elements for this use}}
  %v2 = tt.load %wide : !tt.ptr<tensor<8x16xf64>>

  %narrow = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
  // expected-remark @below {{no 2-D block message: a tile of 8x8 is smaller than the 1x16 of a 2-D block load of 16-bit elements}}
  %v3 = tt.load %narrow : !tt.ptr<tensor<8x8xf16>>

  %pitch = tt.make_tensor_ptr %a, [%n, %c33], [%c33, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: width of 66 bytes is not a multiple of 4}}
  %v4 = tt.load %pitch : !tt.ptr<tensor<8x16xf16>>

  %short = tt.make_tensor_ptr %a, [%n, %c16], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: width of 32 bytes is less than 64}}
  %v5 = tt.load %short : !tt.ptr<tensor<8x16xf16>>

  %odd = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%c0, %pid] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: the offset along the contiguous dimension is not known to be a multiple of 2 elements}}
  %v6 = tt.load %odd : !tt.ptr<tensor<8x16xf16>>

  %shifted = tt.addptr %a, %pid : !tt.ptr<f16>, i32
  %base = tt.make_tensor_ptr %shifted, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: the base address is not known to be a multiple of 4 bytes}}
  %v7 = tt.load %base : !tt.ptr<tensor<8x16xf16>>

  %loaded = tt.make_tensor_ptr %f, [%pl, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  // expected-remark @below {{no 2-D block message: the height depends on values that are not known at launch}}
  %v8 = tt.load %loaded : !tt.ptr<tensor<8x16xf32>>

  %slm = mlt.alloc {shape = array<i64: 64, 64>} : !tt.ptr<f32, 3>
  %shared = tt.make_tensor_ptr %slm, [%c64, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>, 3>
  // expected-remark @below {{no 2-D block message: the block is not in global memory}}
  %v10 = tt.load %shared : !tt.ptr<tensor<8x16xf32>, 3>

  %turned = tt.make_tensor_ptr %a, [%n, %n], [%c1, %n], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<32x16xf16>>
  // expected-remark @below {{no 2-D block message: the target has no transposed 2-D block store of 16-bit elements for this use}}
  tt.store %turned, %t : !tt.ptr<tensor<32x16xf16>>
  tt.return
}

// -----

// One access through a pointer takes the others with it, and drops prefetches.
tt.func public @together(%a: !tt.ptr<f16>, %n: i64, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: another access through the pointer is none}}
  %v = tt.load %p : !tt.ptr<tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: 2-D block loads pad with zeros, expected NaN}}
  %w = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
  %q = tt.make_tensor_ptr %a, [%n, %n], [%n, %n], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %s = arith.select %flag, %p, %q : !tt.ptr<tensor<8x16xf16>>
  // expected-remark @below {{no 2-D block message: the block pointer may come from several definitions}}
  %x = tt.load %s : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// -----

module attributes {mlt.target = "pvc", "ttg.num-warps" = 2 : i32} {
  tt.func public @shared(%b: !tt.ptr<f16>, %n: i64, %s: i64, %x: i32, %a: tensor<8x16xf16>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %c0 = arith.constant 0 : i32
    %p = tt.make_tensor_ptr %b, [%n, %n], [%s, %s], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<16x16xf16>>
    // expected-remark @below {{no 2-D block message: no dimension has a stride that is known to be 1}}
    // expected-remark @below {{warps that hold the same tile load a part of it each, and exchange the parts through shared local memory}}
    %t = tt.load %p {mlt.warp_tiles = array<i64: 1, 1, 1, 1>} : !tt.ptr<tensor<16x16xf16>>
    %d = tt.dot %a, %t, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
    tt.return %d : tensor<8x16xf32>
  }
}
