// RUN: mlt-opt %s --emulate-intrinsics --canonicalize --cse | %filecheck %s

// Intrinsics of the vector backend work on whole register images: one work-item
// is a warp, and helpers take the same big vectors.

module attributes {mlt.target = "pvc"} {

llvm.func spir_funccc @llvm.genx.group.id.y() -> i32
llvm.func spir_funccc @llvm.genx.local.id.v3i32() -> vector<3xi32>
llvm.func spir_funccc @llvm.genx.lsc.load2d.stateless.v64i32.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<64xi32>
llvm.func spir_funccc @llvm.genx.dpas2.v128f32.v128f32.v128i32.v64i32(vector<128xf32>, vector<128xi32>, vector<64xi32>, i32, i32, i32, i32, i32, i32) -> vector<128xf32>
llvm.func spir_funccc @llvm.genx.barrier()
llvm.func spir_funccc @llvm.genx.sbarrier(i8)
llvm.func spir_funccc @llvm.genx.bf.cvt.v16f16.v16f32(vector<16xf32>) -> vector<16xf16>

// CHECK-LABEL: llvm.func spir_kernelcc @kernel
// CHECK-SAME: intel_reqd_sub_group_size = 1 : i32
// CHECK-NOT: passthrough
// CHECK: llvm.call spir_funccc @_Z12get_group_idj
// CHECK: llvm.call spir_funccc @_Z12get_local_idj
// CHECK: %[[A:.*]] = llvm.call spir_funccc @mlt_block_read_{{.*}} -> vector<64xi32>
// CHECK: llvm.call spir_funccc @mlt_dpas_f16_f16_f32_m8_flat(%{{.*}}, %[[A]], %{{.*}}) {{.*}} : (vector<128xf32>, vector<64xi32>, vector<128xi32>) -> vector<128xf32>
// CHECK: llvm.call spir_funccc @_Z22__spirv_ControlBarrieriii
// CHECK: llvm.call spir_funccc @_Z22__spirv_ControlBarrieriii
// CHECK-NOT: llvm.genx
llvm.func spir_kernelcc @kernel(%out: !llvm.ptr<1>, %base: i64, %b: vector<128xi32>, %c: vector<128xf32>, %f: vector<16xf32>) attributes {passthrough = ["VCFunction"], reqd_work_group_size = array<i32: 4, 1, 1>} {
  %true = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %zero = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %w = llvm.mlir.constant(16 : i16) : i16
  %h = llvm.mlir.constant(8 : i16) : i16
  %f16 = llvm.mlir.constant(10 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c1023 = llvm.mlir.constant(1023 : i32) : i32
  %y = llvm.call spir_funccc @llvm.genx.group.id.y() : () -> i32
  %ids = llvm.call spir_funccc @llvm.genx.local.id.v3i32() : () -> vector<3xi32>
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %x = llvm.extractelement %ids[%i0 : i32] : vector<3xi32>
  %bf = llvm.call spir_funccc @llvm.genx.bf.cvt.v16f16.v16f32(%f) : (vector<16xf32>) -> vector<16xf16>
  llvm.store %bf, %out : vector<16xf16>, !llvm.ptr<1>
  %a = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v64i32.v1i1.i64(%true, %zero, %zero, %two, %one, %one, %w, %h, %zero, %base, %c1023, %c1023, %c1023, %x, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<64xi32>
  %d = llvm.call spir_funccc @llvm.genx.dpas2.v128f32.v128f32.v128i32.v64i32(%c, %b, %a, %f16, %f16, %c8, %c8, %c1, %c1) : (vector<128xf32>, vector<128xi32>, vector<64xi32>, i32, i32, i32, i32, i32, i32) -> vector<128xf32>
  llvm.store %d, %out : vector<128xf32>, !llvm.ptr<1>
  llvm.call spir_funccc @llvm.genx.barrier() : () -> ()
  llvm.call spir_funccc @llvm.genx.sbarrier(%one) : (i8) -> ()
  llvm.call spir_funccc @llvm.genx.sbarrier(%zero) : (i8) -> ()
  llvm.return
}
}

// CHECK-LABEL: llvm.func internal spir_funccc @mlt_block_read_
// CHECK: llvm.alloca
// CHECK: llvm.cond_br
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i16

// A row of 16 columns is one vector; an element of A is spread over it.
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_dpas_f16_f16_f32_m8_flat
// CHECK-COUNT-128: llvm.intr.fma({{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK-NOT: llvm.intr.fma
