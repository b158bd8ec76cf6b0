// RUN: mlt-opt %s --emulate-intrinsics --canonicalize --cse | %filecheck %s

// An element that is masked off is not accessed; shared local memory becomes a
// global that addresses count from.

module attributes {mlt.target = "pvc"} {

llvm.func spir_funccc @llvm.genx.lsc.load.slm.v2i32.v2i1.v2i32(vector<2xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<2xi32>, i32) -> vector<2xi32>
llvm.func spir_funccc @llvm.genx.lsc.store.stateless.v2i1.v2i64.v2i32(vector<2xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<2xi64>, vector<2xi32>, i32)
llvm.func spir_funccc @llvm.genx.rdregioni.v4i32.v2i32.i16(vector<2xi32>, i32, i32, i32, i16, i32) -> vector<4xi32>
llvm.func spir_funccc @llvm.genx.rsqrt.v2f32(vector<2xf32>) -> vector<2xf32>
llvm.func spir_funccc @llvm.genx.fmax.v2f32.v2f32(vector<2xf32>, vector<2xf32>) -> vector<2xf32>
llvm.func spir_funccc @llvm.genx.fmin.v2f32.v2f32(vector<2xf32>, vector<2xf32>) -> vector<2xf32>
llvm.func spir_funccc @llvm.genx.fmax.f32.f32(f32, f32) -> f32
llvm.func spir_funccc @llvm.genx.rndd.v2f32(vector<2xf32>) -> vector<2xf32>
llvm.func spir_funccc @llvm.genx.rndu.v2f32(vector<2xf32>) -> vector<2xf32>
llvm.func spir_funccc @llvm.genx.rndz.v2f32(vector<2xf32>) -> vector<2xf32>
llvm.func spir_funccc @llvm.genx.rnde.v2f32(vector<2xf32>) -> vector<2xf32>

// CHECK: llvm.mlir.global internal @kernel_slm() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<64 x i8>
// CHECK-LABEL: llvm.func spir_kernelcc @kernel
// CHECK: %[[SLM:.*]] = llvm.mlir.addressof @kernel_slm : !llvm.ptr<3>
// CHECK: %[[X:.*]] = llvm.call spir_funccc @mlt_gather_16b_x2_slm(%{{.*}}, %{{.*}}, %[[SLM]])
// CHECK: llvm.call spir_funccc @mlt_scatter_8b_x2(%{{.*}}, %{{.*}}, %[[X]])
// CHECK: llvm.shufflevector %[[X]], %{{.*}} [0, 0, 1, 1] : vector<2xi32>
// CHECK: %[[ROOT:.*]] = llvm.intr.sqrt
// CHECK: llvm.fdiv %{{.*}}, %[[ROOT]]
llvm.func spir_kernelcc @kernel(%mask: vector<2xi1>, %a: vector<2xi32>, %w: vector<2xi64>, %f: vector<2xf32>, %out: !llvm.ptr<1>) attributes {passthrough = ["VCFunction", ["VCSLMSize", "64"]], reqd_work_group_size = array<i32: 1, 1, 1>} {
  %i0 = llvm.mlir.constant(0 : i8) : i8
  %i1 = llvm.mlir.constant(1 : i8) : i8
  %i4 = llvm.mlir.constant(4 : i8) : i8
  %i5 = llvm.mlir.constant(5 : i8) : i8
  %i6 = llvm.mlir.constant(6 : i8) : i8
  %s0 = llvm.mlir.constant(0 : i16) : i16
  %s1 = llvm.mlir.constant(1 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.call spir_funccc @llvm.genx.lsc.load.slm.v2i32.v2i1.v2i32(%mask, %i0, %i0, %i0, %s1, %c0, %i6, %i1, %i1, %i0, %a, %c0) : (vector<2xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<2xi32>, i32) -> vector<2xi32>
  llvm.call spir_funccc @llvm.genx.lsc.store.stateless.v2i1.v2i64.v2i32(%mask, %i4, %i0, %i0, %s1, %c0, %i5, %i1, %i1, %i0, %w, %x, %c0) : (vector<2xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<2xi64>, vector<2xi32>, i32) -> ()
  %r = llvm.call spir_funccc @llvm.genx.rdregioni.v4i32.v2i32.i16(%x, %c1, %c2, %c0, %s0, %c0) : (vector<2xi32>, i32, i32, i32, i16, i32) -> vector<4xi32>
  llvm.store %r, %out : vector<4xi32>, !llvm.ptr<1>
  %q = llvm.call spir_funccc @llvm.genx.rsqrt.v2f32(%f) : (vector<2xf32>) -> vector<2xf32>
  llvm.store %q, %out : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}

// Of a number and NaN the number, as the instructions give it; halves go to the
// even neighbour.
// CHECK-LABEL: llvm.func @numbers
// CHECK-SAME: (%[[A:[^:]*]]: vector<2xf32>, %[[B:[^:]*]]: vector<2xf32>, %[[S:[^:]*]]: f32,
// CHECK: %[[MAX:.*]] = llvm.intr.maxnum(%[[A]], %[[B]]) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
// CHECK: llvm.intr.minnum(%[[MAX]], %[[B]]) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
// CHECK: llvm.intr.maxnum(%[[S]], %{{.*}}) : (f32, f32) -> f32
// CHECK: llvm.intr.floor
// CHECK: llvm.intr.ceil
// CHECK: llvm.intr.trunc
// CHECK: llvm.intr.rint
llvm.func @numbers(%a: vector<2xf32>, %b: vector<2xf32>, %s: f32, %out: !llvm.ptr<1>) {
  %max = llvm.call spir_funccc @llvm.genx.fmax.v2f32.v2f32(%a, %b) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  %min = llvm.call spir_funccc @llvm.genx.fmin.v2f32.v2f32(%max, %b) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  %one = llvm.mlir.constant(1.0 : f32) : f32
  %t = llvm.call spir_funccc @llvm.genx.fmax.f32.f32(%s, %one) : (f32, f32) -> f32
  %d = llvm.call spir_funccc @llvm.genx.rndd.v2f32(%min) : (vector<2xf32>) -> vector<2xf32>
  %u = llvm.call spir_funccc @llvm.genx.rndu.v2f32(%d) : (vector<2xf32>) -> vector<2xf32>
  %z = llvm.call spir_funccc @llvm.genx.rndz.v2f32(%u) : (vector<2xf32>) -> vector<2xf32>
  %e = llvm.call spir_funccc @llvm.genx.rnde.v2f32(%z) : (vector<2xf32>) -> vector<2xf32>
  llvm.store %e, %out : vector<2xf32>, !llvm.ptr<1>
  llvm.store %t, %out : f32, !llvm.ptr<1>
  llvm.return
}
}

// CHECK-LABEL: llvm.func internal spir_funccc @mlt_gather_16b_x2_slm
// CHECK: llvm.cond_br
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i16
// CHECK: llvm.zext %{{.*}} : i16 to i32
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_scatter_8b_x2
// CHECK: llvm.cond_br
// CHECK: llvm.store %{{.*}}, %{{.*}} : i8, !llvm.ptr<1>
