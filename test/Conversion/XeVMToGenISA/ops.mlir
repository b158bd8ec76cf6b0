// RUN: mlt-opt %s --convert-xevm-to-genisa | %filecheck %s
// RUN: mlt-opt %s --convert-xevm-to-genisa --canonicalize | %filecheck %s --check-prefix=CODES

// The names and vector types of the paper's Table 7, thirteen operands, surface
// sizes minus one.

// CHECK: module attributes {mlt.genisa_generation = "current"}

// CHECK-LABEL: llvm.func spir_kernelcc @table7
// CHECK: %[[BASE:.+]] = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64
// CHECK: %[[MINUS1:.+]] = llvm.mlir.constant(-1 : i32)
// CHECK: %[[W:.+]] = llvm.add %arg2, %[[MINUS1]]
// CHECK: %[[H:.+]] = llvm.add %arg3,
// CHECK: %[[P:.+]] = llvm.add %arg4,
// CHECK: %[[BITS:.+]] = llvm.mlir.constant(16 : i32)
// CHECK: %[[COLS:.+]] = llvm.mlir.constant(16 : i32)
// CHECK: %[[ROWS:.+]] = llvm.mlir.constant(32 : i32)
// CHECK: %[[BLOCKS:.+]] = llvm.mlir.constant(2 : i32)
// CHECK: %[[TRANSPOSE:.+]] = llvm.mlir.constant(false)
// CHECK: %[[VNNI:.+]] = llvm.mlir.constant(false)
// CHECK: %[[CACHE:.+]] = llvm.mlir.constant(2 : i32)
// CHECK: llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v64i16(%[[BASE]], %[[W]], %[[H]], %[[P]], %arg5, %arg6, %[[BITS]], %[[COLS]], %[[ROWS]], %[[BLOCKS]], %[[TRANSPOSE]], %[[VNNI]], %[[CACHE]])
// CHECK-SAME: -> vector<64xi16>
// CHECK: %[[TRUE:.+]] = llvm.mlir.constant(true)
// CHECK: @llvm.genx.GenISA.LSC2DBlockRead.v32i32({{.+}}, %[[TRUE]], %{{.+}}) {{.+}} -> vector<32xi32>
// CHECK: llvm.call spir_funccc @llvm.genx.GenISA.sub.group.dpas.v8f32.v8i16.v8i32(%arg9, %arg7, %arg8,
// CHECK: @llvm.genx.GenISA.LSC2DBlockWrite.v8i32({{.+}}, %{{.+}}) {{.+}}, vector<8xi32>) -> ()
// CHECK: @llvm.genx.GenISA.LSC2DBlockPrefetch({{.+}}) {{.+}} -> ()
llvm.func spir_kernelcc @table7(%a: !llvm.ptr<1>, %o: !llvm.ptr<1>, %w: i32, %h: i32, %p: i32, %x: i32, %y: i32, %da: vector<8xi16>, %db: vector<8xi32>, %dc: vector<8xf32>) {
  %0 = xevm.blockload2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 32 : i32, v_blocks = 2 : i32, transpose = false, pack_register = false, cache_control = #xevm.load_cache_control<L1uc_L2uc_L3c>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<64xi16>
  %1 = xevm.blockload2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 32 : i32, v_blocks = 2 : i32, transpose = false, pack_register = true}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<32xi32>
  %2 = xevm.mma %da, %db, %dc {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %3 = llvm.bitcast %2 : vector<8xf32> to vector<8xi32>
  xevm.blockstore2d %o, %w, %h, %p, %x, %y, %3 <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)
  xevm.blockprefetch2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 2 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  llvm.return
}

// Codes of the current generation: f16 12, bf16 11, tf32 10, s8 4, u8 1.
// CODES-LABEL: llvm.func @codes
// CODES-DAG: %[[C1:.+]] = llvm.mlir.constant(1 : i32)
// CODES-DAG: %[[C4:.+]] = llvm.mlir.constant(4 : i32)
// CODES-DAG: %[[C10:.+]] = llvm.mlir.constant(10 : i32)
// CODES-DAG: %[[C11:.+]] = llvm.mlir.constant(11 : i32)
// CODES: dpas.v8f32.v8i16.v8i32({{.+}}, %[[C11]], %[[C11]], %{{.+}})
// CODES: dpas.v8f32.v4f32.v8f32({{.+}}, %[[C10]], %[[C10]], %{{.+}})
// CODES: dpas.v8i32.v8i16.v8i32({{.+}}, %[[C1]], %[[C4]], %{{.+}})
// CODES: dpas.f32.i16.v8i32(
llvm.func @codes(%a: vector<8xi16>, %b: vector<8xi32>, %ta: vector<4xf32>, %tb: vector<8xf32>, %c: vector<8xf32>, %i: vector<8xi32>, %a1: vector<1xi16>, %c1: vector<1xf32>) {
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = bf16, b = bf16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %1 = xevm.mma %ta, %tb, %c {shape = <m = 8, n = 16, k = 8>, types = <d = f32, a = tf32, b = tf32, c = f32>} : (vector<4xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
  %2 = xevm.mma %a, %b, %i {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = u8, b = s8, c = s32>} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  %3 = xevm.mma %a1, %b, %c1 {shape = <m = 1, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<1xi16>, vector<8xi32>, vector<1xf32>) -> vector<1xf32>
  llvm.return
}
