//===- Triton.h - everything of the tt dialect ----------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITON_H
#define MLTC_DIALECT_TRITON_TRITON_H

#include "Dialect/Triton/IR/TritonAttrs.h"
#include "Dialect/Triton/IR/TritonDialect.h"
#include "Dialect/Triton/IR/TritonOps.h"
#include "Dialect/Triton/IR/TritonTypes.h"

#endif // MLTC_DIALECT_TRITON_TRITON_H
