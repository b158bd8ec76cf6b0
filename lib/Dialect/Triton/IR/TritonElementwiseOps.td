//===- TritonElementwiseOps.td - casts and arithmetic of the tt dialect ---===//
//
// Only what the arith and math dialects cannot say: pointers, 8-bit floats with
// a chosen rounding, and calls into code that the compiler does not see.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONELEMENTWISEOPS_TD
#define MLTC_DIALECT_TRITON_TRITONELEMENTWISEOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "Dialect/Triton/IR/TritonOpBase.td"

class TT_CastOp<string mnemonic, Type from, Type to>
    : TT_ElementwiseOp<mnemonic, [Pure]> {
  let arguments = (ins from:$src);
  let results = (outs to:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_IntToPtrOp : TT_CastOp<"int_to_ptr", TT_I64Like, TT_PtrLike> {
  let summary = "address to pointer";
}

def TT_PtrToIntOp : TT_CastOp<"ptr_to_int", TT_PtrLike, TT_I64Like> {
  let summary = "pointer to address";
}

def TT_BitcastOp : TT_CastOp<"bitcast", TT_Type, TT_Type> {
  let summary = "same bits, another type of the same width; pointers allowed";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_FpToFpOp : TT_ElementwiseOp<"fp_to_fp", [Pure]> {
  let summary = "floating-point conversion with an explicit rounding";
  let description = [{
    Converts from and to the 8-bit formats, and rounds as asked when the result
    is narrower than the source; then the rounding must be given.
  }];
  let arguments = (ins TT_FloatLike:$src,
                       OptionalAttr<TT_RoundingModeAttr>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` $rounding^)? `:`
    type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_ClampFOp : TT_Op<"clampf", [
    Elementwise, SameOperandsAndResultType, Pure]> {
  let summary = "nearest value inside of an interval";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max,
                       TT_PropagateNanAttr:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:`
    type($result)
  }];
}

def TT_PreciseSqrtOp : TT_Op<"precise_sqrt", [
    Elementwise, SameOperandsAndResultType, Pure]> {
  let summary = "square root, correctly rounded";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class TT_BinaryOp<string mnemonic, Type type> : TT_Op<mnemonic, [
    Elementwise, SameOperandsAndResultType, Pure]> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_BinaryOp<"precise_divf", TT_FloatLike> {
  let summary = "division, correctly rounded";
}

def TT_ApproxDivFOp : TT_BinaryOp<"approx_divf", TT_FloatLike> {
  let summary = "division of which a few last bits may be wrong";
}

def TT_MulhiUIOp : TT_BinaryOp<"mulhiui", TT_IntLike> {
  let summary = "upper half of an unsigned product";
}

def TT_AddPtrOp : TT_ElementwiseOp<"addptr", [
    Pure, TypesMatchWith<"the result has the type of the pointer",
                         "result", "ptr", "$_self">]> {
  let summary = "pointer plus a count of elements";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat =
      "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [
    Elementwise, TT_SameEncoding,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "call of a function of a device library on every element";
  let description = [{
    Calls `symbol` of the library `libname` found at `libpath`. `pure` promises
    that the function neither reads nor writes memory and always returns.
  }];
  let arguments = (ins Variadic<TT_Type>:$srcs, StrAttr:$libname,
                       StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Type:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, $result)";
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [
    Elementwise, TT_SameEncoding,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "assembly text applied to groups of elements";
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
                       I32Attr:$packed_element, Variadic<TT_Type>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = [{
    $asm_string attr-dict ($args^ `:` type($args))? `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [
    SameOperandsAndResultShape, TT_SameEncoding, RecursiveMemoryEffects]> {
  let summary = "scalar code applied to every element";
  let description = [{
    The region takes `pack` consecutive elements of every operand (all of the
    first operand, then all of the second, ...) and returns as many for every
    result. It may have several blocks.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return", [
    HasParent<"MapElementwiseOp">, Pure, Terminator, ReturnLike]> {
  let summary = "elements of the results of a tt.map_elementwise";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

#endif // MLTC_DIALECT_TRITON_TRITONELEMENTWISEOPS_TD
