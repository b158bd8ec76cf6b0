// RUN: mlt-opt %s --split-input-file --verify-diagnostics

#a = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerWarp = [64, 32], warpsPerCTA = [1, 2], order = [1, 0]}>
tt.func @warps(%x: tensor<64x64xf32, #a>) {
  // expected-error @+1 {{expected layouts for one number of warps, got 4 and 2}}
  %0 = mlt.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
  tt.return
}

// -----

tt.func @no_layout(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{expected layouts on source and result}}
  %0 = mlt.convert_layout %x : tensor<64x64xf32> -> tensor<64x64xf32>
  tt.return
}

// -----

tt.func @other_shape(%x: tensor<64x64xf32>) {
  // expected-error @+1 {{expected one shape and element type, got 'tensor<64x64xf32>' and 'tensor<64x32xf32>'}}
  %0 = mlt.convert_layout %x : tensor<64x64xf32> -> tensor<64x32xf32>
  tt.return
}

// -----

tt.func @piece_type(%t: tensor<32x32xf16>) {
  // expected-error @+1 {{expected piece and tile of one rank, element type and encoding}}
  %0 = mlt.extract %t[0, 0] : tensor<32x32xf16> to tensor<8x16xbf16>
  tt.return
}

// -----

tt.func @piece_extent(%t: tensor<32x32xf16>) {
  // expected-error @+1 {{expected the extents of 'tensor<8x24xf16>' to divide those of 'tensor<32x32xf16>'}}
  %0 = mlt.extract %t[0, 0] : tensor<32x32xf16> to tensor<8x24xf16>
  tt.return
}

// -----

tt.func @piece_rank(%t: tensor<32x32xf16>) {
  // expected-error @+1 {{expected 2 offsets, got 1}}
  %0 = mlt.extract %t[0] : tensor<32x32xf16> to tensor<8x16xf16>
  tt.return
}

// -----

tt.func @piece_offset(%t: tensor<32x32xf16>) {
  // expected-error @+1 {{expected offsets that are multiples of the piece's extents inside the source, got 4 for a piece of 8 in 32}}
  %0 = mlt.extract %t[4, 0] : tensor<32x32xf16> to tensor<8x16xf16>
  tt.return
}

// -----

tt.func @no_pieces() {
  // expected-error @+1 {{expected at least one piece}}
  %0 = "mlt.glue"() : () -> tensor<8x16xf16>
  tt.return
}

// -----

tt.func @piece_types(%a: tensor<8x16xf16>, %b: tensor<16x8xf16>) {
  // expected-error @+1 {{expected pieces of one type, got 'tensor<8x16xf16>' and 'tensor<16x8xf16>'}}
  %0 = mlt.glue %a, %b : (tensor<8x16xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @piece_count(%a: tensor<8x16xf16>) {
  // expected-error @+1 {{expected 4 pieces of 'tensor<8x16xf16>' for 'tensor<16x32xf16>', got 2}}
  %0 = mlt.glue %a, %a : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<16x32xf16>
  tt.return
}

// -----

tt.func @operand(%a: tensor<8x16xf16>) {
  // expected-error @+1 {{expected a plain tile and one with an '#mlt.operand' encoding}}
  %0 = mlt.convert_operand %a : tensor<8x16xf16> to tensor<8x16xf16>
  tt.return
}

// -----

tt.func @operand_type(%a: tensor<8x16xf16>) {
  // expected-error @+1 {{expected one shape and element type}}
  %0 = mlt.convert_operand %a : tensor<8x16xf16> to tensor<16x16xf16, #mlt.operand<b>>
  tt.return
}

// -----

// expected-error @+1 {{expected operand 'a' or 'b', got 'c'}}
tt.func @operand_name(%a: tensor<8x16xf16, #mlt.operand<c>>) {
  tt.return
}

// -----

tt.func @global_alloc() {
  // expected-error @+1 {{expected a pointer to a scalar type in address space 3 as result, got '!tt.ptr<f16>'}}
  %0 = mlt.alloc {shape = array<i64: 16>} : !tt.ptr<f16>
  tt.return
}

// -----

tt.func @large_alloc() {
  // expected-error @+1 {{expected fewer than 2^31 elements}}
  %0 = mlt.alloc {shape = array<i64: 4294967296, 4294967296>} : !tt.ptr<f16, 3>
  tt.return
}

// -----

tt.func @empty_alloc() {
  // expected-error @+1 {{expected a shape of positive extents}}
  %0 = mlt.alloc {shape = array<i64: 0>} : !tt.ptr<f16, 3>
  tt.return
}

// -----

tt.func @round(%x: tensor<8x8xf16>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f32}}
  %0 = mlt.round_tf32 %x : tensor<8x8xf16>
  tt.return
}

// -----

tt.func @prefetch(%p: tensor<8x8x!tt.ptr<f16>>) {
  // expected-error @+1 {{operand #0 must be pointer to a tensor}}
  mlt.prefetch %p : tensor<8x8x!tt.ptr<f16>>
  tt.return
}

// -----

