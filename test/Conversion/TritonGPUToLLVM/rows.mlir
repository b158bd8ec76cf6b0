// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

// Rows that fill the lanes are one message each; the row after the next begins
// two pitches further. Longer rows than a message takes are several.

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// CHECK-LABEL: llvm.func spir_kernelcc @rows
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[Q:.*]]: !llvm.ptr<1>, %[[PITCH:.*]]: i64)
// CHECK: %[[BYTES:.*]] = llvm.mul %[[PITCH]], %{{.*}} : i64
// CHECK: xevm.blockload %[[P]] : (!llvm.ptr<1>) -> vector<2xi16>
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[P]][%[[BYTES]]]
// CHECK: xevm.blockload %[[P1]] : (!llvm.ptr<1>) -> vector<2xi16>
// CHECK: %[[TWICE:.*]] = llvm.mul %[[PITCH]], %{{.*}} : i64
// CHECK: %[[P2:.*]] = llvm.getelementptr %[[P]][%[[TWICE]]]
// CHECK: xevm.blockload %[[P2]] : (!llvm.ptr<1>) -> vector<2xi16>
// CHECK: %[[P3:.*]] = llvm.getelementptr %[[P1]][%[[TWICE]]]
// CHECK: xevm.blockload %[[P3]] : (!llvm.ptr<1>) -> vector<2xi16>
// CHECK: xevm.blockstore %[[Q]], %{{.*}} : (!llvm.ptr<1>, vector<2xi16>)
// CHECK-COUNT-3: xevm.blockstore
// CHECK-NOT: xevm
// CHECK: llvm.return
tt.func public @rows(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %pitch: i64) {
  %t = mlt.load_rows %p pitch %pitch : !tt.ptr<f16> -> tensor<4x32xf16>
  mlt.store_rows %t, %q pitch %pitch : tensor<4x32xf16>, !tt.ptr<f16>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @long_row
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[Q:.*]]: !llvm.ptr<1>)
// CHECK: xevm.blockload %[[P]] : (!llvm.ptr<1>) -> vector<8xi16>
// CHECK: %[[REST:.*]] = llvm.getelementptr %[[P]][128]
// CHECK: xevm.blockload %[[REST]] : (!llvm.ptr<1>) -> vector<8xi16>
// CHECK-COUNT-2: xevm.blockstore %{{.*}}, %{{.*}} : (!llvm.ptr<1>, vector<8xi16>)
tt.func public @long_row(%p: !tt.ptr<bf16>, %q: !tt.ptr<bf16>) {
  %t = mlt.load_rows %p : !tt.ptr<bf16> -> tensor<256xbf16>
  mlt.store_rows %t, %q : tensor<256xbf16>, !tt.ptr<bf16>
  tt.return
}

// Pairs of bytes, as operand A holds them, are read as words.
// CHECK-LABEL: llvm.func spir_kernelcc @bytes
// CHECK-COUNT-8: xevm.blockload %{{.*}} : (!llvm.ptr<1>) -> i16
// CHECK-NOT: sub_group_shuffle
// CHECK: xevm.mma
tt.func public @bytes(%p: !tt.ptr<i8>, %q: !tt.ptr<i32>, %pitch: i64) {
  %a = mlt.load_rows %p pitch %pitch : !tt.ptr<i8> -> tensor<8x32xi8, #mlt.operand<a>>
  %b = mlt.load_rows %p pitch %pitch : !tt.ptr<i8> -> tensor<32x16xi8, #mlt.operand<b>>
  %zero = arith.constant dense<0> : tensor<8x16xi32>
  %d = tt.dot %a, %b, %zero : tensor<8x32xi8, #mlt.operand<a>> * tensor<32x16xi8, #mlt.operand<b>> -> tensor<8x16xi32>
  mlt.store_rows %d, %q pitch %pitch : tensor<8x16xi32>, !tt.ptr<i32>
  tt.return
}

