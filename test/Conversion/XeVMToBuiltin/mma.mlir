// RUN: mlt-opt %s --convert-xevm-to-builtin | %filecheck %s

// CHECK-LABEL: llvm.func @types
llvm.func @types(%h: vector<8xi16>, %b: vector<8xi32>, %ta: vector<4xf32>, %tb: vector<8xf32>, %f: vector<8xf32>, %ha: vector<8xf16>, %i: vector<8xi32>) {
  // CHECK: @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%arg0, %arg1, %arg4)
  %0 = xevm.mma %h, %b, %f {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  // CHECK: @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_Dh(%arg0, %arg1, %arg5)
  %1 = xevm.mma %h, %b, %ha {shape = <m = 8, n = 16, k = 16>, types = <d = f16, a = f16, b = f16, c = f16>} : (vector<8xi16>, vector<8xi32>, vector<8xf16>) -> vector<8xf16>
  // A bf16 accumulator is i16, the same type as A.
  // CHECK: @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iS_(%arg0, %arg1, %arg0)
  %2 = xevm.mma %h, %b, %h {shape = <m = 8, n = 16, k = 16>, types = <d = bf16, a = bf16, b = bf16, c = bf16>} : (vector<8xi16>, vector<8xi32>, vector<8xi16>) -> vector<8xi16>
  // CHECK: @_Z39intel_sub_group_tf32_tf32_matrix_mad_k8Dv4_fDv8_fS0_(%arg2, %arg3, %arg4)
  %3 = xevm.mma %ta, %tb, %f {shape = <m = 8, n = 16, k = 8>, types = <d = f32, a = tf32, b = tf32, c = f32>} : (vector<4xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
  // Unsigned operands are mangled as unsigned, and signedness may be mixed.
  // CHECK: @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_(%arg0, %arg1, %arg6)
  %4 = xevm.mma %h, %b, %i {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = s8, b = s8, c = s32>} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  // CHECK: @_Z36intel_sub_group_u8_u8_matrix_mad_k32Dv8_tDv8_jDv8_i(%arg0, %arg1, %arg6)
  %5 = xevm.mma %h, %b, %i {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = u8, b = u8, c = s32>} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  // CHECK: @_Z36intel_sub_group_u8_i8_matrix_mad_k32Dv8_tDv8_iS0_(
  %6 = xevm.mma %h, %b, %i {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = u8, b = s8, c = s32>} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  // CHECK: @_Z36intel_sub_group_i8_u8_matrix_mad_k32Dv8_sDv8_jDv8_i(
  %7 = xevm.mma %h, %b, %i {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = s8, b = u8, c = s32>} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  // Without an accumulator: zero.
  // CHECK: %[[ZERO:.+]] = llvm.mlir.zero : vector<8xf32>
  // CHECK: @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%arg0, %arg1, %[[ZERO]])
  %8 = xevm.mma %h, %b {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16>} : (vector<8xi16>, vector<8xi32>) -> vector<8xf32>
  llvm.return
}

// One row: scalars.
// CHECK-LABEL: llvm.func @one_row
// CHECK: %[[A:.+]] = llvm.extractelement %arg0
// CHECK: %[[C:.+]] = llvm.extractelement %arg2
// CHECK: %[[D:.+]] = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_if(%[[A]], %arg1, %[[C]])
// CHECK: llvm.bitcast %[[D]] : f32 to vector<1xf32>
llvm.func @one_row(%a: vector<1xi16>, %b: vector<8xi32>, %c: vector<1xf32>) -> vector<1xf32> {
  %0 = xevm.mma %a, %b, %c {shape = <m = 1, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<1xi16>, vector<8xi32>, vector<1xf32>) -> vector<1xf32>
  llvm.return %0 : vector<1xf32>
}

// Two rows of tf32 lie in one register of A.
// CHECK-LABEL: llvm.func @two_rows
// CHECK: @_Z39intel_sub_group_tf32_tf32_matrix_mad_k8fDv8_fDv2_f(
llvm.func @two_rows(%a: vector<1xf32>, %b: vector<8xf32>, %c: vector<2xf32>) -> vector<2xf32> {
  %0 = xevm.mma %a, %b, %c {shape = <m = 2, n = 16, k = 8>, types = <d = f32, a = tf32, b = tf32, c = f32>} : (vector<1xf32>, vector<8xf32>, vector<2xf32>) -> vector<2xf32>
  llvm.return %0 : vector<2xf32>
}
