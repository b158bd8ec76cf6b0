// RUN: mlt-opt %s --emulate-intrinsics --canonicalize --cse | %filecheck %s

// Several elements per address: a helper accesses them one after another, and
// orders them as the registers do, the first of all addresses before the second.

module attributes {mlt.target = "pvc"} {

llvm.func spir_funccc @llvm.genx.lsc.load.stateless.v2i32.v1i1.v1i64(vector<1xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<1xi64>, i32) -> vector<2xi32>
llvm.func spir_funccc @llvm.genx.lsc.store.stateless.v1i1.v1i64.v2i32(vector<1xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<1xi64>, vector<2xi32>, i32)
llvm.func spir_funccc @llvm.genx.lsc.load.stateless.v32i32.v16i1.v16i64(vector<16xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<16xi64>, i32) -> vector<32xi32>

// CHECK-LABEL: llvm.func spir_kernelcc @kernel
// CHECK: llvm.call spir_funccc @mlt_gather_32b_x1x2
// CHECK: llvm.call spir_funccc @mlt_scatter_32b_x1x2
// CHECK: llvm.call spir_funccc @mlt_gather_32b_x16x2
llvm.func spir_kernelcc @kernel(%one: vector<1xi1>, %all: vector<16xi1>, %a: vector<1xi64>, %b: vector<16xi64>, %out: !llvm.ptr<1>) attributes {passthrough = ["VCFunction", ["VCSLMSize", "0"]], reqd_work_group_size = array<i32: 1, 1, 1>} {
  %i0 = llvm.mlir.constant(0 : i8) : i8
  %i1 = llvm.mlir.constant(1 : i8) : i8
  %i2 = llvm.mlir.constant(2 : i8) : i8
  %i3 = llvm.mlir.constant(3 : i8) : i8
  %i4 = llvm.mlir.constant(4 : i8) : i8
  %s1 = llvm.mlir.constant(1 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %x = llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v2i32.v1i1.v1i64(%one, %i0, %i0, %i0, %s1, %c0, %i3, %i2, %i2, %i0, %a, %c0) : (vector<1xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<1xi64>, i32) -> vector<2xi32>
  llvm.call spir_funccc @llvm.genx.lsc.store.stateless.v1i1.v1i64.v2i32(%one, %i4, %i0, %i0, %s1, %c0, %i3, %i2, %i2, %i0, %a, %x, %c0) : (vector<1xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<1xi64>, vector<2xi32>, i32) -> ()
  %y = llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v32i32.v16i1.v16i64(%all, %i0, %i0, %i0, %s1, %c0, %i3, %i2, %i1, %i0, %b, %c0) : (vector<16xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<16xi64>, i32) -> vector<32xi32>
  llvm.store %y, %out : vector<32xi32>, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func internal spir_funccc @mlt_gather_32b_x1x2
// CHECK: %[[V0:.*]] = llvm.load
// CHECK: llvm.insertelement %[[V0]], %{{.*}}[%{{.*}}]
// CHECK: %[[V1:.*]] = llvm.load
// CHECK: llvm.insertelement %[[V1]]
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_scatter_32b_x1x2
// CHECK-COUNT-2: llvm.store
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_gather_32b_x16x2
// CHECK-COUNT-32: llvm.load

}