// Halves of two rows share a register of operand A in tf32: one move for each.
// CHECK-LABEL: llvm.func spir_kernelcc @halves
// CHECK-COUNT-2: xevm.blockload %{{.*}} : (!llvm.ptr<1>) -> i32
// CHECK: llvm.inline_asm {{.*}}<16;8,1>
// CHECK: llvm.inline_asm {{.*}}<16;8,1>
// CHECK-NOT: sub_group_shuffle
// CHECK: llvm.return
tt.func public @halves(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %pitch: i64) {
  %a = mlt.load_rows %p pitch %pitch : !tt.ptr<f32> -> tensor<2x16xf32, #mlt.operand<a>>
  %e = mlt.extract %a[0, 8] : tensor<2x16xf32, #mlt.operand<a>> to tensor<2x8xf32, #mlt.operand<a>>
  %b = mlt.load_rows %p pitch %pitch : !tt.ptr<f32> -> tensor<8x16xf32>
  %zero = arith.constant dense<0.0> : tensor<2x16xf32>
  %d = tt.dot %e, %b, %zero, inputPrecision = tf32 : tensor<2x8xf32, #mlt.operand<a>> * tensor<8x16xf32> -> tensor<2x16xf32>
  mlt.store_rows %d, %q pitch %pitch : tensor<2x16xf32>, !tt.ptr<f32>
  tt.return
}

// A column is a vector of its lane, already packed as operand B.
// CHECK-LABEL: llvm.func spir_kernelcc @columns
// CHECK: %[[LANE:.*]] = llvm.sext %{{.*}} : i32 to i64
// CHECK: %[[AT:.*]] = llvm.mul %[[LANE]], %{{.*}} : i64
// CHECK: %[[COLUMN:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
// CHECK: llvm.load %[[COLUMN]] {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: %[[REST:.*]] = llvm.getelementptr %[[COLUMN]][16]
// CHECK: llvm.load %[[REST]] {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NOT: llvm.load
// CHECK: xevm.mma
tt.func public @columns(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %pitch: i64) {
  %b = mlt.load_rows %p pitch %pitch transposed : !tt.ptr<f16> -> tensor<16x16xf16, #mlt.operand<b>>
  %a = mlt.load_rows %p pitch %pitch : !tt.ptr<f16> -> tensor<8x16xf16>
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %d = tt.dot %a, %b, %zero : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  mlt.store_rows %d, %q pitch %pitch : tensor<8x16xf32>, !tt.ptr<f32>
  tt.return
}

// A message would reach beyond a short row: every lane loads its column, and
// half of them store it.
// CHECK-LABEL: llvm.func spir_kernelcc @short_rows
// CHECK-NOT: xevm
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: %[[LOW:.*]] = llvm.icmp "ult"
// CHECK: llvm.cond_br %[[LOW]]
// CHECK-COUNT-2: llvm.store
// CHECK-NOT: xevm
// CHECK: llvm.return
tt.func public @short_rows(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %pitch: i64) {
  %t = mlt.load_rows %p pitch %pitch : !tt.ptr<f32> -> tensor<2x8xf32>
  mlt.store_rows %t, %q pitch %pitch : tensor<2x8xf32>, !tt.ptr<f32>
  tt.return
}

// In shared memory, where there is no gap between rows, many are one message.
// What is packed like operand B is loaded as a dot takes it.
// CHECK-LABEL: llvm.func spir_kernelcc @shared
// CHECK: xevm.blockstore %{{.*}} : (!llvm.ptr<3>, vector<8xi16>)
// CHECK: %[[A:.*]] = xevm.blockload %{{.*}} : (!llvm.ptr<3>) -> vector<8xi16>
// CHECK: xevm.blockstore %{{.*}} : (!llvm.ptr<3>, vector<8xi32>)
// CHECK: %[[B:.*]] = xevm.blockload %{{.*}} : (!llvm.ptr<3>) -> vector<8xi32>
// CHECK-NOT: shuffle
// CHECK-NOT: xevm.block
// CHECK: xevm.mma %[[A]], %[[B]],
tt.func public @shared(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %pitch: i64) {
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %s = mlt.alloc {shape = array<i64: 32, 16>} : !tt.ptr<f16, 3>
  %zeros = arith.constant dense<0.0> : tensor<16x16xf16>
  %ones = arith.constant dense<1.0> : tensor<8x16xf16>
  mlt.store_rows %ones, %s pitch %c16 : tensor<8x16xf16>, !tt.ptr<f16, 3>
  %a = mlt.load_rows %s pitch %c16 : !tt.ptr<f16, 3> -> tensor<8x16xf16>
  mlt.store_rows %zeros, %s pitch %c32 packed 2 : tensor<16x16xf16>, !tt.ptr<f16, 3>
  %b = mlt.load_rows %s pitch %c32 packed 2 : !tt.ptr<f16, 3> -> tensor<16x16xf16, #mlt.operand<b>>
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %d = tt.dot %a, %b, %zero : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  mlt.store_rows %d, %q pitch %pitch : tensor<8x16xf32>, !tt.ptr<f32>
  tt.return
}

}
