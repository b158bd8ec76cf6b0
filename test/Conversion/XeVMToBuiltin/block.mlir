// RUN: mlt-opt %s --convert-xevm-to-builtin | %filecheck %s

// Buffers are in the entry block, whatever block the message is in; widths are
// passed as they are, x and y as one vector, cache controls for both levels.

// CHECK-LABEL: llvm.func spir_kernelcc @read
// CHECK: %[[BUFFER:.+]] = llvm.alloca %{{.+}} x !llvm.array<64 x i16> {alignment = 64 : i64}
// CHECK: llvm.br ^bb1
// CHECK: ^bb1:
// CHECK: %[[X:.+]] = llvm.insertelement %arg5, %{{.+}}[%{{.+}} : i32]
// CHECK: %[[XY:.+]] = llvm.insertelement %arg6, %[[X]][%{{.+}} : i32]
// CHECK: llvm.call spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x2cPU3AS1viiiDv2_iPt(%arg0, %arg2, %arg3, %arg4, %[[XY]], %[[BUFFER]]) {convergent,
// CHECK-SAME: xevm.DecorationCacheControl = {{\[}}[6442 : i32, 0 : i32, 0 : i32, 0 : i32], [6442 : i32, 1 : i32, 1 : i32, 0 : i32]]
// CHECK: llvm.load %[[BUFFER]] {alignment = 64 : i64} : !llvm.ptr -> vector<64xi16>
llvm.func spir_kernelcc @read(%a: !llvm.ptr<1>, %o: !llvm.ptr<1>, %w: i32, %h: i32, %p: i32, %x: i32, %y: i32) {
  llvm.br ^bb1
^bb1:
  %v = xevm.blockload2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 32 : i32, v_blocks = 2 : i32, transpose = false, pack_register = false, cache_control = #xevm.load_cache_control<L1uc_L2uc_L3c>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<64xi16>
  llvm.store %v, %o : vector<64xi16>, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @forms
llvm.func spir_kernelcc @forms(%a: !llvm.ptr<1>, %o: !llvm.ptr<1>, %w: i32, %h: i32, %p: i32, %x: i32, %y: i32) {
  // A VNNI block arrives in dwords.
  // CHECK: @_Z52intel_sub_group_2d_block_read_transform_16b_32r16x2cPU3AS1viiiDv2_iPj(
  %0 = xevm.blockload2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 32 : i32, v_blocks = 2 : i32, transpose = false, pack_register = true}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<32xi32>
  // CHECK: @_Z51intel_sub_group_2d_block_read_transpose_32b_16r8x1cPU3AS1viiiDv2_iPj(
  %1 = xevm.blockload2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 32 : i32, tile_width = 8 : i32, tile_height = 16 : i32, v_blocks = 1 : i32, transpose = true, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi32>
  // Two bytes of a row per lane are one element of 16 bits.
  // CHECK: @_Z40intel_sub_group_2d_block_read_8b_8r32x1cPU3AS1viiiDv2_iPt(
  // CHECK: llvm.load %{{.+}} -> vector<8xi16>
  // CHECK: llvm.bitcast %{{.+}} : vector<8xi16> to vector<16xi8>
  %2 = xevm.blockload2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 8 : i32, tile_width = 32 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<16xi8>
  // CHECK: @_Z41intel_sub_group_2d_block_read_32b_32r8x2cPU3AS1viiiDv2_iPj(
  // CHECK: llvm.bitcast %{{.+}} : vector<32xi32> to vector<32xf32>
  %3 = xevm.blockload2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 32 : i32, tile_width = 8 : i32, tile_height = 32 : i32, v_blocks = 2 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<32xf32>
  // CHECK: llvm.bitcast %{{.+}} : vector<8xf32> to vector<8xi32>
  // CHECK: llvm.store %{{.+}}, %[[BUFFER:.+]] {alignment = 64 : i64} : vector<8xi32>, !llvm.ptr
  // CHECK: @_Z42intel_sub_group_2d_block_write_32b_8r16x1cPU3AS1viiiDv2_iPj({{.+}}, %[[BUFFER]]) {{.+}}[6443 : i32, 0 : i32, 2 : i32, 0 : i32], [6443 : i32, 1 : i32, 2 : i32, 0 : i32]
  %f = llvm.mlir.constant(dense<1.0> : vector<8xf32>) : vector<8xf32>
  xevm.blockstore2d %o, %w, %h, %p, %x, %y, %f <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32, cache_control = #xevm.store_cache_control<L1wb_L2uc_L3wb>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xf32>)
  // CHECK: @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(
  xevm.blockprefetch2d %a, %w, %h, %p, %x, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 2 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  llvm.return
}
