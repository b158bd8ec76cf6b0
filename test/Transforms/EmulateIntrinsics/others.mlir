// RUN: mlt-opt %s --emulate-intrinsics | %filecheck %s

llvm.func spir_funccc @_Z25__spirv_RoundFToTF32INTELf(f32) -> f32
llvm.func spir_funccc @llvm.genx.GenISA.ftotf32.i32.f32(f32) -> i32
llvm.func spir_funccc @_Z27__spirv_ConvertFToBF16INTELDv8_f(vector<8xf32>) -> vector<8xi16>
llvm.func spir_funccc @_Z27__spirv_ConvertBF16ToFINTELs(i16) -> f32
llvm.func spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(i32, i32, i32)
llvm.func spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(i32, i32, i32)
llvm.func spir_funccc @llvm.genx.GenISA.threadgroupbarrier()
llvm.func spir_funccc @llvm.genx.GenISA.LSCFence(i32, i32, i32)
llvm.func spir_funccc @llvm.genx.GenISA.LSCPrefetch.p1(!llvm.ptr<1>, i32, i32, i32, i32)
llvm.func spir_funccc @_Z27intel_sub_group_block_read8PU3AS1Kj(!llvm.ptr<1>) -> vector<8xi32>
llvm.func spir_funccc @_Z20sub_group_reduce_addf(f32) -> f32

// CHECK-NOT: INTEL
// CHECK-NOT: GenISA

// CHECK-LABEL: llvm.func @conversions
// CHECK-NOT: llvm.call
// CHECK: llvm.bitcast %arg0 : f32 to i32
// CHECK: llvm.mlir.constant(4095 : i32)
// CHECK: llvm.mlir.constant(-8192 : i32)
// CHECK: llvm.bitcast %arg1 : vector<8xf32> to vector<8xi32>
// CHECK: llvm.mlir.constant(dense<32767> : vector<8xi32>)
// CHECK: llvm.trunc %{{.+}} : vector<8xi32> to vector<8xi16>
// CHECK: llvm.zext %arg2 : i16 to i32
// CHECK: llvm.return
llvm.func @conversions(%f: f32, %v: vector<8xf32>, %s: i16) -> !llvm.struct<(f32, i32, vector<8xi16>, f32)> {
  %0 = llvm.call spir_funccc @_Z25__spirv_RoundFToTF32INTELf(%f) : (f32) -> f32
  %1 = llvm.call spir_funccc @llvm.genx.GenISA.ftotf32.i32.f32(%f) : (f32) -> i32
  %2 = llvm.call spir_funccc @_Z27__spirv_ConvertFToBF16INTELDv8_f(%v) : (vector<8xf32>) -> vector<8xi16>
  %3 = llvm.call spir_funccc @_Z27__spirv_ConvertBF16ToFINTELs(%s) : (i16) -> f32
  %4 = llvm.mlir.undef : !llvm.struct<(f32, i32, vector<8xi16>, f32)>
  %5 = llvm.insertvalue %0, %4[0] : !llvm.struct<(f32, i32, vector<8xi16>, f32)>
  %6 = llvm.insertvalue %1, %5[1] : !llvm.struct<(f32, i32, vector<8xi16>, f32)>
  %7 = llvm.insertvalue %2, %6[2] : !llvm.struct<(f32, i32, vector<8xi16>, f32)>
  %8 = llvm.insertvalue %3, %7[3] : !llvm.struct<(f32, i32, vector<8xi16>, f32)>
  llvm.return %8 : !llvm.struct<(f32, i32, vector<8xi16>, f32)>
}

