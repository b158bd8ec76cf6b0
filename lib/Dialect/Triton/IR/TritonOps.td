//===- TritonOps.td - all operations of the tt dialect --------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONOPS_TD
#define MLTC_DIALECT_TRITON_TRITONOPS_TD

include "Dialect/Triton/IR/TritonFuncOps.td"
include "Dialect/Triton/IR/TritonElementwiseOps.td"
include "Dialect/Triton/IR/TritonShapeOps.td"
include "Dialect/Triton/IR/TritonMemoryOps.td"
include "Dialect/Triton/IR/TritonDescriptorOps.td"
include "Dialect/Triton/IR/TritonComputeOps.td"

#endif // MLTC_DIALECT_TRITON_TRITONOPS_TD
