//===- Passes.td - the language extension becomes ops ---------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_MATERIALIZEMARKERS_PASSES_TD
#define MLTC_TRANSFORMS_MATERIALIZEMARKERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def MaterializeMarkers : Pass<"materialize-markers", "::mlir::ModuleOp"> {
  let summary = "turns the markers of the language extension into mlt operations";
  let description = [{
    Stock Triton has no operation for what the paper's language extension says
    (section 3.2), so `mltc.language` writes markers that any Triton accepts:

    | marker | becomes |
    |---|---|
    | `tt.elementwise_inline_asm "mlt.warp_level"` | the attribute `mlt.warp_level` of the kernel |
    | `tt.elementwise_inline_asm "mlt.warp_id"` | `mlt.warp_id` |
    | `tt.elementwise_inline_asm "mlt.barrier"` | `mlt.barrier` |
    | `tt.elementwise_inline_asm "mlt.alloc 1x128"` | `mlt.alloc` in address space 3 |
    | `tt.elementwise_inline_asm "mlt.prefetch"` of a loaded block | `mlt.prefetch` of the block; a descriptor's block is a cast until descriptors are rewritten |
    | `tt.reduce {mlt.cross_warp}` over a leading axis of extent 1 | `mlt.cross_warp_reduce` |

    The address of an allocation is retyped to address space 3 wherever it goes,
    also across loops, branches and choices; one that goes where it cannot be
    followed, or may be one of global memory as well, is refused. So are markers
    (but for prefetches) outside of a warp-level kernel, what all warps do together
    (barriers, reductions across warps) where not every warp gets, `mlt.dst_warps`
    out of range, and a store or another reduction across warps of a value that
    only `mlt.dst_warps` have by a warp that is certainly none of them.

    Before:

    ```mlir
    %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
    ```

    After:

    ```mlir
    %w = mlt.warp_id : i32
    ```
  }];
  let options = [
    Option<"numWarps", "num-warps", "std::string", /*default=*/"\"\"",
           "Warps per workgroup; empty takes the module's ttg.num-warps.">
  ];
  let statistics = [
    Statistic<"numMarkers", "markers", "markers that became operations">
  ];
  let dependentDialects = ["::mlir::mlt::MLTDialect"];
}

#endif // MLTC_TRANSFORMS_MATERIALIZEMARKERS_PASSES_TD
