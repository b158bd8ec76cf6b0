//===- MLTOps.td - operations of ML-Triton --------------------*- tablegen -*-===//
#ifndef MLTC_MLT_OPS_TD
#define MLTC_MLT_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "Dialect/MLT/IR/MLTAttrs.td"

class MLT_Op<string mnemonic, list<Trait> traits = []>
    : Op<MLT_Dialect, mnemonic, traits>;

/// Shared local memory as the effect resource of barriers and SLM operations.
def MLT_SLM : Resource<"::mlir::mlt::SLMResource">;

def MLT_AnyTensor : Type<CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
                                   "ranked tensor", "::mlir::RankedTensorType">;
def MLT_F32Tensor : Type<
    CPred<"::llvm::isa<::mlir::RankedTensorType>($_self) && "
          "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType().isF32()">,
    "ranked tensor of f32", "::mlir::RankedTensorType">;
def MLT_BlockPointer : Type<
    CPred<"::mlir::tt::isBlockPointer($_self)">, "pointer to a tensor">;
def MLT_ElementPointer : Type<
    CPred<"::llvm::isa<::mlir::tt::PointerType>($_self) && "
          "!::mlir::tt::isBlockPointer($_self)">,
    "pointer to an element">;

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

def MLT_WarpIdOp : MLT_Op<"warp_id", [Pure]> {
  let summary = "linear id of the current warp within its workgroup";
  let description = [{
    0 <= id < number of warps. The same for all lanes of a warp.

    ```mlir
    %w = mlt.warp_id : i32
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def MLT_ConvertLayoutOp : MLT_Op<"convert_layout", [Pure]> {
  let summary = "moves a tensor from one layout over the warps to another";
  let description = [{
    Only at the level "workgroup + layout": source and result have the same
    shape and element type and carry `#ttg` encodings for the same number of
    warps. Inserted where two roots disagree; goes through shared local memory,
    unless both layouts give every warp the same elements.

    ```mlir
    %y = mlt.convert_layout %x : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
    ```
  }];
  let arguments = (ins MLT_AnyTensor:$source);
  let results = (outs MLT_AnyTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pieces of tiles
//===----------------------------------------------------------------------===//

def MLT_ExtractOp : MLT_Op<"extract", [Pure]> {
  let summary = "a rectangular piece of a tile";
  let description = [{
    The piece of the result's shape that starts at `offsets` (elements, one per
    dimension). Offsets are multiples of the piece's shape, and the piece lies
    inside the source. Both have the same element type and encoding. Lowered to
    sub-register access, without moves.

    ```mlir
    %p = mlt.extract %t[8, 16] : tensor<32x32xf16> to tensor<8x16xf16>
    ```
  }];
  let arguments = (ins MLT_AnyTensor:$source, DenseI64ArrayAttr:$offsets);
  let results = (outs MLT_AnyTensor:$result);
  let assemblyFormat = [{
    $source `` $offsets attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def MLT_GlueOp : MLT_Op<"glue", [Pure]> {
  let summary = "a tile put together from equal pieces";
  let description = [{
    The inverse of `extract`: `pieces`, all of one type, in row-major order over
    the grid of pieces (last dimension fastest), form the result.

    ```mlir
    %t = mlt.glue %a, %b : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x64xf16>
    ```
  }];
  let arguments = (ins Variadic<MLT_AnyTensor>:$pieces);
  let results = (outs MLT_AnyTensor:$result);
  let assemblyFormat = [{
    $pieces attr-dict `:` functional-type($pieces, $result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MLT_ConvertOperandOp : MLT_Op<"convert_operand", [Pure]> {
  let summary = "moves a tile into the register image of a dot operand, or "
                "from there";
  let description = [{
    Source and result have the same shape and element type; one of them carries
    `#mlt.operand`, the other has the plain tile layout. Inserted where a dot
    operand is computed rather than loaded, and where a message gives what is no
    operand B in the image of one.

    ```mlir
    %b = mlt.convert_operand %p : tensor<16x16xf16> to tensor<16x16xf16, #mlt.operand<b>>
    ```
  }];
  let arguments = (ins MLT_AnyTensor:$source);
  let results = (outs MLT_AnyTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def MLT_RoundTF32Op : MLT_Op<"round_tf32", [Pure, Elementwise,
    SameOperandsAndResultType]> {
  let summary = "rounds f32 to the nearest tf32, ties to even";
  let description = [{
    The result is an f32 whose low 13 mantissa bits are zero. The dot
    instruction drops these bits (it truncates), so operands are rounded first
    unless the dot asks for less.

    ```mlir
    %r = mlt.round_tf32 %x : tensor<32x32xf32>
    ```
  }];
  let arguments = (ins MLT_F32Tensor:$source);
  let results = (outs MLT_F32Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def MLT_PrefetchOp : MLT_Op<"prefetch", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "brings a block into the caches";
  let description = [{
    Reads the block that `ptr` points to into L1 and L3. Elements outside the
    bounds of the pointer's tensor are skipped. Has no other effect; may be
    dropped.

    With `part i of n` only the i-th of n equal ranges of the warps has to do
    it: the layout of `ptr` deals the whole block out to each of the ranges, so
    that the others can fetch another block meanwhile.

    ```mlir
    mlt.prefetch %p : !tt.ptr<tensor<8x32xf16>>
    mlt.prefetch %q part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
    ```
  }];
  let arguments = (ins MLT_BlockPointer:$ptr, OptionalAttr<I32Attr>:$part,
                       OptionalAttr<I32Attr>:$parts);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr), [{
    build($_builder, $_state, ptr, ::mlir::IntegerAttr(),
          ::mlir::IntegerAttr());
  }]>];
  let assemblyFormat = [{
    $ptr (`part` $part^ `of` $parts)? attr-dict `:` qualified(type($ptr))
  }];
  let hasVerifier = 1;
}

def MLT_SubBlockOp : MLT_Op<"sub_block", [Pure]> {
  let summary = "a block pointer to a part of a block";
  let description = [{
    The part begins at `offsets` (i32, elements, one per dimension) of the block
    that `ptr` points to, and is part of the same tensor. With `transposed`, for
    two dimensions, the result has them in the other order. For warps that load
    parts of one block; `legalize-block-io` makes it and takes it apart.

    ```mlir
    %q = mlt.sub_block %p[%row, %c0]
        : !tt.ptr<tensor<32x64xf16>> -> !tt.ptr<tensor<4x64xf16>>
    ```
  }];
  let arguments = (ins MLT_BlockPointer:$ptr, Variadic<I32>:$offsets,
                       UnitAttr:$transposed);
  let results = (outs MLT_BlockPointer:$result);
  let assemblyFormat = [{
    $ptr `[` $offsets `]` (`transposed` $transposed^)? attr-dict `:`
    qualified(type($ptr)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def MLT_LoadRowsOp : MLT_Op<"load_rows", [
    MemoryEffects<[MemRead]>]> {
  let summary = "loads a tile whose rows are contiguous, wherever they begin";
  let description = [{
    A tile of one or two dimensions, in global or shared local memory. Its first
    element is at `start`, the others of its row behind it, and the next row
    begins `pitch` elements (i64) further. With `transposed` that is said of its
    columns. With `packed p` a row in memory holds p rows of the tile, element i
    of all of them before element i + 1 of any. Asks for no tensor
    around the tile, as 2-D block messages do: every element has to be in
    memory, and every row to begin at a multiple of `block_1d`'s
    `load_alignment_bytes` of the target. Lowered to 1-D block messages, or, where
    rows are spread over lanes, to a vector of each row per lane. Rows without
    a gap between them are one.

    ```mlir
    %a = mlt.load_rows %start pitch %k : !tt.ptr<f16> -> tensor<32x16xf16>
    %v = mlt.load_rows %start : !tt.ptr<f32> -> tensor<128xf32>
    %b = mlt.load_rows %shared pitch %c32 packed 2 : !tt.ptr<f16, 3>
        -> tensor<16x16xf16, #mlt.operand<b>>
    ```
  }];
  let arguments = (ins MLT_ElementPointer:$start, Optional<I64>:$pitch,
                       UnitAttr:$transposed,
                       DefaultValuedOptionalAttr<I32Attr, "1">:$packed);
  let results = (outs MLT_AnyTensor:$result);
  let assemblyFormat = [{
    $start (`pitch` $pitch^)? (`transposed` $transposed^)? (`packed` $packed^)?
    attr-dict `:` qualified(type($start)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def MLT_StoreRowsOp : MLT_Op<"store_rows", [MemoryEffects<[MemWrite]>]> {
  let summary = "stores a tile whose rows are contiguous, wherever they begin";
  let description = [{
    The counterpart of `load_rows` for plain tiles. Every row begins at a
    multiple of `block_1d`'s `store_alignment_bytes`.

    ```mlir
    mlt.store_rows %t, %start pitch %n : tensor<8x16xf32>, !tt.ptr<f32>
    ```
  }];
  let arguments = (ins MLT_AnyTensor:$value, MLT_ElementPointer:$start,
                       Optional<I64>:$pitch,
                       DefaultValuedOptionalAttr<I32Attr, "1">:$packed);
  let assemblyFormat = [{
    $value `,` $start (`pitch` $pitch^)? (`packed` $packed^)? attr-dict `:`
    type($value) `,` qualified(type($start))
  }];
  let hasVerifier = 1;
}

def MLT_AllocOp : MLT_Op<"alloc", [MemoryEffects<[MemAlloc<MLT_SLM>]>]> {
  let summary = "a block of shared local memory";
  let description = [{
    One block of `shape` elements of the pointee type in the workgroup's shared
    local memory, row-major, aligned to 64 bytes. Every warp gets the same
    address. `offset` (bytes) is set by the SLM planner.

    ```mlir
    %p = mlt.alloc {shape = array<i64: 1, 128>} : !tt.ptr<f16, 3>
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$shape, OptionalAttr<I32Attr>:$offset);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

class MLT_BarrierBase<string mnemonic> : MLT_Op<mnemonic, [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let assemblyFormat = "attr-dict";
}

def MLT_BarrierOp : MLT_BarrierBase<"barrier"> {
  let summary = "waits until every warp of the workgroup is here";
  let description = [{
    Accesses to shared local memory before the barrier are visible to all warps
    behind it; with `global` those to global memory are as well. All warps must
    reach it.

    ```mlir
    mlt.barrier
    mlt.barrier global
    ```
  }];
  let arguments = (ins UnitAttr:$global);
  let assemblyFormat = "(`global` $global^)? attr-dict";
  let builders = [OpBuilder<(ins CArg<"bool", "false">:$global), [{
    if (global)
      $_state.addAttribute("global", $_builder.getUnitAttr());
  }]>];
  let skipDefaultBuilders = 1;
}

def MLT_BarrierArriveOp : MLT_BarrierBase<"barrier_arrive"> {
  let summary = "first half of a split barrier: signals, does not wait";
  let description = [{
    What a warp does between the two halves overlaps with the wait for the
    others. Every warp reaches both halves, one of each in turn. No pass makes
    them: they are for kernels that are written at the level of warps, as a
    `.warp` file.

    ```mlir
    tt.store %mine, %x : tensor<16x!tt.ptr<f32, 3>>
    mlt.barrier_arrive
    %y = math.exp %x : tensor<16xf32>
    mlt.barrier_wait
    %z = tt.load %others : tensor<16x!tt.ptr<f32, 3>>
    ```
  }];
}

def MLT_BarrierWaitOp : MLT_BarrierBase<"barrier_wait"> {
  let summary = "second half of a split barrier: waits for all signals";
  let description = [{
    Accesses to shared local memory that a warp did before it signalled
    (`mlt.barrier_arrive`) are visible to all warps behind this.
  }];
}

//===----------------------------------------------------------------------===//
// Reductions across warps
//===----------------------------------------------------------------------===//

def MLT_CrossWarpReduceOp : MLT_Op<"cross_warp_reduce", [
    SingleBlock, RecursiveMemoryEffects]> {
  let summary = "combines the values of several warps element by element";
  let description = [{
    Groups of `size` warps whose ids are `stride` apart combine their `srcs`
    with the region, whose block takes the accumulated and the new scalars of
    all sources and ends in `mlt.yield`. Shapes do not change. The result is
    defined in every warp of the group, or only in `dst_warps`. Goes through
    shared local memory.

    ```mlir
    %m = mlt.cross_warp_reduce %x size 8 stride 4 {
    ^bb0(%a: f32, %b: f32):
      %r = arith.maxnumf %a, %b : f32
      mlt.yield %r : f32
    } : (tensor<16xf32>) -> tensor<16xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$srcs, I64Attr:$size, I64Attr:$stride,
                       OptionalAttr<DenseI32ArrayAttr>:$dst_warps);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $srcs `size` $size `stride` $stride (`dst_warps` $dst_warps^)? $combine
    attr-dict `:` functional-type($srcs, $results)
  }];
  let hasRegionVerifier = 1;
}

def MLT_YieldOp : MLT_Op<"yield", [Pure, ReturnLike, Terminator,
    HasParent<"CrossWarpReduceOp">]> {
  let summary = "ends the region of a reduction across warps";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // MLTC_MLT_OPS_TD
