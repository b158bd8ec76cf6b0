// RUN: mlt-opt %s --convert-tritongpu-to-llvm="style=simd interface=vc" | %filecheck %s

// A row is a message with one address and up to 64 dwords, in transposed order.

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// CHECK-LABEL: llvm.func spir_kernelcc @rows
// CHECK-COUNT-4: llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v8i32.v1i1.v1i64
// CHECK-NOT: lsc.load
// CHECK-COUNT-4: llvm.call spir_funccc @llvm.genx.lsc.store.stateless.v1i1.v1i64.v8i32
// CHECK-NOT: lsc.
// CHECK: llvm.return
tt.func public @rows(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %pitch: i64) {
  %t = mlt.load_rows %p pitch %pitch : !tt.ptr<f16> -> tensor<4x16xf16>
  mlt.store_rows %t, %q pitch %pitch : tensor<4x16xf16>, !tt.ptr<f16>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @long_row
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[Q:.*]]: !llvm.ptr<1>)
// CHECK: %[[START:.*]] = llvm.ptrtoint %[[P]]
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v64i32.v1i1.v1i64
// CHECK: llvm.add %[[START]], %{{.*}} : i64
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v64i32.v1i1.v1i64
// CHECK-COUNT-2: llvm.call spir_funccc @llvm.genx.lsc.store.stateless.v1i1.v1i64.v64i32
tt.func public @long_row(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %t = mlt.load_rows %p : !tt.ptr<f32> -> tensor<128xf32>
  mlt.store_rows %t, %q : tensor<128xf32>, !tt.ptr<f32>
  tt.return
}

// Four dwords of each of 16 columns: what the messages return one after another
// is operand B.
// CHECK-LABEL: llvm.func spir_kernelcc @columns
// CHECK: %[[LOW:.*]] = llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v64i32.v16i1.v16i64
// CHECK: %[[HIGH:.*]] = llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v64i32.v16i1.v16i64
// CHECK: %[[B:.*]] = llvm.shufflevector %[[LOW]], %[[HIGH]] [0, 1,
// CHECK: llvm.genx.dpas2{{[^(]*}}(%{{.*}}, %[[B]],
tt.func public @columns(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %pitch: i64) {
  %b = mlt.load_rows %p pitch %pitch transposed : !tt.ptr<f16> -> tensor<16x16xf16, #mlt.operand<b>>
  %a = mlt.load_rows %p pitch %pitch : !tt.ptr<f16> -> tensor<8x16xf16>
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %d = tt.dot %a, %b, %zero : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  mlt.store_rows %d, %q pitch %pitch : tensor<8x16xf32>, !tt.ptr<f32>
  tt.return
}

// Rows shorter than a dword: an address for every element.
// CHECK-LABEL: llvm.func spir_kernelcc @short_rows
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v4i32.v4i1.v4i64
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.store.stateless.v4i1.v4i64.v4i32
tt.func public @short_rows(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %pitch: i64) {
  %t = mlt.load_rows %p pitch %pitch : !tt.ptr<f16> -> tensor<4x1xf16>
  mlt.store_rows %t, %q pitch %pitch : tensor<4x1xf16>, !tt.ptr<f16>
  tt.return
}

// Shared memory is addressed in 32 bits. Without a gap between them, rows are
// one; what is packed like operand B is loaded as a dot takes it.
// CHECK-LABEL: llvm.func spir_kernelcc @shared
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.store.slm.v1i1.v1i32.v64i32
// CHECK: llvm.call spir_funccc @llvm.genx.lsc.store.slm.v1i1.v1i32.v64i32
// CHECK: %[[LOW:.*]] = llvm.call spir_funccc @llvm.genx.lsc.load.slm.v64i32.v1i1.v1i32
// CHECK: %[[HIGH:.*]] = llvm.call spir_funccc @llvm.genx.lsc.load.slm.v64i32.v1i1.v1i32
// CHECK: %[[B:.*]] = llvm.shufflevector %[[LOW]], %[[HIGH]] [0, 1,
// CHECK: llvm.genx.dpas2{{[^(]*}}(%{{.*}}, %[[B]],
tt.func public @shared(%q: !tt.ptr<f32>, %pitch: i64) {
  %c32 = arith.constant 32 : i64
  %s = mlt.alloc {shape = array<i64: 16, 16>} : !tt.ptr<f16, 3>
  %ones = arith.constant dense<1.0> : tensor<16x16xf16>
  mlt.store_rows %ones, %s pitch %c32 packed 2 : tensor<16x16xf16>, !tt.ptr<f16, 3>
  %b = mlt.load_rows %s pitch %c32 packed 2 : !tt.ptr<f16, 3> -> tensor<16x16xf16, #mlt.operand<b>>
  %a = arith.constant dense<1.0> : tensor<8x16xf16>
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %d = tt.dot %a, %b, %zero : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  mlt.store_rows %d, %q pitch %pitch : tensor<8x16xf32>, !tt.ptr<f32>
  tt.return
}

}
