//===- LayoutVerifier.cpp - checks that layouts are complete and agree
//------===//
//
// What the level "workgroup + layout" promises to the next pass, checked from
// the types alone and independently of how they were found.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/LayoutVerifier.h"
#include "Analysis/Layout/LayoutAnalysis.h"
#include "Analysis/Layout/LayoutRules.h"
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"

using namespace mlir;
using namespace mlir::mlt;

static LogicalResult verifyType(Operation *op, Type type, int64_t numWarps) {
  RankedTensorType tensor = getTensorType(type);
  if (!tensor)
    return success();
  if (!isa_and_present<ttg::WarpEncodingAttr>(tensor.getEncoding()))
    return op->emitError() << "expected a layout on every tensor, got " << type;
  std::optional<WarpMap> map =
      WarpMap::get(tensor.getShape(), tensor.getEncoding());
  if (!map)
    return op->emitError() << "expected a layout in which every element has an "
                              "owner, got "
                           << type;
  if (map->numWarps != numWarps)
    return op->emitError() << "expected a layout for " << numWarps
                           << " warps, got one for " << map->numWarps << ": "
                           << type;
  return success();
}

/// The encoding from which the rule of `op` derives the others.
static Attribute getAnchor(Operation *op) {
  switch (getLayoutRule(op)) {
  case LayoutRule::Dot:
  case LayoutRule::DotScaled:
  case LayoutRule::ExpandDims:
  case LayoutRule::Gather:
    return getEncoding(op->getResult(0).getType());
  default:
    for (Type type : op->getOperandTypes())
      if (Attribute encoding = getEncoding(type))
        return encoding;
    for (Type type : op->getResultTypes())
      if (Attribute encoding = getEncoding(type))
        return encoding;
    return {};
  }
}

static LogicalResult verifyRule(Operation *op) {
  LayoutRule rule = getLayoutRule(op);
  if (rule == LayoutRule::None || rule == LayoutRule::Free ||
      rule == LayoutRule::ControlFlow)
    return success();
  if (rule == LayoutRule::Unsupported)
    return op->emitError() << "'" << op->getName()
                           << "' has no rule for the layout of its tensors";
  Attribute anchor = getAnchor(op);
  auto agrees = [&](Type type, Attribute expected, bool loose) {
    RankedTensorType tensor = getTensorType(type);
    if (!tensor || tensor.getEncoding() == expected)
      return true;
    return loose && expected &&
           areEquivalent(tensor.getShape(), tensor.getEncoding(), expected);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    Attribute expected = getOperandEncoding(op, index, anchor);
    if (!agrees(operand.get().getType(), expected, isLooseOperand(op, index)))
      return op->emitError()
             << "expected operand " << index << " with the layout " << expected
             << ", got " << operand.get().getType();
  }
  for (OpResult result : op->getResults()) {
    Attribute expected =
        getResultEncoding(op, result.getResultNumber(), anchor);
    if (!agrees(result.getType(), expected, isLooseRule(rule)))
      return op->emitError()
             << "expected result " << result.getResultNumber()
             << " with the layout " << expected << ", got " << result.getType();
  }
  return success();
}

LogicalResult mlt::verifyLayouts(FunctionOpInterface func, int64_t numWarps) {
  for (Type type : func.getArgumentTypes())
    if (failed(verifyType(func, type, numWarps)))
      return failure();
  WalkResult result = func->walk([&](Operation *op) {
    if (op == func.getOperation())
      return WalkResult::advance();
    for (Type type : op->getResultTypes())
      if (failed(verifyType(op, type, numWarps)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(verifyType(op, type, numWarps)))
            return WalkResult::interrupt();
    return WalkResult(verifyRule(op));
  });
  return failure(result.wasInterrupted());
}
