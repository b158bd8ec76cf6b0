// RUN: mlt-opt %s --convert-tritongpu-to-llvm="style=simd interface=vc" | %filecheck %s

// In style simd a warp is one work-item and a piece of a tile one flat vector:
// messages and dots are the vector backend's, and a piece of a loaded tile is a
// register region.

module attributes {"ttg.num-warps" = 32 : i32, mlt.target = "pvc"} {

// CHECK-LABEL: llvm.func spir_kernelcc @gemm
// CHECK-SAME: sub_group_size = 1 : i32
// CHECK-SAME: passthrough = ["VCFunction", ["VCNamedBarrierCount", "0"], ["VCSLMSize", "0"]]
// CHECK-SAME: reqd_work_group_size = array<i32: 32, 1, 1>
// CHECK-DAG: llvm.call spir_funccc @llvm.genx.local.id.v3i32()
// CHECK-DAG: llvm.call spir_funccc @llvm.genx.group.id.x()
// CHECK: ^[[HEAD:.*]](%{{.*}}: i32, %[[ACC:.*]]: vector<128xf32>, %{{.*}}: i32, %{{.*}}: i32):
// CHECK: %[[A:.*]] = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64({{.*}}) {{.*}} : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
// CHECK: %[[HALVES:.*]] = llvm.bitcast %[[A]] : vector<512xi32> to vector<1024xf16>
// CHECK: %[[B:.*]] = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64
// CHECK: llvm.shufflevector %[[HALVES]], %{{.*}} [0, 1, 2, {{.*}}, 127] : vector<1024xf16>
// CHECK: %[[PIECE:.*]] = llvm.bitcast %{{.*}} : vector<128xf16> to vector<64xi32>
// CHECK: %[[D:.*]] = llvm.call spir_funccc @llvm.genx.dpas2.v128f32.v128f32.v128i32.v64i32(%[[ACC]], %{{.*}}, %[[PIECE]], %[[F16:.*]], %[[F16]], %{{.*}}) {{.*}} : (vector<128xf32>, vector<128xi32>, vector<64xi32>, i32, i32, i32, i32, i32, i32) -> vector<128xf32>
// CHECK: llvm.br ^[[HEAD]](%{{.*}}, %[[D]], %{{.*}}
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.store2d.stateless.v1i1.i64.v128i32({{.*}}) {{.*}}, i32, vector<128xi32>) -> ()
// CHECK-NEXT: llvm.return
tt.func public @gemm(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %warp = mlt.warp_id : i32
  %pm = tt.get_program_id x : i32
  %m64 = arith.extsi %m : i32 to i64
  %n64 = arith.extsi %n : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %om = arith.muli %pm, %c32 : i32
  %on = arith.muli %warp, %c32 : i32
  %pa = tt.make_tensor_ptr %a, [%m64, %k64], [%k64, %c1], [%om, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %pb = tt.make_tensor_ptr %b, [%k64, %n64], [%n64, %c1], [%c0, %on] {order = array<i32: 1, 0>} : <tensor<32x32xf16, #mlt.operand<b>>>
  %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero, %qa = %pa, %qb = %pb) -> (tensor<8x16xf32>, !tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x32xf16, #mlt.operand<b>>>) : i32 {
    %ta = tt.load %qa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xf16>>
    %tb = tt.load %qb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xf16, #mlt.operand<b>>>
    %xa = mlt.extract %ta [0, 0] : tensor<32x32xf16> to tensor<8x16xf16>
    %xb = mlt.extract %tb [16, 16] : tensor<32x32xf16, #mlt.operand<b>> to tensor<16x16xf16, #mlt.operand<b>>
    %d = tt.dot %xa, %xb, %acc : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
    %na = tt.advance %qa, [%c0, %c32] : <tensor<32x32xf16>>
    %nb = tt.advance %qb, [%c32, %c0] : <tensor<32x32xf16, #mlt.operand<b>>>
    scf.yield %d, %na, %nb : tensor<8x16xf32>, !tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x32xf16, #mlt.operand<b>>>
  }
  %pc = tt.make_tensor_ptr %c, [%m64, %n64], [%n64, %c1], [%om, %on] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  tt.store %pc, %r#0 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// A block whose rows fill no register is padded in the message, not in the tile.
// CHECK-LABEL: llvm.func spir_kernelcc @one_row
// CHECK: %[[DATA:.*]] = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v16i32.v1i1.i64
// CHECK: %[[ALL:.*]] = llvm.bitcast %[[DATA]] : vector<16xi32> to vector<32xi16>
// CHECK: llvm.shufflevector %[[ALL]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<32xi16>
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.prefetch2d.stateless.v1i1.i64
tt.func public @one_row(%p: !tt.ptr<f16>, %out: !tt.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %pa = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<1x16xf16>>
  %pb = tt.make_tensor_ptr %out, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<1x16xf16>>
  %x = tt.load %pa : !tt.ptr<tensor<1x16xf16>>
  mlt.prefetch %pa : !tt.ptr<tensor<1x16xf16>>
  tt.store %pb, %x : !tt.ptr<tensor<1x16xf16>>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @conversions
// CHECK: llvm.call spir_funccc @llvm.genx.tf32.cvt.v16i32.v16f32
// CHECK: llvm.call spir_funccc @llvm.genx.bf.cvt.v16f16.v16f32
tt.func public @conversions(%p: !tt.ptr<bf16>, %f: f32) {
  %x = tt.splat %f : f32 -> tensor<16xf32>
  %r = mlt.round_tf32 %x : tensor<16xf32>
  %b = arith.truncf %r : tensor<16xf32> to tensor<16xbf16>
  %ps = tt.splat %p : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
  tt.store %ps, %b : tensor<16x!tt.ptr<bf16>>
  tt.return
}
}
