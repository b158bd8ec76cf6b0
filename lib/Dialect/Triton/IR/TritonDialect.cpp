//===- TritonDialect.cpp - registration, constants and inlining -----------===//
//
// Ties the generated classes together. The inliner interface is what lets
// upstream's inliner flatten the private functions that Triton emits for helper
// functions of a kernel.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::tt;

#include "Dialect/Triton/IR/TritonDialect.cpp.inc"

namespace {

struct TritonInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  /// Kernels have no call stack: `noinline`, which only saves compile time, is
  /// not honoured.
  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }

  /// A return in a function of several blocks becomes a branch.
  void handleTerminator(Operation *op, Block *newDest) const final {
    auto returnOp = dyn_cast<ReturnOp>(op);
    if (!returnOp)
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), newDest, returnOp.getSrcs());
    op->erase();
  }

  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    auto returnOp = cast<ReturnOp>(op);
    for (auto [from, to] : llvm::zip(valuesToReplace, returnOp.getSrcs()))
      from.replaceAllUsesWith(to);
  }
};

} // namespace

void TritonDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Dialect/Triton/IR/TritonOps.cpp.inc"
      >();
  addInterfaces<TritonInlinerInterface>();
}

Operation *TritonDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// Promises about arguments are read by many analyses; a malformed one is
/// refused here, once.
LogicalResult TritonDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                      unsigned argIndex,
                                                      NamedAttribute attr) {
  if (attr.getName() != "tt.divisibility")
    return success();
  auto value = dyn_cast<IntegerAttr>(attr.getValue());
  if (value && value.getValue().isStrictlyPositive())
    return success();
  return op->emitOpError("expected a positive integer as tt.divisibility of "
                         "argument #")
         << argIndex << ", got " << attr.getValue();
}
