// RUN: mlt-opt %s --convert-xevm-to-builtin | %filecheck %s
// RUN: mlt-opt %s --convert-xevm-to-genisa | %filecheck %s
// RUN: mlt-opt %s --convert-xevm-to-builtin --emulate-intrinsics | %filecheck %s --check-prefix=CPU

// The address register is made in front of the loop; x moves by 32. On other
// devices nothing is left.

// CHECK-LABEL: llvm.func @moves
// CHECK: %[[WIDTH:.*]] = llvm.add %arg1, %{{.*}} : i32
// CHECK: %[[P:.*]] = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockCreateAddrPayload.p0(%{{.*}}, %[[WIDTH]], %{{.*}}, %{{.*}}, %arg4, %arg5, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NEXT: llvm.br ^bb1
// CHECK: ^bb2:
// CHECK: llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockPrefetchAddrPayload.p0(%[[P]],
// CHECK: %[[X:.*]] = llvm.mlir.constant(5 : i32)
// CHECK: llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockSetAddrPayloadField.p0.i32(%[[P]], %[[X]], %{{.*}}, %{{.*}})
// CHECK-NOT: SetAddrPayloadField.p0.i32(%[[P]]
// CHECK: llvm.br ^bb1
// CPU-LABEL: llvm.func @moves
// CPU-NOT: llvm.call
llvm.func @moves(%base: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x0: i32, %y: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^bb1(%c0, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %c32 = llvm.mlir.constant(32 : i32) : i32
  xevm.blockprefetch2d %base, %w, %h, %pitch, %x, %y {cache_control = #xevm.load_cache_control<L1c_L2uc_L3c>, elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32, v_blocks = 2 : i32} : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c1 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb3:
  llvm.return
}

// Where the way through the loop does not always pass the prefetch, or x is no
// sum, the register is made at the place.

// CHECK-LABEL: llvm.func @sometimes
// CHECK-NOT: AddrPayload
llvm.func @sometimes(%base: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x0: i32, %y: i32, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^bb1(%c0, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb5
^bb2:
  %product = llvm.mul %x, %x : i32
  xevm.blockprefetch2d %base, %w, %h, %pitch, %product, %y {elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32, v_blocks = 2 : i32} : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  %odd = llvm.trunc %i : i32 to i1
  llvm.cond_br %odd, ^bb3, ^bb4
^bb3:
  xevm.blockprefetch2d %base, %w, %h, %pitch, %x, %y {elem_size_in_bits = 16 : i32, tile_height = 8 : i32, tile_width = 16 : i32, v_blocks = 2 : i32} : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  llvm.br ^bb4
^bb4:
  %next = llvm.add %x, %c1 : i32
  %i1 = llvm.add %i, %c1 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb5:
  llvm.return
}
