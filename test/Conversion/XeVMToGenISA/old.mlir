// RUN: mlt-opt %s --convert-xevm-to-genisa=generation=old --canonicalize | %filecheck %s

// The old generation numbers the float precisions differently: bf16 9, tf32 8.

// CHECK: mlt.genisa_generation = "old"
// CHECK-DAG: %[[C8:.+]] = llvm.mlir.constant(8 : i32)
// CHECK-DAG: %[[C9:.+]] = llvm.mlir.constant(9 : i32)
// CHECK-DAG: %[[C10:.+]] = llvm.mlir.constant(10 : i32)
// CHECK: LSC2DBlockRead.v8i16(
// CHECK: dpas.v8f32.v8i16.v8i32({{.+}}, %[[C10]], %[[C10]], %[[C8]], %[[C8]], %{{.+}})
// CHECK: dpas.v8f32.v8i16.v8i32({{.+}}, %[[C9]], %[[C9]], %{{.+}})
// CHECK: dpas.v8f32.v4f32.v8f32({{.+}}, %[[C8]], %[[C8]], %[[C8]], %[[C8]], %{{.+}})
llvm.func @old(%p: !llvm.ptr<1>, %w: i32, %b: vector<8xi32>, %ta: vector<4xf32>, %tb: vector<8xf32>, %c: vector<8xf32>) {
  %a = xevm.blockload2d %p, %w, %w, %w, %w, %w <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %1 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = bf16, b = bf16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %2 = xevm.mma %ta, %tb, %c {shape = <m = 8, n = 16, k = 8>, types = <d = f32, a = tf32, b = tf32, c = f32>} : (vector<4xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
  llvm.return
}
