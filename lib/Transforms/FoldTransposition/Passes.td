//===- Passes.td - loads in the order of their use ------------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_FOLDTRANSPOSITION_PASSES_TD
#define MLTC_TRANSFORMS_FOLDTRANSPOSITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FoldTransposition : Pass<"fold-transposition", "::mlir::ModuleOp"> {
  let summary = "loads what is used transposed in the order of its use";
  let description = [{
    Block messages bring operands of products in either order, but a tile that is
    in registers is transposed element by element, over lanes. `tt.trans` of what
    was loaded becomes a load through a transposed pointer; operations on single
    elements between the two (conversions, scales) follow.

    A pointer that loops carry gets a transposed twin that they carry beside it,
    and goes where nobody is left to use it. A block that is used in both orders
    is loaded twice where the transposed one is an operand of a product: a
    message costs a few instructions, a transposition dozens for every 16 x 16
    elements. Tensors of pointers are transposed instead of what they load when
    nothing else uses that.

    Left alone: volatile loads; pointers that `scf.while`, conditions or branches
    choose; and, with a remark (`layout-conversion`), operands of products that
    are not loaded.

    Before:

    ```mlir
    %p = tt.make_tensor_ptr %k, [%n, %c64], [%s, %c1], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<32x64xf16>>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    ```

    After:

    ```mlir
    %q = tt.make_tensor_ptr %k, [%c64, %n], [%c1, %s], [%c0, %i] {order = array<i32: 0, 1>} : <tensor<64x32xf16>>
    %t = tt.load %q {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<64x32xf16>>
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "transpositions that are loads now">,
    Statistic<"numLeft", "left", "transpositions that stay">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::tt::TritonDialect"];
}

#endif // MLTC_TRANSFORMS_FOLDTRANSPOSITION_PASSES_TD
