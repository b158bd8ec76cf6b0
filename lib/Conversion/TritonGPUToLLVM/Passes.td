//===- Passes.td - from the intrinsic level to LLVM ------------*- tablegen -*-===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_PASSES_TD
#define MLTC_CONVERSION_TRITONGPUTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTritonGPUToLLVM
    : Pass<"convert-tritongpu-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lowers pieces of tiles to LLVM vectors and XeVM operations";
  let description = [{
    The last step of the flow (the paper, section 2.4). Each tensor is a piece
    that one instruction handles; it becomes one lane's share of it, a vector
    (`style=simt`), or one flat vector of one work-item per warp (`style=simd`,
    with the intrinsics of the vector compute backend). Which lane holds which
    element is defined once, by the lane table of `LaneLayout.h`. Block pointers become scalars: base, shape, strides
    and offsets. Block loads, stores, prefetches and dots become `xevm`
    operations, everything else LLVM and calls of OpenCL built-ins.

    Before:

    ```mlir
    %a = tt.load %pa : !tt.ptr<tensor<8x16xf16>>
    %d = tt.dot %a, %b, %c : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
    ```

    After (address computation left out):

    ```mlir
    %a = xevm.blockload2d %base, %width, %height, %pitch, %x, %y <{elem_size_in_bits = 16, tile_width = 16, tile_height = 8, v_blocks = 1, ...}> : ... -> vector<8xi16>
    %d = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
    ```

    A kernel becomes an `llvm.func` with the attribute `mlt.kernel`, which holds
    what the manifest says of it.
  }];
  let options = [
    Option<"style", "style", "std::string", "\"simt\"",
           "simt: a lane's share of a tile is a vector; simd: a whole tile is">,
    Option<"interface", "interface", "std::string", "\"builtin\"",
           "which device functions are called: builtin, genisa or portable in "
           "style simt, vc or vc-raw in style simd">
  ];
  let statistics = [
    Statistic<"numBlockMessages", "block-messages",
              "2-D block loads, stores and prefetches">,
    Statistic<"numDots", "dots", "dot instructions">,
    Statistic<"numShuffles", "shuffles", "moves of a register between lanes">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::xevm::XeVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::ub::UBDialect"
  ];
}

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_PASSES_TD
