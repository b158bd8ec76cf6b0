//===- TritonDialect.h - the tt dialect -----------------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONDIALECT_H
#define MLTC_DIALECT_TRITON_TRITONDIALECT_H

#include "mlir/IR/Dialect.h"

#include "Dialect/Triton/IR/TritonDialect.h.inc"

#endif // MLTC_DIALECT_TRITON_TRITONDIALECT_H
