//===- Passes.td - tensor descriptors to block pointers -------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_PASSES_TD
#define MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def RewriteTensorDescriptor
    : Pass<"rewrite-tensor-descriptor", "::mlir::ModuleOp"> {
  let summary = "turns accesses through tensor descriptors into block pointers";
  let description = [{
    A descriptor becomes a bundle of scalars (base, shape, strides), also through
    loops and branches; every access makes its block pointer on the spot, with
    all dimensions checked against the bounds and the padding of the descriptor.
    Reductions, gathers and scatters through
    descriptors become tensors of pointers.

    A kernel argument of descriptor type becomes base, sizes (i64), strides (i64),
    a padding and a rounding flag (i1), as stock Triton's launcher passes them;
    each gets `mlt.arg_kind`. What the descriptor class promises (contiguous last
    dimension, padding with zeros, no rounding) is recorded in `mlt.preconditions`
    and checked at launch.

    Before:

    ```mlir
    %d = tt.make_tensor_descriptor %p, [%n, %k], [%s, %c1_i64] : <bf16>, <128x64xbf16>
    %b = tt.descriptor_load %d[%x, %y] : !tt.tensordesc<128x64xbf16> -> tensor<128x64xbf16>
    ```

    After:

    ```mlir
    %q = tt.make_tensor_ptr %p, [%n64, %k64], [%s, %c1_i64], [%x, %y] {order = array<i32: 1, 0>} : <tensor<128x64xbf16>>
    %b = tt.load %q {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<128x64xbf16>>
    ```
  }];
  let statistics = [
    Statistic<"numAccesses", "accesses", "accesses through descriptors">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tt::TritonDialect"];
}

#endif // MLTC_TRANSFORMS_REWRITETENSORDESCRIPTOR_PASSES_TD
