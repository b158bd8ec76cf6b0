// RUN: mlt-opt %s --emulate-intrinsics -split-input-file -verify-diagnostics

llvm.func spir_funccc @_Z9no_such_fi(i32)
llvm.func @unknown(%i: i32) {
  // expected-error@below {{unknown device function 'no_such_f' (_Z9no_such_fi): it has no meaning on other devices}}
  llvm.call spir_funccc @_Z9no_such_fi(%i) : (i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @helper(i32)
llvm.func @unmangled(%i: i32) {
  // expected-error@below {{unknown device function 'helper'}}
  llvm.call spir_funccc @helper(%i) : (i32) -> ()
  llvm.return
}

// -----

// A name without its parameters resolves to nothing on a device.
llvm.func spir_funccc @_Z16get_sub_group_id() -> i32
llvm.func @incomplete() -> i32 {
  // expected-error@below {{cannot read the mangled name '_Z16get_sub_group_id': expected 16 characters and then parameter types}}
  %0 = llvm.call spir_funccc @_Z16get_sub_group_id() : () -> i32
  llvm.return %0 : i32
}

// -----

llvm.func spir_funccc @_Z20sub_group_reduce_addf(i32) -> i32
llvm.func @signature(%i: i32) -> i32 {
  // expected-error@below {{argument 0 of type 'i32' does not fit the parameter in the name}}
  %0 = llvm.call spir_funccc @_Z20sub_group_reduce_addf(%i) : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func spir_funccc @_Z4exp2Dv64_f(vector<64xf32>) -> vector<64xf32>
llvm.func @overload(%v: vector<64xf32>) -> vector<64xf32> {
  // expected-error@below {{OpenCL has no overload for vectors of 64}}
  %0 = llvm.call spir_funccc @_Z4exp2Dv64_f(%v) : (vector<64xf32>) -> vector<64xf32>
  llvm.return %0 : vector<64xf32>
}

// -----

// Only dwords can be transposed.
llvm.func spir_funccc @_Z52intel_sub_group_2d_block_read_transpose_16b_16r16x1cPU3AS1viiiDv2_iPj(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)
llvm.func @transpose(%a: !llvm.ptr<1>, %i: i32, %xy: vector<2xi32>, %p: !llvm.ptr) {
  // expected-error@below {{the hardware has no block of 16b 16r16x1 transposed: this packing is not available for these elements}}
  llvm.call spir_funccc @_Z52intel_sub_group_2d_block_read_transpose_16b_16r16x1cPU3AS1viiiDv2_iPj(%a, %i, %i, %i, %xy, %p) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @_Z43intel_sub_group_2d_block_write_16b_16r16x1cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)
llvm.func @tall_write(%a: !llvm.ptr<1>, %i: i32, %xy: vector<2xi32>, %p: !llvm.ptr) {
  // expected-error@below {{the hardware has no block of 16b 16r16x1 plain: expected 1 to 8 rows}}
  llvm.call spir_funccc @_Z43intel_sub_group_2d_block_write_16b_16r16x1cPU3AS1viiiDv2_iPt(%a, %i, %i, %i, %xy, %p) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x4cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)
llvm.func @wide_row(%a: !llvm.ptr<1>, %i: i32, %xy: vector<2xi32>, %p: !llvm.ptr) {
  // expected-error@below {{expected 1 to 64 bytes in a row of all blocks}}
  llvm.call spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x4cPU3AS1viiiDv2_iPt(%a, %i, %i, %i, %xy, %p) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  llvm.return
}

// -----

// A VNNI block arrives in dwords (Pj).
llvm.func spir_funccc @_Z52intel_sub_group_2d_block_read_transform_16b_32r16x2cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)
llvm.func @data_type(%a: !llvm.ptr<1>, %i: i32, %xy: vector<2xi32>, %p: !llvm.ptr) {
  // expected-error@below {{expected the parameters of '_Z52intel_sub_group_2d_block_read_transform_16b_32r16x2cPU3AS1viiiDv2_iPj'}}
  llvm.call spir_funccc @_Z52intel_sub_group_2d_block_read_transform_16b_32r16x2cPU3AS1viiiDv2_iPt(%a, %i, %i, %i, %xy, %p) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k32Dv8_sDv8_iDv8_f(vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
llvm.func @wrong_k(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error@below {{expected K = 16 and parameters of scalar codes 's' and 'i'}}
  %0 = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k32Dv8_sDv8_iDv8_f(%a, %b, %c) : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  llvm.return
}

// -----

llvm.func spir_funccc @_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_sDv8_iS0_(vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
llvm.func @wrong_sign(%a: vector<8xi16>, %b: vector<8xi32>) {
  // expected-error@below {{expected K = 32 and parameters of scalar codes 't' and 'j'}}
  %0 = llvm.call spir_funccc @_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_sDv8_iS0_(%a, %b, %b) : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  llvm.return
}

// -----

llvm.func spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv3_sDv8_iDv3_f(vector<3xi16>, vector<8xi32>, vector<3xf32>) -> vector<3xf32>
llvm.func @three_rows(%a: vector<3xi16>, %b: vector<8xi32>, %c: vector<3xf32>) {
  // expected-error@below {{the hardware has no dot of 3 rows}}
  %0 = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv3_sDv8_iDv3_f(%a, %b, %c) : (vector<3xi16>, vector<8xi32>, vector<3xf32>) -> vector<3xf32>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockRaed(i64)
llvm.func @misspelt(%a: i64) {
  // expected-error@below {{no such GenISA intrinsic}}
  llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRaed(%a) : (i64) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1) -> vector<8xi16>
llvm.func @twelve(%a: i64, %i: i32, %b: i1) {
  // expected-error@below {{expected 13 arguments, got 12}}
  %0 = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(%a, %i, %i, %i, %i, %i, %i, %i, %i, %i, %b, %b) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1) -> vector<8xi16>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi16>
llvm.func @not_constant(%a: i64, %i: i32, %b: i1) {
  // expected-error@below {{expected a constant as argument 6 (element bits)}}
  %0 = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(%a, %i, %i, %i, %i, %i, %i, %i, %i, %i, %b, %b, %i) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi16>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi16>
llvm.func @data_size(%a: i64, %i: i32) {
  %false = llvm.mlir.constant(false) : i1
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  // expected-error@below {{expected data of 16 x 'i16' for 16b 16r16x1 plain, got 'vector<8xi16>'}}
  %0 = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(%a, %i, %i, %i, %i, %i, %c16, %c16, %c16, %c1, %false, %false, %c1) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi16>
  llvm.return
}

// -----

// Which precision a code means depends on the compiler generation.
llvm.func spir_funccc @llvm.genx.GenISA.sub.group.dpas(vector<8xf32>, vector<8xi16>, vector<8xi32>, i32, i32, i32, i32, i1) -> vector<8xf32>
llvm.func @generation(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  %false = llvm.mlir.constant(false) : i1
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  // expected-error@below {{the codes of its operands depend on the compiler generation: expected a module attribute 'mlt.genisa_generation' of "old" or "current"}}
  %0 = llvm.call spir_funccc @llvm.genx.GenISA.sub.group.dpas(%c, %a, %b, %c10, %c10, %c8, %c8, %false) : (vector<8xf32>, vector<8xi16>, vector<8xi32>, i32, i32, i32, i32, i1) -> vector<8xf32>
  llvm.return
}

// -----

// Code 10 is f16 on the old generation and tf32 on the current one.
module attributes {mlt.genisa_generation = "current"} {
llvm.func spir_funccc @llvm.genx.GenISA.sub.group.dpas(vector<8xf32>, vector<8xi16>, vector<8xi32>, i32, i32, i32, i32, i1) -> vector<8xf32>
llvm.func @wrong_code(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  %false = llvm.mlir.constant(false) : i1
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c10 = llvm.mlir.constant(10 : i32) : i32
  // expected-error@below {{expected 4 x 'f32' as operand A, got 'vector<8xi16>'}}
  %0 = llvm.call spir_funccc @llvm.genx.GenISA.sub.group.dpas(%c, %a, %b, %c10, %c10, %c8, %c8, %false) : (vector<8xf32>, vector<8xi16>, vector<8xi32>, i32, i32, i32, i32, i1) -> vector<8xf32>
  llvm.return
}
}

// -----

module attributes {mlt.genisa_generation = "old"} {
llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockPrefetch(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32)
llvm.func @old(%a: i64, %i: i32, %b: i1) {
  // expected-error@below {{does not exist in this compiler generation, which would take it for a read}}
  llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockPrefetch(%a, %i, %i, %i, %i, %i, %i, %i, %i, %i, %b, %b, %i) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> ()
  llvm.return
}
}

// -----

llvm.func spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>) -> i32
llvm.func @result(%a: !llvm.ptr<1>, %i: i32, %xy: vector<2xi32>) -> i32 {
  // expected-error@below {{expected no result, got 'i32'}}
  %0 = llvm.call spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(%a, %i, %i, %i, %xy) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>) -> i32
  llvm.return %0 : i32
}

// -----

// expected-error@below {{'_Z19sub_group_broadcastfj' is already something else}}
module {
  llvm.func spir_funccc @_Z19sub_group_broadcastfj(f32) -> f32
}

// -----

llvm.func spir_funccc @llvm.genx.GenISA.nothing(i32)
llvm.func @genisa(%i: i32) {
  // expected-error@below {{unknown device function 'llvm.genx.GenISA.nothing': no such GenISA intrinsic}}
  llvm.call spir_funccc @llvm.genx.GenISA.nothing(%i) : (i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @__builtin_IB_nothing(i32)
llvm.func @internal(%i: i32) {
  // expected-error@below {{unknown device function '__builtin_IB_nothing': it has no meaning on other devices}}
  llvm.call spir_funccc @__builtin_IB_nothing(%i) : (i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @_Zfoo(i32)
llvm.func @no_length(%i: i32) {
  // expected-error@below {{cannot read the mangled name '_Zfoo': expected '_Z' and a length}}
  llvm.call spir_funccc @_Zfoo(%i) : (i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @_Z3fooQ(i32)
llvm.func @no_type(%i: i32) {
  // expected-error@below {{cannot read the mangled name '_Z3fooQ': expected a parameter type at 'Q'}}
  llvm.call spir_funccc @_Z3fooQ(%i) : (i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i32(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi32>
llvm.func @odd_elements(%a: i64, %w: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c24 = llvm.mlir.constant(24 : i32) : i32
  %false = llvm.mlir.constant(false) : i1
  // expected-error@below {{elements are 8, 16, 32 or 64 bits wide}}
  %0 = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i32(%a, %w, %w, %w, %w, %w, %c24, %c16, %c8, %c1, %false, %false, %c1) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi32>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi16>
llvm.func @narrow_data(%a: i64, %w: i32) {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %false = llvm.mlir.constant(false) : i1
  // expected-error@below {{its elements do not fit the data type}}
  %0 = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v8i16(%a, %w, %w, %w, %w, %w, %c32, %c16, %c8, %c1, %false, %false, %c1) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<8xi16>
  llvm.return
}

// -----

llvm.func spir_funccc @_Z42intel_sub_group_2d_block_write_16b_8r16x2cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)
llvm.func @wide_write(%a: !llvm.ptr<1>, %i: i32, %xy: vector<2xi32>, %p: !llvm.ptr) {
  // expected-error@below {{a write has one block}}
  llvm.call spir_funccc @_Z42intel_sub_group_2d_block_write_16b_8r16x2cPU3AS1viiiDv2_iPt(%a, %i, %i, %i, %xy, %p) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  llvm.return
}
