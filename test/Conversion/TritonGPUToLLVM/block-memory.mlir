// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

// Every form of 2-D block message, one per kernel. Results are stored so that
// nothing is dropped.

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// Several blocks side by side in one message.
// CHECK-LABEL: llvm.func spir_kernelcc @a16
// CHECK: xevm.blockload2d {{.*}} <{elem_size_in_bits = 16 : i32, pack_register = false, tile_height = 32 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 2 : i32}> {{.*}} -> vector<64xi16>
tt.func public @a16(%p: !tt.ptr<f16>, %s: i64, %x: i32, %out: !tt.ptr<f16>) {
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %v = tt.load %b : !tt.ptr<tensor<32x32xf16>>
  %e = mlt.extract %v[8, 16] : tensor<32x32xf16> to tensor<8x16xf16>
  %o = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  // Block 1, rows 8..15.
  // CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [40, 41, 42, 43, 44, 45, 46, 47] : vector<64xf16>
  // CHECK: xevm.blockstore2d {{.*}} <{elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32}> : {{.*}}vector<8xi16>)
  tt.store %o, %e : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// One row is a scalar outside of the message.
// CHECK-LABEL: llvm.func spir_kernelcc @row
// CHECK: %[[V:.*]] = xevm.blockload2d {{.*}}tile_height = 1 : i32{{.*}} -> vector<1xi16>
// CHECK: llvm.bitcast %[[V]] : vector<1xi16> to f16
// CHECK: xevm.blockstore2d {{.*}}vector<1xi16>)
tt.func public @row(%p: !tt.ptr<f16>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<1x16xf16>>
  %v = tt.load %b : !tt.ptr<tensor<1x16xf16>>
  %w = arith.addf %v, %v : tensor<1x16xf16>
  tt.store %b, %w : !tt.ptr<tensor<1x16xf16>>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @i8
// CHECK: xevm.blockload2d {{.*}} <{elem_size_in_bits = 8 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 32 : i32, transpose = false, v_blocks = 1 : i32}> {{.*}} -> vector<8xi16>
// CHECK: xevm.blockload2d {{.*}} <{elem_size_in_bits = 8 : i32, pack_register = true, tile_height = 32 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 2 : i32}> {{.*}} -> vector<16xi32>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
// CHECK: xevm.mma {{.*}} {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = s8, b = s8, c = s32>} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
tt.func public @i8(%p: !tt.ptr<i8>, %s: i64, %x: i32, %out: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0> : tensor<8x16xi32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x32xi8, #mlt.operand<a>>>
  %pb = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xi8, #mlt.operand<b>>>
  %a = tt.load %pa : !tt.ptr<tensor<8x32xi8, #mlt.operand<a>>>
  %b = tt.load %pb : !tt.ptr<tensor<32x32xi8, #mlt.operand<b>>>
  %b1 = mlt.extract %b[0, 16] : tensor<32x32xi8, #mlt.operand<b>> to tensor<32x16xi8, #mlt.operand<b>>
  %d = tt.dot %a, %b1, %zero : tensor<8x32xi8, #mlt.operand<a>> * tensor<32x16xi8, #mlt.operand<b>> -> tensor<8x16xi32>
  %o = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xi32>>
  tt.store %o, %d : !tt.ptr<tensor<8x16xi32>>
  tt.return
}

// tf32: operand A in blocks of 8 columns, two rows per register.
// CHECK-LABEL: llvm.func spir_kernelcc @tf32
// CHECK: xevm.blockload2d {{.*}} <{elem_size_in_bits = 32 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 8 : i32, transpose = false, v_blocks = 2 : i32}> {{.*}} -> vector<8xi32>
// CHECK: xevm.blockload2d {{.*}} <{elem_size_in_bits = 32 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> {{.*}} -> vector<8xi32>
// CHECK: %[[A:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [4, 5, 6, 7] : vector<8xf32>
// CHECK: xevm.mma %[[A]], {{.*}} {shape = <m = 8, n = 16, k = 8>, types = <d = f32, a = tf32, b = tf32, c = f32>} : (vector<4xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
tt.func public @tf32(%p: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32, #mlt.operand<a>>>
  %pb = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %a = tt.load %pa : !tt.ptr<tensor<8x16xf32, #mlt.operand<a>>>
  %b = tt.load %pb : !tt.ptr<tensor<8x16xf32>>
  %a1 = mlt.extract %a[0, 8] : tensor<8x16xf32, #mlt.operand<a>> to tensor<8x8xf32, #mlt.operand<a>>
  %d = tt.dot %a1, %b, %zero, inputPrecision = tf32 : tensor<8x8xf32, #mlt.operand<a>> * tensor<8x16xf32> -> tensor<8x16xf32>
  tt.store %pb, %d : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// B stored with k contiguous: dwords are transposed, x counts dwords.
// CHECK-LABEL: llvm.func spir_kernelcc @transposed
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[K:.*]]: i64, %[[N:.*]]: i64, %{{.*}}: i32, %[[ON:.*]]: i32, %{{.*}}: !llvm.ptr<1>)
// CHECK: %[[K32:.*]] = llvm.trunc %[[K]] : i64 to i32
// CHECK: %[[W:.*]] = llvm.mul %[[K32]], %{{.*}} : i32
// CHECK: %[[H:.*]] = llvm.trunc %[[N]] : i64 to i32
// CHECK: %[[X:.*]] = llvm.ashr %{{.*}}, %{{.*}} : i32
// CHECK: xevm.blockload2d %[[P]], %[[W]], %[[H]], %[[W]], %[[X]], %[[ON]] <{elem_size_in_bits = 32 : i32, pack_register = false, tile_height = 16 : i32, tile_width = 8 : i32, transpose = true, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi32>
tt.func public @transposed(%p: !tt.ptr<f16>, %k: i64, %n: i64, %ok: i32, %on: i32, %out: !tt.ptr<f32>) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %a = arith.constant dense<1.0> : tensor<8x16xf16>
  %pb = tt.make_tensor_ptr %p, [%k, %n], [%c1, %k], [%ok, %on] {order = array<i32: 0, 1>} : <tensor<16x16xf16, #mlt.operand<b>>>
  %b = tt.load %pb : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  %d = tt.dot %a, %b, %zero : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %o = tt.make_tensor_ptr %out, [%k, %n], [%n, %c1], [%ok, %on] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  tt.store %o, %d : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// A base that is not an argument is moved down to 64 bytes.
// CHECK-LABEL: llvm.func spir_kernelcc @moved_base
// CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
// CHECK: %[[INT:.*]] = llvm.ptrtoint %[[BASE]] : !llvm.ptr<1> to i64
// CHECK: %[[EXCESS:.*]] = llvm.and %[[INT]], %{{.*}} : i64
// CHECK: %[[DOWN:.*]] = llvm.sub %{{.*}}, %[[EXCESS]] : i64
// CHECK: %[[ALIGNED:.*]] = llvm.getelementptr %[[BASE]][%[[DOWN]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK: %[[BYTES:.*]] = llvm.trunc %[[EXCESS]] : i64 to i32
// CHECK: %[[WIDTH:.*]] = llvm.add %{{.*}}, %[[BYTES]] : i32
// CHECK: %[[ELEMENTS:.*]] = llvm.ashr %[[BYTES]], %{{.*}} : i32
// CHECK: %[[X:.*]] = llvm.add %{{.*}}, %[[ELEMENTS]] : i32
// CHECK: xevm.blockload2d %[[ALIGNED]], %[[WIDTH]], %{{.*}}, %{{.*}}, %[[X]],
tt.func public @moved_base(%p: !tt.ptr<f32>, %off: i32, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %q = tt.addptr %p, %off : !tt.ptr<f32>, i32
  %b = tt.make_tensor_ptr %q, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %v = tt.load %b : !tt.ptr<tensor<8x16xf32>>
  tt.store %b, %v : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @prefetch
// CHECK: xevm.blockprefetch2d {{.*}} <{cache_control = #xevm.load_cache_control<L1c_L2uc_L3c>, elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32, v_blocks = 2 : i32}>
// CHECK: xevm.blockprefetch2d {{.*}}elem_size_in_bits = 16 : i32, tile_height = 32 : i32, tile_width = 16 : i32, v_blocks = 1 : i32}>
tt.func public @prefetch(%p: !tt.ptr<f16>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x32xf16>>
  mlt.prefetch %b : !tt.ptr<tensor<8x32xf16>>
  %t = tt.make_tensor_ptr %p, [%s, %s], [%c1, %s], [%x, %x] {order = array<i32: 0, 1>} : <tensor<16x32xf16>>
  mlt.prefetch %t : !tt.ptr<tensor<16x32xf16>>
  tt.return
}

// A pointer chosen at run time is chosen part by part.
// CHECK-LABEL: llvm.func spir_kernelcc @chosen
// CHECK: %[[BASE:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, !llvm.ptr<1>
// CHECK: xevm.blockload2d %[[BASE]],
tt.func public @chosen(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %which: i1, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %a = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %b = tt.make_tensor_ptr %q, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %c = arith.select %which, %a, %b : !tt.ptr<tensor<8x16xf32>>
  %v = tt.load %c : !tt.ptr<tensor<8x16xf32>>
  tt.store %a, %v : !tt.ptr<tensor<8x16xf32>>
  tt.return
}
}
