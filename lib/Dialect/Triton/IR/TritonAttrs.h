//===- TritonAttrs.h - enumerations and attributes of the tt dialect ------===//
#ifndef MLTC_DIALECT_TRITON_TRITONATTRS_H
#define MLTC_DIALECT_TRITON_TRITONATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"

#include "Dialect/Triton/IR/TritonEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/Triton/IR/TritonAttrs.h.inc"

#endif // MLTC_DIALECT_TRITON_TRITONATTRS_H
