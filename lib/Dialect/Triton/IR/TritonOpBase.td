//===- TritonOpBase.td - what every operation of the tt dialect shares ----===//
#ifndef MLTC_DIALECT_TRITON_TRITONOPBASE_TD
#define MLTC_DIALECT_TRITON_TRITONOPBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Dialect/Triton/IR/TritonAttrs.td"
include "Dialect/Triton/IR/TritonDialect.td"
include "Dialect/Triton/IR/TritonTypes.td"

// Memory that outlives the kernel.
def TT_GlobalMemory : Resource<"::mlir::tt::GlobalMemory">;

// Tensors have a static shape, a power of two of elements, and not too many.
def TT_TensorSizeTrait : NativeOpTrait<"TensorSize"> {
  let cppNamespace = "::mlir::tt::traits";
}

// All tensors among operands (and results) carry the same encoding, or none.
def TT_SameEncoding : NativeOpTrait<"SameEncoding"> {
  let cppNamespace = "::mlir::tt::traits";
}
def TT_SameOperandsEncoding : NativeOpTrait<"SameOperandsEncoding"> {
  let cppNamespace = "::mlir::tt::traits";
}

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<Triton_Dialect, mnemonic, !listconcat(traits, [TT_TensorSizeTrait])>;

// One result element per operand element, at the same place.
class TT_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Elementwise, SameOperandsAndResultShape,
                                   TT_SameEncoding], traits)>;

#endif // MLTC_DIALECT_TRITON_TRITONOPBASE_TD
