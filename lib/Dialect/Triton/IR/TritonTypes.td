//===- TritonTypes.td - types of the tt dialect ---------------------------===//
//
// Two types of our own, and the constraints that operations put on operands.
// Tensors are always builtin ranked tensors.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONTYPES_TD
#define MLTC_DIALECT_TRITON_TRITONTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "Dialect/Triton/IR/TritonDialect.td"

class TT_TypeDef<string name, string typeMnemonic>
    : TypeDef<Triton_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TT_PtrType : TT_TypeDef<"Pointer", "ptr"> {
  let summary = "pointer to a scalar, or to a block of a tensor";
  let description = [{
    `!tt.ptr<f16>` points to an element of global memory. `!tt.ptr<tensor<..>>`
    is a block pointer: base, shape, strides and the offsets of the block.
    Address space 1 (global memory) is the default and is not printed.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::mlir::Type":$pointeeType, CArg<"int", "1">:$addressSpace), [{
      return $_get(pointeeType.getContext(), pointeeType, addressSpace);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "descriptor of a tensor in memory, read and written in blocks";
  let description = [{
    `!tt.tensordesc<128x64xf16>` names the shape and element type of the blocks.
    The older spelling `!tt.tensordesc<tensor<128x64xf16>>` is accepted. The
    element type may be a signed or unsigned integer; values loaded through
    the descriptor are signless. `layout` is whatever attribute followed.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    OptionalParameter<"::mlir::Attribute">:$layout
  );
  let builders = [
    TypeBuilderWithInferredContext<(ins
        "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
        CArg<"::mlir::Attribute", "{}">:$layout), [{
      return $_get(elementType.getContext(), shape, elementType, layout);
    }]>,
    TypeBuilderWithInferredContext<(ins
        "::mlir::RankedTensorType":$blockType), [{
      return $_get(blockType.getContext(), blockType.getShape(),
                   blockType.getElementType(), blockType.getEncoding());
    }]>
  ];
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    /// The block as a tensor type, with the element type as written.
    ::mlir::RankedTensorType getBlockType() const;
    /// The block as the tensor type that a load produces.
    ::mlir::RankedTensorType getSignlessBlockType() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// Scalars.
def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E4M3B11FNUZ, F8E5M2,
                          F8E5M2FNUZ, F16, BF16, F32, F64], "floating-point">;
def TT_Int : AnyTypeOf<[I1, I<4>, I8, I16, I32, I64], "integer">;

// Pointers.
class TT_PtrTo<Type pointee, string summary>
    : DialectType<Triton_Dialect,
        And<[CPred<"::llvm::isa<::mlir::tt::PointerType>($_self)">,
             SubstLeaves<"$_self",
               "::llvm::cast<::mlir::tt::PointerType>($_self).getPointeeType()",
               pointee.predicate>]>,
        summary, "::mlir::tt::PointerType">;
def TT_Ptr : TT_PtrTo<AnyType, "pointer">;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor],
                           "pointer or tensor of pointers">;

// Tensors.
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_FpIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_TensorPtr : TT_PtrTo<TT_Tensor, "block pointer">;

// A scalar or a tensor of it.
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor],
                             "floating-point scalar or tensor">;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor], "integer scalar or tensor">;
def TT_BoolLike : AnyTypeOf<[I1, RankedTensorOf<[I1]>], "i1 scalar or tensor">;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>],
                           "i64 scalar or tensor">;

def TT_Type : AnyTypeOf<[TT_FloatLike, TT_IntLike, TT_PtrLike, TT_TensorPtr],
                        "scalar, pointer or tensor of those">;

#endif // MLTC_DIALECT_TRITON_TRITONTYPES_TD
