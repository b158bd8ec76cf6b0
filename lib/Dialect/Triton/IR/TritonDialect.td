//===- TritonDialect.td - the tt dialect ----------------------------------===//
//
// The level at which kernels enter: one value is a whole tile of the
// work-group. The dialect is written so that the text printed by stock Triton
// 3.2 to 3.9 is read. Where releases differ the newest form is printed, or that of
// the release that a tool asks for (TritonRelease.h).
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONDIALECT_TD
#define MLTC_DIALECT_TRITON_TRITONDIALECT_TD

include "mlir/IR/OpBase.td"

def Triton_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::mlir::tt";
  let summary = "Tile programs of a work-group, as Triton's front end writes them";
  let description = [{
    Values are scalars, ranked static tensors, pointers, pointers to blocks of a
    tensor in memory and tensor descriptors. Tensor types may carry an encoding;
    the dialect never interprets it, it only asks that the operands and results
    of an elementwise operation carry the same one.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect"
  ];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // MLTC_DIALECT_TRITON_TRITONDIALECT_TD