// The arriving half of a barrier is nothing, the waiting half the whole.
// CHECK-LABEL: llvm.func @barriers
// CHECK-NEXT: llvm.mlir.constant(2 : i32)
// CHECK-NEXT: llvm.mlir.constant(264 : i32)
// CHECK: %[[SCOPE:.+]] = llvm.mlir.constant(2 : i32)
// CHECK: %[[SEMANTICS:.+]] = llvm.mlir.constant(776 : i32)
// CHECK: llvm.call spir_funccc @_Z22__spirv_ControlBarrieriii(%[[SCOPE]], %[[SCOPE]], %[[SEMANTICS]])
// CHECK: llvm.call spir_funccc @_Z22__spirv_ControlBarrieriii(
// CHECK: llvm.call spir_funccc @_Z21__spirv_MemoryBarrierii(
// CHECK-NOT: llvm.call
// CHECK: llvm.return
llvm.func @barriers(%p: !llvm.ptr<1>) {
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c264 = llvm.mlir.constant(264 : i32) : i32
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%c2, %c2, %c264) : (i32, i32, i32) -> ()
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%c2, %c2, %c264) : (i32, i32, i32) -> ()
  llvm.call spir_funccc @llvm.genx.GenISA.threadgroupbarrier() : () -> ()
  llvm.call spir_funccc @llvm.genx.GenISA.LSCFence(%c2, %c2, %c2) : (i32, i32, i32) -> ()
  llvm.call spir_funccc @llvm.genx.GenISA.LSCPrefetch.p1(%p, %c2, %c2, %c2, %c2) : (!llvm.ptr<1>, i32, i32, i32, i32) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @stays
// CHECK: llvm.call spir_funccc @mlt_block_read_32b_x8_as1(%arg0)
// CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_addf(%arg1)
llvm.func @stays(%p: !llvm.ptr<1>, %f: f32) -> f32 {
  %0 = llvm.call spir_funccc @_Z27intel_sub_group_block_read8PU3AS1Kj(%p) : (!llvm.ptr<1>) -> vector<8xi32>
  %1 = llvm.call spir_funccc @_Z20sub_group_reduce_addf(%f) : (f32) -> f32
  llvm.store %0, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.return %1 : f32
}

// The portable device resolves functions in a library that stops at 16 elements
// and approximates differently per instruction set.
// CHECK-LABEL: llvm.func @long_vectors
// CHECK: llvm.fadd %arg0, %arg0 {fastmathFlags = #llvm.fastmath<fast>} : vector<64xf32>
// CHECK: %[[S0:.+]] = llvm.shufflevector %{{.+}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<64xf32>
// CHECK: %[[E0:.+]] = llvm.intr.exp2(%[[S0]]) : (vector<16xf32>) -> vector<16xf32>
// CHECK-COUNT-3: llvm.intr.exp2({{.+}}) : (vector<16xf32>) -> vector<16xf32>
// CHECK-NOT: llvm.intr.exp2
// CHECK: %[[L:.+]] = llvm.shufflevector %[[E0]]
// CHECK: llvm.shufflevector %[[L]], %{{.+}} : vector<32xf32>
// CHECK-COUNT-4: llvm.fptrunc %{{.+}} : vector<16xf32> to vector<16xf16>
// CHECK: llvm.intr.sqrt(%arg1) : (vector<16xf32>) -> vector<16xf32>
// CHECK-COUNT-2: llvm.fpext %{{.+}} : vector<{{16|4}}xf16> to vector<{{16|4}}xf32>
llvm.func @long_vectors(%v: vector<64xf32>, %w: vector<16xf32>, %h: vector<20xf16>) -> !llvm.struct<(vector<64xf16>, vector<16xf32>, vector<20xf32>)> {
  %0 = llvm.fadd %v, %v {fastmathFlags = #llvm.fastmath<fast>} : vector<64xf32>
  %1 = llvm.intr.exp2(%0) {fastmathFlags = #llvm.fastmath<fast>} : (vector<64xf32>) -> vector<64xf32>
  %2 = llvm.fptrunc %1 : vector<64xf32> to vector<64xf16>
  %3 = llvm.intr.sqrt(%w) : (vector<16xf32>) -> vector<16xf32>
  %4 = llvm.fpext %h : vector<20xf16> to vector<20xf32>
  %5 = llvm.mlir.undef : !llvm.struct<(vector<64xf16>, vector<16xf32>, vector<20xf32>)>
  %6 = llvm.insertvalue %2, %5[0] : !llvm.struct<(vector<64xf16>, vector<16xf32>, vector<20xf32>)>
  %7 = llvm.insertvalue %3, %6[1] : !llvm.struct<(vector<64xf16>, vector<16xf32>, vector<20xf32>)>
  %8 = llvm.insertvalue %4, %7[2] : !llvm.struct<(vector<64xf16>, vector<16xf32>, vector<20xf32>)>
  llvm.return %8 : !llvm.struct<(vector<64xf16>, vector<16xf32>, vector<20xf32>)>
}
