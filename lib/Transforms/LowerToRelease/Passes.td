//===- Passes.td - the Triton IR of one release ---------------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_LOWERTORELEASE_PASSES_TD
#define MLTC_TRANSFORMS_LOWERTORELEASE_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToRelease : Pass<"lower-to-triton-release", "::mlir::ModuleOp"> {
  let summary = "leaves only what a release of Triton knows";
  let description = [{
    Operations that had another name in the release get it; the barrier of the
    `ttg` dialect becomes `gpu.barrier` where the release has none. Anything else
    that the release does not know is an error at the operation. How the text of
    the release is written is the business of the printer;
    `mlt-opt --triton-version` asks for both.

    Before:

    ```mlir
    %v = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    ```

    After, with `release=3.3`:

    ```mlir
    %v = tt.experimental_descriptor_load %d[%i, %j] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    ```
  }];
  let options = [
    Option<"release", "release", "::mlir::tt::TritonRelease",
           "::mlir::tt::TritonRelease::Newest", "the release of Triton",
           [{::llvm::cl::values(
             clEnumValN(::mlir::tt::TritonRelease::V3_2, "3.2", "Triton 3.2"),
             clEnumValN(::mlir::tt::TritonRelease::V3_3, "3.3", "Triton 3.3"),
             clEnumValN(::mlir::tt::TritonRelease::V3_5, "3.5", "Triton 3.5"),
             clEnumValN(::mlir::tt::TritonRelease::V3_7, "3.7", "Triton 3.7"),
             clEnumValN(::mlir::tt::TritonRelease::V3_9, "3.9", "Triton 3.9"))}]>
  ];
  let statistics = [
    Statistic<"numRenamed", "renamed", "operations with another name now">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::tt::TritonDialect"];
}

#endif // MLTC_TRANSFORMS_LOWERTORELEASE_PASSES_TD
