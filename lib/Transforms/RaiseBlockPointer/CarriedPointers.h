//===- CarriedPointers.h - block pointers that loops advance ----*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_RAISEBLOCKPOINTER_CARRIEDPOINTERS_H
#define MLTC_TRANSFORMS_RAISEBLOCKPOINTER_CARRIEDPOINTERS_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::mlt {

/// A block pointer made in front of a loop, used at its first position by
/// accesses inside of it, and how far every iteration moves it.
struct CarriedPointer {
  Value pointer;
  SmallVector<Value> steps;
};

/// Carries the pointers around the loop; their uses in it move along.
void carryPointers(scf::ForOp loop, ArrayRef<CarriedPointer> pointers);

/// Makes values that loops carry for nobody but themselves constant in the
/// loop, so that canonicalization can take them out.
void freezeUnusedCarriedValues(Operation *root);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_RAISEBLOCKPOINTER_CARRIEDPOINTERS_H
