//===- LoopMotion.h - values that move evenly in a loop -------------------===//
#ifndef MLTC_ANALYSIS_LOOPMOTION_H
#define MLTC_ANALYSIS_LOOPMOTION_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::mlt {

/// How an integer moves: its value in the first iteration and what each
/// iteration adds to it, null when it stays. Both exist in front of the loop.
struct Motion {
  Value start;
  Value step;
};

/// A loop of blocks with one way in and one way round.
class LoopMotion {
public:
  /// Null when `loop` is not of that form.
  static std::optional<LoopMotion> get(CFGLoop *loop);

  Block *getHeader() const { return header; }
  Block *getPredecessor() const { return predecessor; }
  Block *getLatch() const { return latch; }

  bool contains(Block *block) const { return loop->contains(block); }

  /// `value` in front of the loop, where computing it again if need be is
  /// possible and free of effects; else null.
  Value hoist(Value value) const;

  /// The motion of `value`: what the loop carries and adds to, sums, products
  /// and quotients of that with what does not change, and one of two by a
  /// condition that does not change.
  std::optional<Motion> find(Value value) const;

  /// Carries one more value: returns the header's argument, which is `start` in
  /// the first iteration. `setNext` completes it.
  BlockArgument carry(Value start) const;
  void setNext(Value next) const;

private:
  LoopMotion(CFGLoop *loop, Block *header, Block *predecessor, Block *latch)
      : loop(loop), header(header), predecessor(predecessor), latch(latch) {}

  std::optional<Motion> findCarried(BlockArgument argument) const;
  std::optional<Motion> findComputed(Operation *op) const;
  std::optional<Motion> findSelected(LLVM::SelectOp op) const;

  CFGLoop *loop;
  Block *header, *predecessor, *latch;
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_LOOPMOTION_H
