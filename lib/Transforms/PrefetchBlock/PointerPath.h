//===- PointerPath.h - where a block pointer goes in a loop -----*- C++ -*-===//
#ifndef MLTC_TRANSFORMS_PREFETCHBLOCK_POINTERPATH_H
#define MLTC_TRANSFORMS_PREFETCHBLOCK_POINTERPATH_H

#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::mlt {

/// A block pointer of a loop in closed form: the block of iteration i starts at
/// `offsets` + i * `steps`. All values are available in front of the loop.
struct PointerPath {
  Value base;
  SmallVector<Value> shape;   // i64, elements
  SmallVector<Value> strides; // i64, elements
  SmallVector<int32_t> order;
  SmallVector<Value> offsets; // i32, elements
  /// i32, elements per iteration; null where the block does not move.
  SmallVector<Value> steps;

  bool moves() const {
    return llvm::any_of(steps, [](Value step) { return bool(step); });
  }
};

/// The path of `pointer`, a block pointer that is used in the body of `loop`.
/// What it takes is computed in front of the loop; nothing is left behind when
/// there is no closed form.
std::optional<PointerPath> getPointerPath(scf::ForOp loop, Value pointer);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_PREFETCHBLOCK_POINTERPATH_H
