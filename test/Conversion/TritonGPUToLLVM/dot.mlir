// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s --check-prefixes=CHECK,BUILTIN
// RUN: mlt-opt %s --convert-tritongpu-to-llvm=interface=genisa | %filecheck %s --check-prefixes=CHECK,GENISA
// RUN: mlt-opt %s --convert-tritongpu-to-llvm=interface=portable | %filecheck %s --check-prefixes=CHECK,PORTABLE

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// Accumulators of f16 and bf16 (carried as i16), and a single row.
// CHECK-LABEL: llvm.func spir_kernelcc @types
// CHECK: xevm.mma {{.*}} {shape = <m = 8, n = 16, k = 16>, types = <d = f16, a = f16, b = f16, c = f16>} : (vector<8xi16>, vector<8xi32>, vector<8xf16>) -> vector<8xf16>
// CHECK: xevm.mma {{.*}} {shape = <m = 4, n = 16, k = 16>, types = <d = bf16, a = bf16, b = bf16, c = bf16>} : (vector<4xi16>, vector<8xi32>, vector<4xi16>) -> vector<4xi16>
// CHECK: xevm.mma {{.*}} {shape = <m = 1, n = 16, k = 16>, types = <d = f32, a = bf16, b = bf16, c = f32>} : (vector<1xi16>, vector<8xi32>, vector<1xf32>) -> vector<1xf32>
tt.func public @types(%ph: !tt.ptr<f16>, %pb: !tt.ptr<bf16>, %pf: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %ah = arith.constant dense<1.0> : tensor<8x16xf16>
  %bh = arith.constant dense<2.0> : tensor<16x16xf16, #mlt.operand<b>>
  %ch = arith.constant dense<0.0> : tensor<8x16xf16>
  %dh = tt.dot %ah, %bh, %ch : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf16>
  %oh = tt.make_tensor_ptr %ph, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  tt.store %oh, %dh : !tt.ptr<tensor<8x16xf16>>

  %ab = arith.constant dense<1.0> : tensor<4x16xbf16>
  %bb = arith.constant dense<2.0> : tensor<16x16xbf16, #mlt.operand<b>>
  %cb = arith.constant dense<0.0> : tensor<4x16xbf16>
  %db = tt.dot %ab, %bb, %cb : tensor<4x16xbf16> * tensor<16x16xbf16, #mlt.operand<b>> -> tensor<4x16xbf16>
  %ob = tt.make_tensor_ptr %pb, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<4x16xbf16>>
  tt.store %ob, %db : !tt.ptr<tensor<4x16xbf16>>

  %a1 = arith.constant dense<1.0> : tensor<1x16xbf16>
  %c1f = arith.constant dense<0.0> : tensor<1x16xf32>
  %d1 = tt.dot %a1, %bb, %c1f : tensor<1x16xbf16> * tensor<16x16xbf16, #mlt.operand<b>> -> tensor<1x16xf32>
  %of = tt.make_tensor_ptr %pf, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<1x16xf32>>
  tt.store %of, %d1 : !tt.ptr<tensor<1x16xf32>>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @round
// BUILTIN: llvm.call spir_funccc @_Z25__spirv_RoundFToTF32INTELf({{.*}}) {{.*}} : (f32) -> f32
// GENISA: llvm.call spir_funccc @llvm.genx.GenISA.ftotf32.i32.f32({{.*}}) {{.*}} : (f32) -> i32
// PORTABLE: llvm.bitcast %{{.*}} to i32
// PORTABLE: llvm.lshr
// PORTABLE: llvm.fcmp "uno"
tt.func public @round(%p: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<1x16xf32>>
  %v = tt.load %b : !tt.ptr<tensor<1x16xf32>>
  %r = mlt.round_tf32 %v : tensor<1x16xf32>
  tt.store %b, %r : !tt.ptr<tensor<1x16xf32>>
  tt.return
}
}
