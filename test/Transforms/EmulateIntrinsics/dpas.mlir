// RUN: mlt-opt %s --emulate-intrinsics --canonicalize --cse | %filecheck %s

// One helper for a dot, whatever it is called; arguments in one order.

module attributes {mlt.target = "pvc", mlt.genisa_generation = "current"} {

llvm.func spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
llvm.func spir_funccc @llvm.genx.GenISA.sub.group.dpas.v8f32.v8i16.v8i32(vector<8xf32>, vector<8xi16>, vector<8xi32>, i32, i32, i32, i32, i1) -> vector<8xf32>
llvm.func spir_funccc @__builtin_IB_sub_group16_fdpas_f_f_hf_hf_8_8(vector<8xf32>, vector<8xi16>, vector<8xi32>) -> vector<8xf32>
llvm.func spir_funccc @_Z36intel_sub_group_i8_u8_matrix_mad_k32sDv8_ji(i16, vector<8xi32>, i32) -> i32

// CHECK-LABEL: llvm.func @names
// CHECK: %[[D:.+]] = llvm.call spir_funccc @mlt_dpas_f16_f16_f32_m8(%arg2, %arg0, %arg1)
// CHECK: %[[E:.+]] = llvm.call spir_funccc @mlt_dpas_f16_f16_f32_m8(%[[D]], %arg0, %arg1)
// CHECK: %[[F:.+]] = llvm.call spir_funccc @mlt_dpas_f16_f16_f32_m8(%[[E]], %arg0, %arg1)
// CHECK: llvm.call spir_funccc @mlt_dpas_bf16_bf16_f32_m8(%[[F]], %arg0, %arg1)
llvm.func @names(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) -> vector<8xf32> {
  %false = llvm.mlir.constant(false) : i1
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %f16 = llvm.mlir.constant(12 : i32) : i32
  %bf16 = llvm.mlir.constant(11 : i32) : i32
  %0 = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%a, %b, %c) : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %1 = llvm.call spir_funccc @llvm.genx.GenISA.sub.group.dpas.v8f32.v8i16.v8i32(%0, %a, %b, %f16, %f16, %c8, %c8, %false) : (vector<8xf32>, vector<8xi16>, vector<8xi32>, i32, i32, i32, i32, i1) -> vector<8xf32>
  %2 = llvm.call spir_funccc @__builtin_IB_sub_group16_fdpas_f_f_hf_hf_8_8(%1, %a, %b) : (vector<8xf32>, vector<8xi16>, vector<8xi32>) -> vector<8xf32>
  %3 = llvm.call spir_funccc @llvm.genx.GenISA.sub.group.dpas.v8f32.v8i16.v8i32(%2, %a, %b, %bf16, %bf16, %c8, %c8, %false) : (vector<8xf32>, vector<8xi16>, vector<8xi32>, i32, i32, i32, i32, i1) -> vector<8xf32>
  llvm.return %3 : vector<8xf32>
}

// CHECK-LABEL: llvm.func @one_row
// CHECK: llvm.call spir_funccc @mlt_dpas_s8_u8_s32_m1(%arg2, %arg0, %arg1) {{.+}} : (i32, i16, vector<8xi32>) -> i32
llvm.func @one_row(%a: i16, %b: vector<8xi32>, %c: i32) -> i32 {
  %0 = llvm.call spir_funccc @_Z36intel_sub_group_i8_u8_matrix_mad_k32sDv8_ji(%a, %b, %c) : (i16, vector<8xi32>, i32) -> i32
  llvm.return %0 : i32
}
}

// 8 rows x 16 products, in f32, each with an element of A from another lane.
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_dpas_f16_f16_f32_m8
// CHECK-SAME: no_inline
// CHECK: llvm.bitcast %{{.+}} : i16 to f16
// CHECK: llvm.fpext %{{.+}} : f16 to f32
// CHECK: llvm.call spir_funccc @_Z19sub_group_broadcastfj(
// CHECK-COUNT-127: llvm.intr.fma
// CHECK: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: llvm.return

// CHECK-LABEL: llvm.func internal spir_funccc @mlt_dpas_bf16_bf16_f32_m8
// CHECK: llvm.zext %{{.+}} : i16 to i32
// CHECK: llvm.shl
// CHECK: llvm.bitcast %{{.+}} : i32 to f32

// Signs come from the name: A is extended with its sign, B with zeros.
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_dpas_s8_u8_s32_m1
// CHECK: llvm.zext %{{.+}} : i8 to i32
// CHECK: llvm.call spir_funccc @_Z19sub_group_broadcastij(
// CHECK: llvm.sext %{{.+}} : i8 to i32
// CHECK: llvm.mul
// CHECK: llvm.add
