//===- Passes.td - when blocks are loaded ------------------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_PLACELOAD_PASSES_TD
#define MLTC_TRANSFORMS_PLACELOAD_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlaceLoad : Pass<"place-load", "::mlir::ModuleOp"> {
  let summary = "loads blocks as early as registers allow";
  let description = [{
    A tile that was split is loaded by many messages, all in front of the first
    dot. The vector backend keeps that order, and what does not fit into the
    registers then spills. This pass puts every block load, with what only takes
    pieces of it or converts it, in front of its first use, and from there back
    as far as the tiles that live meanwhile leave it room, so that the load has
    time to arrive. Loads are in the order of their first uses afterwards. None
    crosses a write to memory or a barrier.

    Runs on pieces, behind `match-target-size` and `assign-operand-layout`.

    Before:

    ```mlir
    %b0 = tt.load %p0 : !tt.ptr<tensor<16x16xf16>>
    %b1 = tt.load %p1 : !tt.ptr<tensor<16x16xf16>>
    %d0 = tt.dot %a, %b0, %c0 : ...
    %d1 = tt.dot %a, %b1, %c1 : ...
    ```

    After, with no room for both:

    ```mlir
    %b0 = tt.load %p0 : !tt.ptr<tensor<16x16xf16>>
    %d0 = tt.dot %a, %b0, %c0 : ...
    %b1 = tt.load %p1 : !tt.ptr<tensor<16x16xf16>>
    %d1 = tt.dot %a, %b1, %c1 : ...
    ```
  }];
  let options = [
    Option<"registers", "registers", "int64_t", /*default=*/"0",
           "registers that tiles may take; 0: three quarters of what a thread "
           "has, the rest being for addresses and what the backend adds">
  ];
  let statistics = [
    Statistic<"numMoved", "loads-moved", "loads that are elsewhere now">
  ];
  let dependentDialects = ["::mlir::tt::TritonDialect"];
}

#endif // MLTC_TRANSFORMS_PLACELOAD_PASSES_TD
