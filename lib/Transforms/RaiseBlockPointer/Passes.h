//===- Passes.h - tensors of pointers to block pointers ------------------===//
#ifndef MLTC_TRANSFORMS_RAISEBLOCKPOINTER_PASSES_H
#define MLTC_TRANSFORMS_RAISEBLOCKPOINTER_PASSES_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/RaiseBlockPointer/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_RAISEBLOCKPOINTER_PASSES_H
