//===- TritonDescriptorOps.td - tensor descriptors ------------------------===//
//
// The second way to name a block of a tensor: the descriptor knows the tensor
// in memory and the block shape, every access brings its offsets.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONDESCRIPTOROPS_TD
#define MLTC_DIALECT_TRITON_TRITONDESCRIPTOROPS_TD

include "Dialect/Triton/IR/TritonOpBase.td"

def TT_DescRead : Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>]>;
def TT_DescWrite : Arg<TT_TensorDescType, "", [MemWrite<TT_GlobalMemory>]>;
def TT_DescReadWrite : Arg<TT_TensorDescType, "",
    [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [
    Pure, SameVariadicOperandSize]> {
  let summary = "describe a tensor in memory and the blocks it is accessed in";
  let description = [{
    `strides` are in elements. Every load through the descriptor is checked
    against `shape`; elements outside get the value that `padding` says.
  }];
  let arguments = (ins TT_Ptr:$base, Variadic<I32>:$shape,
    Variadic<I64>:$strides,
    DefaultValuedAttr<TT_PaddingOptionAttr,
                      "::mlir::tt::PaddingOption::PAD_ZERO">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` custom<OperandLists>($shape, $strides) attr-dict `:`
    type($base) `,` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorLoadOp : TT_Op<"descriptor_load"> {
  let summary = "read a block";
  let description = [{
    The result has the block's shape; leading dimensions of size 1 may be
    missing from it.
  }];
  let arguments = (ins TT_DescRead:$desc, Variadic<I32>:$indices,
    DefaultValuedAttr<TT_CacheModifierAttr, "::mlir::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::mlir::tt::EvictionPolicy::NORMAL">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` ``
    custom<DescriptorLoadHints>($cache, $evict, attr-dict) `:`
    qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store"> {
  let summary = "write a block; elements outside of the tensor are dropped";
  let arguments = (ins TT_DescWrite:$desc, TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:`
    qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce"> {
  let summary = "combine a block with what memory holds, atomically";
  let arguments = (ins TT_DescriptorReduceKindAttr:$kind,
                       TT_DescReadWrite:$desc, TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict `:`
    qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather"> {
  let summary = "read rows chosen by a tensor of row numbers";
  let arguments = (ins TT_DescRead:$desc, RankedTensorOf<[I16, I32]>:$x_offsets,
                       I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter"> {
  let summary = "write rows chosen by a tensor of row numbers";
  let arguments = (ins TT_DescWrite:$desc, RankedTensorOf<[I16, I32]>:$x_offsets,
                       I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

// What 3.2 and 3.3 had before the operations above. The untyped descriptor is a
// pointer to an object that only one vendor's hardware understands.
def TT_RawDesc : AnyTypeOf<[TT_Ptr, TT_TensorDescType],
                           "pointer or tensor descriptor">;

def TT_ExperimentalDescriptorLoadOp : TT_Op<"experimental_descriptor_load", [
    MemoryEffects<[MemRead<TT_GlobalMemory>]>]> {
  let summary = "read a block through an older descriptor";
  let arguments = (ins TT_RawDesc:$desc_ptr, Variadic<I32>:$indices,
    DefaultValuedAttr<TT_CacheModifierAttr, "::mlir::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::mlir::tt::EvictionPolicy::NORMAL">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc_ptr `[` $indices `]`
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc_ptr)) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_ExperimentalDescriptorStoreOp : TT_Op<"experimental_descriptor_store", [
    MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "write a block through an older descriptor";
  let arguments = (ins TT_RawDesc:$desc_ptr, TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc_ptr `[` $indices `]` `,` $src attr-dict `:`
    qualified(type($desc_ptr)) `,` type($src)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_ExperimentalDescriptorGatherOp
    : TT_Op<"experimental_descriptor_gather"> {
  let summary = "older name of descriptor_gather";
  let arguments = (ins TT_DescRead:$desc, RankedTensorOf<[I32]>:$x_offsets,
                       I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_ExperimentalDescriptorScatterOp
    : TT_Op<"experimental_descriptor_scatter"> {
  let summary = "older name of descriptor_scatter";
  let arguments = (ins TT_DescWrite:$desc, RankedTensorOf<[I32]>:$x_offsets,
                       I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_ReinterpretTensorDescOp : TT_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "give a type to an untyped descriptor";
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))
  }];
}

def TT_ExperimentalTensormapCreateOp : TT_Op<"experimental_tensormap_create", [
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>]> {
  let summary = "write an untyped descriptor to memory";
  let arguments = (ins TT_Ptr:$desc_ptr, TT_Ptr:$global_address,
    Variadic<I32>:$box_dim, Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride, Variadic<I32>:$element_stride,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<15>]>:$elem_type,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<2>]>:$interleave_layout,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<3>]>:$swizzle_mode,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1>]>:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]`
    `,` `[` $global_stride `]` `,` `[` $element_stride `]` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_ExperimentalTensormapFenceproxyAcquireOp
    : TT_Op<"experimental_tensormap_fenceproxy_acquire", [
    MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "make an untyped descriptor visible to the accesses through it";
  let arguments = (ins TT_Ptr:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

#endif // MLTC_DIALECT_TRITON_TRITONDESCRIPTOROPS_TD
