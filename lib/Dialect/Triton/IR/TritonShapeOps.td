//===- TritonShapeOps.td - making and reshaping tensors -------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONSHAPEOPS_TD
#define MLTC_DIALECT_TRITON_TRITONSHAPEOPS_TD

include "Dialect/Triton/IR/TritonOpBase.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "start, start + 1, ..., end - 1";
  let description = [{
    `start` and `end` are signed; their generated accessors are not, use
    `getStartAttr().getInt()` where the sign matters.
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_SplatOp : TT_Op<"splat", [
    Pure, SameOperandsAndResultElementType, TT_SameEncoding]> {
  let summary = "tensor of one value";
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [
    Pure, TypesMatchWith<"the result has the element type of the source",
                         "src", "result", "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "the only element of a tensor";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [
    Pure, SameOperandsAndResultElementType]> {
  let summary = "insert a dimension of size 1 at an axis";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let builders = [
    // For sources without an encoding.
    OpBuilder<(ins "::mlir::Value":$src, "int32_t":$axis)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [
    Pure, SameOperandsAndResultElementType, TT_SameEncoding]> {
  let summary = "repeat along dimensions of size 1";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure, SameOperandsAndResultElementType]> {
  let summary = "same elements in row-major order, another shape";
  let description = [{
    With `allow_reorder` the elements may end up in any order.
    `efficient_layout` asks to keep the layout of the result.
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)?
    (`efficient_layout` $efficient_layout^)?
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TT_TransOp : TT_Op<"trans", [Pure, SameOperandsAndResultElementType]> {
  let summary = "permute dimensions";
  let description = [{
    Dimension i of the result is dimension `order[i]` of the source.
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TT_JoinOp : TT_Op<"join", [
    Pure, SameTypeOperands, SameOperandsAndResultElementType]> {
  let summary = "two tensors side by side along a new last dimension";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_SplitOp : TT_Op<"split", [
    Pure, TypesMatchWith<"both results have the same type",
                         "outLHS", "outRHS", "$_self">]> {
  let summary = "the two halves along a last dimension of size 2";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

// Not speculatable-pure like the others: two equal tt.cat may order the
// elements differently, so they must not be merged blindly.
def TT_CatOp : TT_Op<"cat", [
    NoMemoryEffect, SameTypeOperands, SameOperandsAndResultElementType]> {
  let summary = "elements of two tensors, in an unspecified order";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "pick elements along one axis by index";
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // MLTC_DIALECT_TRITON_TRITONSHAPEOPS_TD
