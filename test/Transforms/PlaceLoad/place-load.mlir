// RUN: mlt-opt %s --place-load=registers=24 | %filecheck %s --check-prefixes=CHECK,TIGHT
// RUN: mlt-opt %s --place-load | %filecheck %s --check-prefixes=CHECK,WIDE

// A takes 4 registers, each B 8 and each accumulator 8. With 24 registers the
// second B has no place beside the first, with those of a thread it has. Pieces
// are taken where they are used.

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// CHECK-LABEL: tt.func @two
// TIGHT: %[[B0:.*]] = tt.load %arg0
// TIGHT: tt.dot %arg2, %[[B0]],
// TIGHT: %[[B1:.*]] = tt.load %arg1
// TIGHT-NEXT: %[[X:.*]] = arith.addf %[[B1]]
// TIGHT-NEXT: tt.dot %arg2, %[[X]],
// WIDE: tt.load %arg0
// WIDE-NEXT: tt.load %arg1
// WIDE-NEXT: tt.dot
// WIDE-NEXT: arith.addf
tt.func @two(%p0: !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>, %p1: !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>, %a: tensor<8x16xf16>, %c: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %b1 = tt.load %p1 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  %x = arith.addf %b1, %b1 : tensor<16x16xf16, #mlt.operand<b>>
  %b0 = tt.load %p0 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  %d0 = tt.dot %a, %b0, %c : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %d1 = tt.dot %a, %x, %c : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  tt.return %d0, %d1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A load does not go ahead of what makes its pointer, even where those before it
// went ahead of everything.

// CHECK-LABEL: tt.func @pointer
// CHECK: tt.load %arg0
// CHECK: %[[P:.*]] = tt.advance
// CHECK: tt.load %[[P]]
tt.func @pointer(%p0: !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>, %i: i32) -> (tensor<16x16xf16, #mlt.operand<b>>, tensor<16x16xf16, #mlt.operand<b>>) {
  %x = arith.muli %i, %i : i32
  %p1 = tt.advance %p0, [%x, %i] : <tensor<16x16xf16, #mlt.operand<b>>>
  %b0 = tt.load %p0 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  %b1 = tt.load %p1 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  tt.return %b0, %b1 : tensor<16x16xf16, #mlt.operand<b>>, tensor<16x16xf16, #mlt.operand<b>>
}

// No load crosses a write or a barrier for its memory, in either direction.

// CHECK-LABEL: tt.func @ordered
// CHECK: tt.load %arg0
// CHECK: mlt.barrier global
// CHECK: tt.load %arg1
tt.func @ordered(%p0: !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>, %p1: !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>, %a: tensor<8x16xf16>, %c: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %b0 = tt.load %p0 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  mlt.barrier global
  %b1 = tt.load %p1 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  %d0 = tt.dot %a, %b0, %c : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %d1 = tt.dot %a, %b1, %c : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  tt.return %d0, %d1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A barrier for shared memory orders no load of global memory.

// CHECK-LABEL: tt.func @memories
// CHECK: tt.load %arg1
// CHECK: mlt.barrier
// CHECK: tt.load %arg0
// CHECK-NEXT: tt.dot
tt.func @memories(%p0: !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>, %p1: !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>, 3>, %a: tensor<8x16xf16>, %c: tensor<8x16xf32>, %c1: tensor<8x16xf32>, %c2: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %b0 = tt.load %p0 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  %b1 = tt.load %p1 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>, 3>
  mlt.barrier
  %d0 = tt.dot %a, %b0, %c : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %d1 = tt.dot %a, %b1, %c1 : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  tt.return %d0, %d1 : tensor<8x16xf32>, tensor<8x16xf32>
}

}
