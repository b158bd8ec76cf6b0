//===- Passes.h - loads in the order of their use ------------------------===//
#ifndef MLTC_TRANSFORMS_FOLDTRANSPOSITION_PASSES_H
#define MLTC_TRANSFORMS_FOLDTRANSPOSITION_PASSES_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/FoldTransposition/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_FOLDTRANSPOSITION_PASSES_H
