//===- Passes.h - the Triton IR of one release ----------------------------===//
#ifndef MLTC_TRANSFORMS_LOWERTORELEASE_PASSES_H
#define MLTC_TRANSFORMS_LOWERTORELEASE_PASSES_H

#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/Triton/IR/TritonRelease.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/LowerToRelease/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LOWERTORELEASE_PASSES_H
