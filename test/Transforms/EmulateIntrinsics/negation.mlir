// RUN: mlt-opt %s --emulate-intrinsics | %filecheck %s

llvm.func spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(i32, i32, i32)

// Exact for zeros too: -(+0) is (+0 * -1) + -0.
// CHECK-LABEL: llvm.func spir_kernelcc @exchange
// CHECK-NOT: fneg
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(-1.000000e+00 : f32)
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(-0.000000e+00 : f32)
// CHECK: llvm.intr.fma(%arg1, %[[ONE]], %[[ZERO]]) : (f32, f32, f32) -> f32
// CHECK: ControlBarrier
// Long vectors in pieces of 16.
// CHECK: llvm.intr.fma({{.*}}) : (vector<16xf16>, vector<16xf16>, vector<16xf16>) -> vector<16xf16>
// CHECK: llvm.intr.fma({{.*}}) : (vector<16xf16>, vector<16xf16>, vector<16xf16>) -> vector<16xf16>
llvm.func spir_kernelcc @exchange(%p: !llvm.ptr<1>, %x: f32, %v: vector<32xf16>) {
  %c = llvm.mlir.constant(2 : i32) : i32
  %n = llvm.fneg %x : f32
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%c, %c, %c) : (i32, i32, i32) -> ()
  llvm.store %n, %p : f32, !llvm.ptr<1>
  %w = llvm.fneg %v : vector<32xf16>
  llvm.store %w, %p : vector<32xf16>, !llvm.ptr<1>
  llvm.return
}

// Nothing waits here.
// CHECK-LABEL: llvm.func spir_kernelcc @alone
// CHECK: llvm.fneg %arg1 : f32
llvm.func spir_kernelcc @alone(%p: !llvm.ptr<1>, %x: f32) {
  %n = llvm.fneg %x : f32
  llvm.store %n, %p : f32, !llvm.ptr<1>
  llvm.return
}
