//===- Passes.h - the language extension becomes operations ---------------===//
#ifndef MLTC_TRANSFORMS_MATERIALIZEMARKERS_PASSES_H
#define MLTC_TRANSFORMS_MATERIALIZEMARKERS_PASSES_H

#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/MaterializeMarkers/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_MATERIALIZEMARKERS_PASSES_H
