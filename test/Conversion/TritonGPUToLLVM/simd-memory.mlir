// RUN: mlt-opt %s --convert-tritongpu-to-llvm="style=simd interface=vc" | %filecheck %s

// Tiles of pointers are accessed by messages of 16 addresses each, predicated by
// the mask; reductions are trees over halves of the tile.

module attributes {"ttg.num-warps" = 4 : i32, mlt.target = "pvc"} {

// CHECK-LABEL: llvm.func spir_kernelcc @masked
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v16i32.v16i1.v16i64(%[[M0:[0-9]+]], {{.*}}) {{.*}} : (vector<16xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<16xi64>, i32) -> vector<16xi32>
// CHECK: llvm.trunc %{{.*}} : vector<16xi32> to vector<16xi16>
// CHECK: llvm.select %[[M0]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xf16>
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v16i32.v16i1.v16i64
// CHECK-COUNT-2: llvm.call spir_funccc @llvm.genx.lsc.store.stateless.v16i1.v16i64.v16i32
// CHECK-NOT: llvm.call
// CHECK: llvm.return
tt.func public @masked(%p: !tt.ptr<f16>, %n: i32) {
  %range = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %limit = tt.splat %n : i32 -> tensor<32xi32>
  %mask = arith.cmpi slt, %range, %limit : tensor<32xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
  %ptrs = tt.addptr %base, %range : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
  %other = arith.constant dense<1.0> : tensor<32xf16>
  %x = tt.load %ptrs, %mask, %other : tensor<32x!tt.ptr<f16>>
  tt.store %ptrs, %x, %mask : tensor<32x!tt.ptr<f16>>
  tt.return
}

// Shared local memory has 32-bit addresses from 0 and no global.
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: llvm.func spir_kernelcc @shared
// CHECK-SAME: ["VCSLMSize", "64"]
// CHECK: llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<3>
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.store.slm.v16i1.v16i32.v16i32
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.fence.v1i1
// CHECK-NEXT: llvm.call spir_funccc @llvm.genx.barrier()
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.load.slm.v16i32.v16i1.v16i32
tt.func public @shared(%out: !tt.ptr<i32>) {
  %slm = mlt.alloc {shape = array<i64: 16>} : !tt.ptr<i32, 3>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %base = tt.splat %slm : !tt.ptr<i32, 3> -> tensor<16x!tt.ptr<i32, 3>>
  %ptrs = tt.addptr %base, %range : tensor<16x!tt.ptr<i32, 3>>, tensor<16xi32>
  tt.store %ptrs, %range : tensor<16x!tt.ptr<i32, 3>>
  mlt.barrier
  %x = tt.load %ptrs : tensor<16x!tt.ptr<i32, 3>>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  tt.store %outs, %x : tensor<16x!tt.ptr<i32>>
  tt.return
}

// What lies between the halves of a barrier is done while others are waited for.
// CHECK-LABEL: llvm.func spir_kernelcc @halves
// CHECK-DAG: %[[SIGNAL:.*]] = llvm.mlir.constant(1 : i8) : i8
// CHECK-DAG: %[[WAIT:.*]] = llvm.mlir.constant(0 : i8) : i8
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.store.slm
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.fence.v1i1
// CHECK-NEXT: llvm.call spir_funccc @llvm.genx.sbarrier(%[[SIGNAL]])
// CHECK: llvm.add
// CHECK: llvm.call spir_funccc @llvm.genx.sbarrier(%[[WAIT]])
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.load.slm
tt.func public @halves(%out: !tt.ptr<i32>) {
  %slm = mlt.alloc {shape = array<i64: 16>} : !tt.ptr<i32, 3>
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %base = tt.splat %slm : !tt.ptr<i32, 3> -> tensor<16x!tt.ptr<i32, 3>>
  %ptrs = tt.addptr %base, %range : tensor<16x!tt.ptr<i32, 3>>, tensor<16xi32>
  tt.store %ptrs, %range : tensor<16x!tt.ptr<i32, 3>>
  mlt.barrier_arrive
  %own = arith.addi %range, %range : tensor<16xi32>
  mlt.barrier_wait
  %x = tt.load %ptrs : tensor<16x!tt.ptr<i32, 3>>
  %y = arith.addi %x, %own : tensor<16xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  tt.store %outs, %y : tensor<16x!tt.ptr<i32>>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @atomics
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.fence.v1i1
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.xatomic.stateless.v16f32.v16i1.v16i64
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.fence.v1i1
tt.func public @atomics(%p: !tt.ptr<f32>, %f: f32) {
  %ptrs = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %x = tt.splat %f : f32 -> tensor<16xf32>
  %old = tt.atomic_rmw fadd, acq_rel, gpu, %ptrs, %x : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// 16 bits: a loop around compare-and-exchange of the dword, by a message too.
// CHECK-LABEL: llvm.func spir_kernelcc @half_word
// CHECK: ^{{.*}}(%[[WORD:[0-9]+]]: i32{{.*}}):
// CHECK: %[[NEXT:[0-9]+]] = llvm.or %{{.*}} : i32
// CHECK: %[[EXPECTED:[0-9]+]] = llvm.insertelement %[[WORD]], %{{.*}} : vector<1xi32>
// CHECK: %[[NEW:[0-9]+]] = llvm.insertelement %[[NEXT]], %{{.*}} : vector<1xi32>
// CHECK: %[[OLD:[0-9]+]] = llvm.call spir_funccc @llvm.genx.lsc.xatomic.stateless.v1i32.v1i1.v1i64({{.*}}, %[[EXPECTED]], %[[NEW]], {{.*}})
// CHECK: %[[FOUND:[0-9]+]] = llvm.extractelement %[[OLD]]
// CHECK: %[[OTHER:[0-9]+]] = llvm.icmp "ne" %[[FOUND]], %[[WORD]] : i32
// CHECK: llvm.cond_br %[[OTHER]]
tt.func public @half_word(%p: !tt.ptr<f16>, %f: f16) {
  %old = tt.atomic_rmw fadd, relaxed, gpu, %p, %f : (!tt.ptr<f16>, f16) -> f16
  tt.return
}

// Rows of 16: halves of each row are regions, and so is a row's value spread
// over the row again.
// CHECK-LABEL: llvm.func spir_kernelcc @row_maximum
// CHECK: llvm.call spir_funccc @llvm.genx.rdregionf.v64f32.v128f32.i16
// CHECK: llvm.call spir_funccc @llvm.genx.fmax.v64f32.v64f32(
// CHECK: llvm.call spir_funccc @llvm.genx.fmax.v8f32.v8f32(
// CHECK: llvm.call spir_funccc @llvm.genx.rdregionf.v128f32.v8f32.i16
// CHECK: llvm.call spir_funccc @llvm.genx.exp.v128f32(
tt.func public @row_maximum(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %pa = tt.make_tensor_ptr %in, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %pb = tt.make_tensor_ptr %out, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %x = tt.load %pa : !tt.ptr<tensor<8x16xf32>>
  %m = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.maxnumf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<8x16xf32>) -> tensor<8xf32>
  %column = tt.expand_dims %m {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  %rows = tt.broadcast %column : tensor<8x1xf32> -> tensor<8x16xf32>
  %d = arith.subf %x, %rows : tensor<8x16xf32>
  %e = math.exp2 %d : tensor<8x16xf32>
  tt.store %pb, %e : !tt.ptr<tensor<8x16xf32>>
  tt.return
}
}
