//===- Passes.h - when blocks are loaded ----------------------------------===//
#ifndef MLTC_TRANSFORMS_PLACELOAD_PASSES_H
#define MLTC_TRANSFORMS_PLACELOAD_PASSES_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/PlaceLoad/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_PLACELOAD_PASSES_H
