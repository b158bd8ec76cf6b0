//===- MLTDialect.td - what ML-Triton adds to Triton ----------*- tablegen -*-===//
#ifndef MLTC_DIALECT_MLT_TD
#define MLTC_DIALECT_MLT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def MLT_Dialect : Dialect {
  let name = "mlt";
  let cppNamespace = "::mlir::mlt";
  let summary = "operations below the workgroup: warps, tile pieces, SLM";
  let description = [{
    The operations that the levels "warp" and "intrinsic" need beyond `tt`: the
    id of a warp, pieces of tiles (`extract`, `glue`), prefetch, shared local
    memory and barriers, reductions across warps, and the register image that a
    dot operand has in the hardware.

    Module attribute `mlt.target` (string): name of the target description that
    the passes read, for example `"pvc"`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::tt::TritonDialect"];
  let extraClassDeclaration = [{
    /// Module attribute: name of the target description.
    static constexpr ::llvm::StringLiteral kTargetAttr = "mlt.target";
    /// Hint on a dot: "horizontal", "vertical" or "square" (paper, 3.1).
    static constexpr ::llvm::StringLiteral kTilingAttr = "mlt.tiling";
    /// Kernel attribute with what the manifest says of the kernel.
    static constexpr ::llvm::StringLiteral kKernelAttr = "mlt.kernel";
  }];
}

#endif // MLTC_DIALECT_MLT_TD
