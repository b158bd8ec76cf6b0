// RUN: mlt-opt %s --emulate-intrinsics | %filecheck %s
// RUN: mlt-opt %s --emulate-intrinsics --canonicalize | %filecheck %s --check-prefix=BODY

// A block of 64 elements per lane is read in eight pieces of eight; slices of it
// are pieces; the private buffer is gone. Both interfaces share the helpers.

module attributes {mlt.target = "pvc", mlt.genisa_generation = "current"} {

// CHECK-NOT: genisa_generation
// CHECK-NOT: @_Z42intel_sub_group

llvm.func spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x2cPU3AS1viiiDv2_iPt(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr)
llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v64i16(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<64xi16>
llvm.func spir_funccc @llvm.genx.GenISA.LSC2DBlockWrite.v8f32(i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32, vector<8xf32>)
llvm.func spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(!llvm.ptr<1>, i32, i32, i32, vector<2xi32>)

// CHECK-LABEL: llvm.func spir_kernelcc @builtin
// CHECK-NOT: llvm.alloca
// CHECK: %[[BASE:.+]] = llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64
// CHECK: %[[X:.+]] = llvm.extractelement %arg4
// CHECK: %[[Y:.+]] = llvm.extractelement %arg4
// CHECK: %[[FIRST:.+]] = llvm.call spir_funccc @mlt_block_read_16b_8r16x1_v8i16(%[[BASE]], %arg1, %arg2, %arg3, %[[X]], %[[Y]]) {convergent, no_unwind}
// CHECK: %[[EIGHT:.+]] = llvm.mlir.constant(8 : i32)
// CHECK: %[[Y8:.+]] = llvm.add %[[Y]], %[[EIGHT]]
// CHECK: llvm.call spir_funccc @mlt_block_read_16b_8r16x1_v8i16(%[[BASE]], %arg1, %arg2, %arg3, %[[X]], %[[Y8]])
// CHECK: llvm.store %[[FIRST]], %arg5
// CHECK-NOT: prefetch
// CHECK: llvm.return
llvm.func spir_kernelcc @builtin(%a: !llvm.ptr<1>, %w: i32, %h: i32, %p: i32, %xy: vector<2xi32>, %o: !llvm.ptr<1>) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %buffer = llvm.alloca %one x !llvm.array<64 x i16> : (i32) -> !llvm.ptr
  llvm.call spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x2cPU3AS1viiiDv2_iPt(%a, %w, %h, %p, %xy, %buffer) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  %v = llvm.load %buffer : !llvm.ptr -> vector<64xi16>
  %s = llvm.shufflevector %v, %v [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xi16>
  llvm.store %s, %o : vector<8xi16>, !llvm.ptr<1>
  llvm.call spir_funccc @_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i(%a, %w, %h, %p, %xy) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>) -> ()
  llvm.return
}

// A buffer whose address goes elsewhere stays.
// CHECK-LABEL: llvm.func spir_kernelcc @buffer_escapes
// CHECK: %[[BUFFER:.+]] = llvm.alloca
// CHECK: llvm.store %{{.+}}, %[[BUFFER]] {alignment = 2 : i64} : vector<64xi16>
// CHECK: llvm.store %[[BUFFER]], %arg5
llvm.func spir_kernelcc @buffer_escapes(%a: !llvm.ptr<1>, %w: i32, %h: i32, %p: i32, %xy: vector<2xi32>, %o: !llvm.ptr<1>) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %buffer = llvm.alloca %one x !llvm.array<64 x i16> : (i32) -> !llvm.ptr
  llvm.call spir_funccc @_Z42intel_sub_group_2d_block_read_16b_32r16x2cPU3AS1viiiDv2_iPt(%a, %w, %h, %p, %xy, %buffer) : (!llvm.ptr<1>, i32, i32, i32, vector<2xi32>, !llvm.ptr) -> ()
  llvm.store %buffer, %o : !llvm.ptr, !llvm.ptr<1>
  llvm.return
}

// GenISA passes sizes minus one.
// CHECK-LABEL: llvm.func spir_kernelcc @genisa
// CHECK: %[[W:.+]] = llvm.add %arg1, %{{.+}} : i32
// CHECK: llvm.call spir_funccc @mlt_block_read_16b_8r16x1_v8i16(%arg0, %[[W]],
// CHECK: llvm.call spir_funccc @mlt_block_write_32b_8r16x1_v8f32(%arg0, {{.+}}, %arg2)
llvm.func spir_kernelcc @genisa(%a: i64, %w: i32, %f: vector<8xf32>, %o: !llvm.ptr<1>) {
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %false = llvm.mlir.constant(false) : i1
  %v = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v64i16(%a, %w, %w, %w, %w, %w, %c16, %c16, %c32, %c2, %false, %false, %c1) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32) -> vector<64xi16>
  llvm.store %v, %o : vector<64xi16>, !llvm.ptr<1>
  llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockWrite.v8f32(%a, %w, %w, %w, %w, %w, %c32, %c16, %c8, %c1, %false, %false, %c1, %f) : (i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i1, i32, vector<8xf32>) -> ()
  llvm.return
}
}

// Arguments are those of lane 0; the low bits of the base are cut off; one
// branch covers the column that the rows share, rows are clamped.
// BODY-LABEL: llvm.func internal spir_funccc @mlt_block_read_16b_8r16x1_v8i16
// BODY-SAME: attributes {convergent, no_inline, no_unwind}
// BODY-DAG: %[[MASK:.+]] = llvm.mlir.constant(-64 : i64)
// BODY: %[[BASE:.+]] = llvm.call spir_funccc @_Z19sub_group_broadcastlj(%arg0
// BODY: %[[W:.+]] = llvm.call spir_funccc @_Z19sub_group_broadcastij(%arg1
// BODY: %[[LANE:.+]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv()
// BODY: llvm.and %[[BASE]], %[[MASK]]
// BODY: llvm.cond_br %{{.+}}, ^bb1, ^bb2
// BODY: ^bb1:
// BODY-COUNT-8: llvm.load %{{.+}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// BODY-NOT: llvm.load
// BODY: llvm.br ^bb2
// BODY: ^bb2(
// BODY-COUNT-8: llvm.insertelement
// BODY: llvm.return
