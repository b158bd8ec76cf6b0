// RUN: mlt-opt %s --match-target-size --canonicalize --cse --assign-operand-layout --convert-tritongpu-to-llvm --canonicalize --cse --convert-xevm-to-builtin | %filecheck %s

// Operands of dots come in the largest messages there are for their type and role:
// no other load, none left out.

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// 16 bits: A as it is, B in pairs of rows.
// CHECK-LABEL: llvm.func spir_kernelcc @f16(
// CHECK: intel_sub_group_2d_block_read_16b_32r16x2cP
// CHECK: intel_sub_group_2d_block_read_transform_16b_32r16x2cP
// CHECK-NOT: block_read
// CHECK: block_write
tt.func public @f16(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %out: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %pb = tt.make_tensor_ptr %q, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %a = tt.load %pa : !tt.ptr<tensor<32x32xf16>>
  %b = tt.load %pb : !tt.ptr<tensor<32x32xf16>>
  %d = tt.dot %a, %b, %zero : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
  %po = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xf32>>
  tt.store %po, %d : !tt.ptr<tensor<32x32xf32>>
  tt.return
}

// A transposed B is read by dwords, which are pairs of k.
// CHECK-LABEL: llvm.func spir_kernelcc @f16_transposed(
// CHECK: intel_sub_group_2d_block_read_16b_32r16x2cP
// CHECK: intel_sub_group_2d_block_read_transpose_32b_16r8x1cP
// CHECK: intel_sub_group_2d_block_read_transpose_32b_16r8x1cP
// CHECK-NOT: block_read
// CHECK: block_write
tt.func public @f16_transposed(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %out: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %pb = tt.make_tensor_ptr %q, [%s, %s], [%c1, %s], [%x, %x] {order = array<i32: 0, 1>} : <tensor<32x16xf16>>
  %a = tt.load %pa : !tt.ptr<tensor<32x32xf16>>
  %b = tt.load %pb : !tt.ptr<tensor<32x16xf16>>
  %d = tt.dot %a, %b, %zero : tensor<32x32xf16> * tensor<32x16xf16> -> tensor<32x16xf32>
  %po = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
  tt.store %po, %d : !tt.ptr<tensor<32x16xf32>>
  tt.return
}

// 8 bits.
// CHECK-LABEL: llvm.func spir_kernelcc @i8(
// CHECK: intel_sub_group_2d_block_read_8b_32r32x1cP
// CHECK: intel_sub_group_2d_block_read_transform_8b_32r16x4cP
// CHECK-NOT: block_read
// CHECK: block_write
tt.func public @i8(%p: !tt.ptr<i8>, %q: !tt.ptr<i8>, %out: !tt.ptr<i32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0> : tensor<32x64xi32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xi8>>
  %pb = tt.make_tensor_ptr %q, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x64xi8>>
  %a = tt.load %pa : !tt.ptr<tensor<32x32xi8>>
  %b = tt.load %pb : !tt.ptr<tensor<32x64xi8>>
  %d = tt.dot %a, %b, %zero : tensor<32x32xi8> * tensor<32x64xi8> -> tensor<32x64xi32>
  %po = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x64xi32>>
  tt.store %po, %d : !tt.ptr<tensor<32x64xi32>>
  tt.return
}

// Two blocks of A side by side; B of one column of dots.
// CHECK-LABEL: llvm.func spir_kernelcc @i8_deep(
// CHECK: intel_sub_group_2d_block_read_8b_32r32x2cP
// CHECK: intel_sub_group_2d_block_read_transform_8b_32r16x1cP
// CHECK: intel_sub_group_2d_block_read_transform_8b_32r16x1cP
// CHECK-NOT: block_read
// CHECK: block_write
tt.func public @i8_deep(%p: !tt.ptr<i8>, %q: !tt.ptr<i8>, %out: !tt.ptr<i32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0> : tensor<32x16xi32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x64xi8>>
  %pb = tt.make_tensor_ptr %q, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<64x16xi8>>
  %a = tt.load %pa : !tt.ptr<tensor<32x64xi8>>
  %b = tt.load %pb : !tt.ptr<tensor<64x16xi8>>
  %d = tt.dot %a, %b, %zero : tensor<32x64xi8> * tensor<64x16xi8> -> tensor<32x16xi32>
  %po = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x16xi32>>
  tt.store %po, %d : !tt.ptr<tensor<32x16xi32>>
  tt.return
}

// 32 bits.
// CHECK-LABEL: llvm.func spir_kernelcc @tf32(
// CHECK: intel_sub_group_2d_block_read_32b_32r8x2cP
// CHECK: intel_sub_group_2d_block_read_32b_16r16x1cP
// CHECK: intel_sub_group_2d_block_read_32b_16r16x1cP
// CHECK-NOT: block_read
// CHECK: block_write
tt.func public @tf32(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %out: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
  %pb = tt.make_tensor_ptr %q, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<16x32xf32>>
  %a = tt.load %pa : !tt.ptr<tensor<32x16xf32>>
  %b = tt.load %pb : !tt.ptr<tensor<16x32xf32>>
  %d = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<32x16xf32> * tensor<16x32xf32> -> tensor<32x32xf32>
  %po = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x32xf32>>
  tt.store %po, %d : !tt.ptr<tensor<32x32xf32>>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @tf32_transposed(
// CHECK: intel_sub_group_2d_block_read_32b_32r8x2cP
// CHECK: intel_sub_group_2d_block_read_transpose_32b_16r8x1cP
// CHECK: intel_sub_group_2d_block_read_transpose_32b_16r8x1cP
// CHECK-NOT: block_read
// CHECK: block_write
tt.func public @tf32_transposed(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %out: !tt.ptr<f32>, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %pa = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
  %pb = tt.make_tensor_ptr %q, [%s, %s], [%c1, %s], [%x, %x] {order = array<i32: 0, 1>} : <tensor<16x16xf32>>
  %a = tt.load %pa : !tt.ptr<tensor<32x16xf32>>
  %b = tt.load %pb : !tt.ptr<tensor<16x16xf32>>
  %d = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<32x16xf32> * tensor<16x16xf32> -> tensor<32x16xf32>
  %po = tt.make_tensor_ptr %out, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
  tt.store %po, %d : !tt.ptr<tensor<32x16xf32>>
  tt.return
}

}
