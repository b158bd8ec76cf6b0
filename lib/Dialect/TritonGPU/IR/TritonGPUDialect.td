//===- TritonGPUDialect.td - layout encodings of ML-Triton ----*- tablegen -*-===//
//
// The `ttg` dialect says how the elements of a workgroup
// tile are split over the warps (sub-groups) of the workgroup. Unlike stock
// Triton's encodings, these stop at the warp: which lane holds which element is
// decided much later, by one table in the lowering to LLVM.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_DIALECT_TRITONGPU_TD
#define MLTC_DIALECT_TRITONGPU_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def TritonGPU_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::mlir::ttg";
  let summary = "layout encodings: how a workgroup tile is split over warps";
  let description = [{
    Attributes of tensor types at the level "workgroup + layout":

    ```mlir
    #blocked = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
    #dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
    #row = #ttg.slice<{dim = 1, parent = #blocked}>
    ```

    and the module attributes `ttg.num-warps` (i32, warps of a workgroup, a power
    of two in 1..64) and `ttg.threads-per-warp` (i32, lanes of a warp). The older
    dialect prefix `triton_gpu` is accepted on input and printed as `ttg`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerOps();
    static constexpr ::llvm::StringLiteral kNumWarpsAttr = "ttg.num-warps";
    static constexpr ::llvm::StringLiteral kThreadsPerWarpAttr =
        "ttg.threads-per-warp";
  }];
  let hasOperationAttrVerify = 1;
}

#endif // MLTC_DIALECT_TRITONGPU_TD
