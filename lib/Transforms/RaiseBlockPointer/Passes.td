//===- Passes.td - tensors of pointers to block pointers ------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_RAISEBLOCKPOINTER_PASSES_TD
#define MLTC_TRANSFORMS_RAISEBLOCKPOINTER_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseBlockPointer : Pass<"raise-block-pointer", "::mlir::ModuleOp"> {
  let summary = "turns dense accesses through tensors of pointers into block "
                "pointers";
  let description = [{
    Every load and store through a tensor of pointers that is a base plus a
    stride per dimension, one of which is 1, becomes one through a block pointer,
    when the mask says nothing but how far the tensor extends, and conditions
    that are the same for all elements:

    * A bound per dimension becomes the size and a boundary check. It may be
      written on any side and be reduced in a loop instead of the position
      being increased (`offsets < K - k * BLOCK`).
    * A dimension without one is as large as the tile, or as what all iterations
      of the loop access, and is not checked.
    * Rows whose bound is not known at the launch, or that may begin in front of
      the tensor, are those of a tensor that begins with the block.
    * An index that wraps around (`% M`, a minimum or a select) is taken as it
      is where every store and atomic leaves out what lies behind the bound.
    * Where a condition on all elements does not hold, or an offset needs more
      than 32 bits, the rows of the block lie behind those of the tensor.
    * Masked elements that are not zero are selected behind the load.

    Pointers and offsets that a loop carries become a block pointer that is
    advanced. Index arithmetic is taken not to overflow, arguments that bound a
    mask not to be negative, and divisors to be positive. A remark (topic
    `block-io`) names what stands against an access that is left alone.

    The function gets `mlt.raised`: what a tensor's size says of accesses says
    nothing of the arrays that the kernel is given.

    Before:

    ```mlir
    %v = tt.load %pointers, %mask : tensor<16x32x!tt.ptr<f16>>
    ```

    After:

    ```mlir
    %q = tt.make_tensor_ptr %p, [%m, %n], [%s, %c1_i64], [%y, %x] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %v = tt.load %q {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xf16>>
    ```
  }];
  let statistics = [
    Statistic<"numRaised", "raised", "accesses that use a block pointer now">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tt::TritonDialect"];
}

#endif // MLTC_TRANSFORMS_RAISEBLOCKPOINTER_PASSES_TD
