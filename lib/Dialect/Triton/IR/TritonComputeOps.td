//===- TritonComputeOps.td - dots, reductions, scans, histograms ----------===//
#ifndef MLTC_DIALECT_TRITON_TRITONCOMPUTEOPS_TD
#define MLTC_DIALECT_TRITON_TRITONCOMPUTEOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "Dialect/Triton/IR/TritonOpBase.td"

def TT_DotOp : TT_Op<"dot", [
    Pure, TypesMatchWith<"the result has the type of the accumulator",
                         "d", "c", "$_self">]> {
  let summary = "d = a * b + c of matrices";
  let description = [{
    The last two dimensions are rows and columns, an optional first one is a
    batch. `inputPrecision` says how f32 operands are taken.
  }];
  let arguments = (ins TT_FpIntTensor:$a, TT_FpIntTensor:$b, TT_FpIntTensor:$c,
    DefaultValuedAttr<TT_InputPrecisionAttr, "::mlir::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a`,` $b`,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
    type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "d = (a * a_scale) * (b * b_scale) + c, one scale per group along k";
  let description = [{
    `a_elem_type` and `b_elem_type` are the formats of the operands; those
    without a type of their own come in i8 (4-bit ones in pairs, packed along
    k, or along the other dimension where `lhs_k_pack` or `rhs_k_pack` is
    false). The operand list of 3.2, with the scales after commas, is read too.
  }];
  let arguments = (ins
    RankedTensorOf<[TT_Float, I8]>:$a, RankedTensorOf<[TT_Float, I8]>:$b,
    TT_FloatTensor:$c,
    Optional<RankedTensorOf<[TT_Float, I8]>>:$a_scale,
    Optional<RankedTensorOf<[TT_Float, I8]>>:$b_scale,
    TT_ScaleDotElemTypeAttr:$a_elem_type, TT_ScaleDotElemTypeAttr:$b_elem_type,
    DefaultValuedAttr<BoolAttr, "false">:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
    DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$d);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TT_ReduceOp : TT_Op<"reduce", [
    SameOperandsShape, TT_SameOperandsEncoding, SingleBlock,
    RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "combine the elements along one axis";
  let description = [{
    The region takes the accumulated and the next element of every operand (all
    accumulated ones first) and returns the combined ones. It is associative;
    the order of combination is not specified. Reducing the only axis
    gives scalars.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
  }];
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [
    HasParent<"ReduceOp">, Pure, Terminator, ReturnLike]> {
  let summary = "combined elements of a tt.reduce";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ScanOp : TT_Op<"scan", [
    SameOperandsAndResultShape, TT_SameEncoding, SingleBlock,
    RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "combine every element with those before it along one axis";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis,
                       DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::RankedTensorType> getInputTypes();
    ::llvm::SmallVector<::mlir::Type> getElementTypes();
  }];
}

def TT_ScanReturnOp : TT_Op<"scan.return", [
    HasParent<"ScanOp">, Pure, Terminator, ReturnLike]> {
  let summary = "combined elements of a tt.scan";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_HistogramOp : TT_Op<"histogram", [
    Pure, OptionalTypesMatchWith<"the mask has the shape of the source",
                   "src", "mask", "::mlir::tt::getMaskTypeOfShape($_self)">]> {
  let summary = "count how often each value 0, 1, ... occurs";
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = [{
    $src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // MLTC_DIALECT_TRITON_TRITONCOMPUTEOPS_TD