tt.func @group(%x: tensor<16xf32>) {
  // expected-error @+1 {{expected positive size and stride, got 0 and 1}}
  %0 = mlt.cross_warp_reduce %x size 0 stride 1 {
  ^bb0(%a: f32, %b: f32):
    mlt.yield %a : f32
  } : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @results(%x: tensor<16xf32>) {
  // expected-error @+1 {{expected results of the types of the sources}}
  %0 = mlt.cross_warp_reduce %x size 2 stride 1 {
  ^bb0(%a: f32, %b: f32):
    mlt.yield %a : f32
  } : (tensor<16xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @arguments(%x: tensor<16xf32>) {
  // expected-error @+1 {{expected a region whose block takes the element types of the sources twice}}
  %0 = mlt.cross_warp_reduce %x size 2 stride 1 {
  ^bb0(%a: f32):
    mlt.yield %a : f32
  } : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @yielded(%x: tensor<16xf32>, %i: i32) {
  // expected-error @+1 {{expected 'mlt.yield' of the element types of the sources}}
  %0 = mlt.cross_warp_reduce %x size 2 stride 1 {
  ^bb0(%a: f32, %b: f32):
    mlt.yield %i : i32
  } : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func @prefetch_part(%p: !tt.ptr<tensor<8x32xf16>>) {
  // expected-error @+1 {{expected a part below the number of parts, 2, got 2}}
  mlt.prefetch %p part 2 of 2 : !tt.ptr<tensor<8x32xf16>>
  tt.return
}

// -----

tt.func @prefetch_parts(%p: !tt.ptr<tensor<8x32xf16>>) {
  // expected-error @+1 {{expected a part and the number of parts, or neither}}
  "mlt.prefetch"(%p) {parts = 2 : i32} : (!tt.ptr<tensor<8x32xf16>>) -> ()
  tt.return
}

// -----

tt.func @rows_of_other_type(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{expected a tile of the type pointed to, got 'tensor<64xf32>' and 'f16'}}
  %0 = mlt.load_rows %p : !tt.ptr<f16> -> tensor<64xf32>
  tt.return
}

// -----

tt.func @rows_rank(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{expected a tile of one or two dimensions, got 'tensor<2x4x16xf16>'}}
  %0 = mlt.load_rows %p : !tt.ptr<f16> -> tensor<2x4x16xf16>
  tt.return
}

// -----

tt.func @rows_without_pitch(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{expected a pitch for two dimensions and none for one, got 'tensor<8x16xf16>' without one}}
  %0 = mlt.load_rows %p : !tt.ptr<f16> -> tensor<8x16xf16>
  tt.return
}

// -----

tt.func @row_with_pitch(%p: !tt.ptr<f16>, %pitch: i64, %v: tensor<64xf16>) {
  // expected-error @+1 {{expected a pitch for two dimensions and none for one, got 'tensor<64xf16>' with one}}
  mlt.store_rows %v, %p pitch %pitch : tensor<64xf16>, !tt.ptr<f16>
  tt.return
}

// -----

tt.func @transposed_row(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{expected two dimensions to transpose, which are not packed, got 'tensor<64xf16>'}}
  %0 = mlt.load_rows %p transposed : !tt.ptr<f16> -> tensor<64xf16>
  tt.return
}

// -----

tt.func @rows_in_an_image(%p: !tt.ptr<f16>, %pitch: i64, %v: tensor<16x16xf16, #mlt.operand<b>>) {
  // expected-error @+1 {{expected a plain tile, got 'tensor<16x16xf16, #mlt.operand<b>>'}}
  mlt.store_rows %v, %p pitch %pitch : tensor<16x16xf16, #mlt.operand<b>>, !tt.ptr<f16>
  tt.return
}

// -----

tt.func @rows_behind_a_block_pointer(%p: !tt.ptr<tensor<64xf16>>) {
  // expected-error @+1 {{must be pointer to an element}}
  %0 = mlt.load_rows %p : !tt.ptr<tensor<64xf16>> -> tensor<64xf16>
  tt.return
}

// -----

tt.func @packed_row(%p: !tt.ptr<f16>) {
  // expected-error @+1 {{expected to pack a part of the rows of a tile of two dimensions, got 2 of 'tensor<64xf16>'}}
  %0 = mlt.load_rows %p packed 2 : !tt.ptr<f16> -> tensor<64xf16>
  tt.return
}

// -----

tt.func @too_many_packed(%p: !tt.ptr<f16>, %pitch: i64, %v: tensor<2x16xf16>) {
  // expected-error @+1 {{expected to pack a part of the rows of a tile of two dimensions, got 4 of 'tensor<2x16xf16>'}}
  mlt.store_rows %v, %p pitch %pitch packed 4 : tensor<2x16xf16>, !tt.ptr<f16>
  tt.return
}

// -----

tt.func @packed_columns(%p: !tt.ptr<f16>, %pitch: i64) {
  // expected-error @+1 {{expected two dimensions to transpose, which are not packed, got 'tensor<8x16xf16>'}}
  %0 = mlt.load_rows %p pitch %pitch transposed packed 2 : !tt.ptr<f16> -> tensor<8x16xf16>
  tt.return
}

// -----

tt.func @part_of_other_rank(%p: !tt.ptr<tensor<8x16xf16>>, %i: i32) {
  // expected-error @+1 {{expected 2 offsets, got 1}}
  %0 = mlt.sub_block %p[%i] : !tt.ptr<tensor<8x16xf16>> -> !tt.ptr<tensor<4x16xf16>>
  tt.return
}

// -----

tt.func @part_that_is_larger(%p: !tt.ptr<tensor<8x16xf16>>, %i: i32) {
  // expected-error @+1 {{expected a part of 'tensor<8x16xf16>', got 'tensor<16x8xf16>'}}
  %0 = mlt.sub_block %p[%i, %i] : !tt.ptr<tensor<8x16xf16>> -> !tt.ptr<tensor<16x8xf16>>
  tt.return
}

// -----

tt.func @transposed_vector(%p: !tt.ptr<tensor<8xf16>>, %i: i32) {
  // expected-error @+1 {{expected two dimensions to transpose, got 'tensor<8xf16>'}}
  %0 = mlt.sub_block %p[%i] transposed : !tt.ptr<tensor<8xf16>> -> !tt.ptr<tensor<4xf16>>
  tt.return
}
