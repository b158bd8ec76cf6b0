//===- Passes.td - workgroup tiles to workgroup tiles with layouts -*- tablegen -*-===//
#ifndef MLTC_CONVERSION_TRITONTOTRITONGPUWARP_PASSES_TD
#define MLTC_CONVERSION_TRITONTOTRITONGPUWARP_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTritonToTritonGPUWarp
    : Pass<"convert-triton-to-tritongpu-warp", "::mlir::ModuleOp"> {
  let summary = "gives every tensor a layout that says which warp owns what";
  let description = [{
    Finds the root operations of each function (dots, else reductions and scans,
    else memory accesses), tiles them for the number of warps, and derives the
    layout of every other tensor along def-use chains and control flow (the
    paper, section 2.1). The layout is decided once; no later pass refines it.

    - A dot is tiled square; the last dot of a chain (attention) horizontally, so
      that no warp needs a row of another. `mlt.tiling` = "horizontal",
      "vertical" or "square" on a dot overrides this; a hint that cannot be met
      is an error.
    - A reduced axis stays whole in a warp as long as there are enough rows.
    - Everything else is split evenly into chunks that are contiguous in memory.

    Constants, ranges, splats and arithmetic on those are made anew for each
    layout that wants them. Where two different layouts really meet, an
    `mlt.convert_layout` is inserted; GEMM and attention have none. Remarks say
    how each root was tiled (topic `tiling`) and why each conversion exists
    (topic `layout-conversion`).

    The number of warps is the option, else `ttg.num-warps` of the module, else
    chosen from the roots and the target. It is a power of two from 1 to 64.
    Afterwards the module carries `ttg.num-warps`, `ttg.threads-per-warp` and
    `mlt.target`.

    Before:

    ```mlir
    %a = tt.load %pa : !tt.ptr<tensor<256x32xf16>>
    %b = tt.load %pb : !tt.ptr<tensor<32x256xf16>>
    %d = tt.dot %a, %b, %c : tensor<256x32xf16> * tensor<32x256xf16> -> tensor<256x256xf32>
    ```

    After, with `num-warps=32`:

    ```mlir
    #blocked = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
    #dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
    #dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
    %a = tt.load %pa : !tt.ptr<tensor<256x32xf16, #dot0>>
    %b = tt.load %pb : !tt.ptr<tensor<32x256xf16, #dot1>>
    %d = tt.dot %a, %b, %c : tensor<256x32xf16, #dot0> * tensor<32x256xf16, #dot1> -> tensor<256x256xf32, #blocked>
    ```
  }];
  let options = [
    Option<"numWarps", "num-warps", "std::string", /*default=*/"\"\"",
           "warps of a workgroup: a power of two from 1 to 64, or auto">,
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "name of the target description (default: the module's, else pvc)">,
    Option<"printAnalysisOnly", "print-analysis-only", "bool",
           /*default=*/"false",
           "report workload, tilings and layouts as remarks, change nothing">
  ];
  let statistics = [
    Statistic<"numRoots", "roots", "root operations that were tiled">,
    Statistic<"numConversions", "conversions", "layout conversions inserted">,
    Statistic<"numClones", "clones",
              "cheap operations made again for another layout">
  ];
  let dependentDialects = ["::mlir::ttg::TritonGPUDialect",
                           "::mlir::mlt::MLTDialect"];
}

#endif // MLTC_CONVERSION_TRITONTOTRITONGPUWARP_PASSES_TD
