//===- TritonMemoryOps.td - pointers, loads, stores and atomics -----------===//
#ifndef MLTC_DIALECT_TRITON_TRITONMEMORYOPS_TD
#define MLTC_DIALECT_TRITON_TRITONMEMORYOPS_TD

include "Dialect/Triton/IR/TritonOpBase.td"

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [
    Pure, SameVariadicOperandSize,
    TypesMatchWith<"the base points to the element type of the block",
                   "result", "base", "::mlir::tt::getElementPointerType($_self)">]> {
  let summary = "pointer to a block of a tensor in memory";
  let description = [{
    `shape` and `strides` (in elements) describe the tensor in memory,
    `offsets` the first element of the block. `order` lists the dimensions from
    the one that is contiguous in memory outwards.
  }];
  let arguments = (ins TT_Ptr:$base, Variadic<I64>:$shape,
                       Variadic<I64>:$strides, Variadic<I32>:$offsets,
                       DenseI32ArrayAttr:$order);
  let results = (outs TT_TensorPtr:$result);
  let assemblyFormat = [{
    $base `,` custom<OperandLists>($shape, $strides, $offsets)
    attr-dict `:` type($result)
  }];
  let builders = [OpBuilder<(ins
    "::mlir::Value":$base, "::mlir::ValueRange":$shape,
    "::mlir::ValueRange":$strides, "::mlir::ValueRange":$offsets,
    "::llvm::ArrayRef<int32_t>":$tensorShape,
    "::llvm::ArrayRef<int32_t>":$order)>];
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [
    Pure, TypesMatchWith<"the result has the type of the pointer",
                         "result", "ptr", "$_self">]> {
  let summary = "move a block pointer by a count of elements per dimension";
  let arguments = (ins TT_TensorPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_TensorPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_LoadOp : TT_Op<"load", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TypesMatchWith<"the result has the type pointed to",
                   "ptr", "result", "::mlir::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask has the shape pointed to",
                   "ptr", "mask", "::mlir::tt::getMaskType($_self)">,
    OptionalTypesMatchWith<"the other value has the type pointed to",
                   "ptr", "other", "::mlir::tt::getPointeeType($_self)">]> {
  let summary = "read through a pointer, a tensor of pointers or a block pointer";
  let description = [{
    Where `mask` is false memory is not touched and the result is `other`, or
    undefined without it. For a block pointer, `boundaryCheck` lists the
    dimensions that may reach outside of the tensor; elements outside
    get the value that `padding` says, or an undefined one without it.
  }];
  let arguments = (ins
    AnyTypeOf<[TT_PtrLike, TT_TensorPtr]>:$ptr,
    Optional<TT_BoolLike>:$mask,
    Optional<TT_Type>:$other,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    OptionalAttr<TT_PaddingOptionAttr>:$padding,
    DefaultValuedAttr<TT_CacheModifierAttr, "::mlir::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::mlir::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Type:$result);
  let builders = [
    // Pointer or tensor of pointers; mask and other may be null.
    OpBuilder<(ins "::mlir::Value":$ptr,
      CArg<"::mlir::Value", "{}">:$mask, CArg<"::mlir::Value", "{}">:$other,
      CArg<"CacheModifier", "CacheModifier::NONE">:$cache,
      CArg<"EvictionPolicy", "EvictionPolicy::NORMAL">:$evict,
      CArg<"bool", "false">:$isVolatile)>,
    // Block pointer.
    OpBuilder<(ins "::mlir::Value":$ptr,
      "::llvm::ArrayRef<int32_t>":$boundaryCheck,
      "std::optional<PaddingOption>":$padding,
      CArg<"CacheModifier", "CacheModifier::NONE">:$cache,
      CArg<"EvictionPolicy", "EvictionPolicy::NORMAL">:$evict,
      CArg<"bool", "false">:$isVolatile)>
  ];
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? ``
    custom<LoadHints>($cache, $evict, attr-dict) `:` type($ptr)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_StoreOp : TT_Op<"store", [
    TypesMatchWith<"the value has the type pointed to",
                   "ptr", "value", "::mlir::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask has the shape pointed to",
                   "ptr", "mask", "::mlir::tt::getMaskType($_self)">]> {
  let summary = "write through a pointer, a tensor of pointers or a block pointer";
  let arguments = (ins
    Arg<AnyTypeOf<[TT_PtrLike, TT_TensorPtr]>, "", [MemWrite<TT_GlobalMemory>]>:$ptr,
    TT_Type:$value,
    Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
    DefaultValuedAttr<TT_CacheModifierAttr, "::mlir::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::mlir::tt::EvictionPolicy::NORMAL">:$evict);
  let builders = [
    // Pointer or tensor of pointers; the mask may be null.
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value,
      CArg<"::mlir::Value", "{}">:$mask,
      CArg<"CacheModifier", "CacheModifier::NONE">:$cache,
      CArg<"EvictionPolicy", "EvictionPolicy::NORMAL">:$evict)>,
    // Block pointer.
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value,
      "::llvm::ArrayRef<int32_t>":$boundaryCheck,
      CArg<"CacheModifier", "CacheModifier::NONE">:$cache,
      CArg<"EvictionPolicy", "EvictionPolicy::NORMAL">:$evict)>
  ];
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? ``
    custom<StoreHints>($cache, $evict, attr-dict) `:` type($ptr)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

class TT_AtomicOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([SameOperandsAndResultShape, TT_SameEncoding],
                                  traits)>;

def TT_AtomicPtr : Arg<TT_PtrLike, "",
    [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TT_AtomicRMWOp : TT_AtomicOp<"atomic_rmw"> {
  let summary = "combine a value with memory and return what was there";
  let arguments = (ins TT_RMWOpAttr:$atomic_rmw_op, TT_AtomicPtr:$ptr,
                       TT_Type:$val, Optional<TT_BoolLike>:$mask,
                       TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)?
    attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicCASOp : TT_AtomicOp<"atomic_cas"> {
  let summary = "replace what memory holds if it equals a value";
  let description = [{
    Writes `val` where memory equals `cmp`; the result is what memory held.
  }];
  let arguments = (ins TT_AtomicPtr:$ptr, TT_Type:$cmp, TT_Type:$val,
                       TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

// An acquire load orders the accesses that follow, so it counts as a write.
def TT_AtomicLoadOp : TT_AtomicOp<"atomic_load"> {
  let summary = "read memory atomically";
  let arguments = (ins TT_AtomicPtr:$ptr, Optional<TT_BoolLike>:$mask,
                       TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicStoreOp : TT_Op<"atomic_store", [
    TypesMatchWith<"the value has the type pointed to",
                   "ptr", "value", "::mlir::tt::getPointeeType($_self)">,
    OptionalTypesMatchWith<"the mask has the shape pointed to",
                   "ptr", "mask", "::mlir::tt::getMaskType($_self)">]> {
  let summary = "write memory atomically";
  let arguments = (ins TT_AtomicPtr:$ptr, TT_Type:$value,
                       Optional<TT_BoolLike>:$mask,
                       TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}

def TT_AtomicPollOp : TT_Op<"atomic_poll"> {
  let summary = "wait until memory holds a value";
  let description = [{
    Returns true when every element was seen to hold `expected`, false when the
    time given by `timeout` (nanoseconds) ran out first.
  }];
  let arguments = (ins TT_AtomicPtr:$ptr, TT_IntLike:$expected,
                       Optional<I64>:$timeout,
                       TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:`
    type($ptr) `,` type($expected) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "print a text and values from the device";
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Type>:$args,
                       DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = [{
    $prefix attr-dict (`:` $args^ `:` type($args))?
  }];
  let hasVerifier = 1;
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "stop with a message where a condition is false";
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

#endif // MLTC_DIALECT_TRITON_TRITONMEMORYOPS_TD
