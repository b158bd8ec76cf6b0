//===- LayoutRules.cpp - how one operation relates layouts
//------------------===//
//
// The paper's propagation rules (2.1): a dot gives its operands dot_op of its
// result, a reduction gives a slice, everything else wants one encoding for
// all. The operations that the paper does not name change the shape; for them
// the rule follows from what the encoding means (WarpMap): a warp keeps the
// elements that it has.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/LayoutRules.h"
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Which rule
//===----------------------------------------------------------------------===//

static bool hasTensors(Operation *op) {
  auto isTensor = [](Type type) { return getTensorType(type) != nullptr; };
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

static bool forwardsOperands(Operation *op) {
  return isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
             BranchOpInterface>(op);
}

LayoutRule mlt::getLayoutRule(Operation *op) {
  if (!hasTensors(op))
    return LayoutRule::None;
  return llvm::TypeSwitch<Operation *, LayoutRule>(op)
      .Case([](tt::DotOp) { return LayoutRule::Dot; })
      .Case([](tt::DotScaledOp) { return LayoutRule::DotScaled; })
      .Case([](tt::ReduceOp) { return LayoutRule::Reduce; })
      .Case([](tt::ExpandDimsOp) { return LayoutRule::ExpandDims; })
      .Case([](tt::TransOp) { return LayoutRule::Trans; })
      .Case([](tt::ReshapeOp) { return LayoutRule::Reshape; })
      .Case([](tt::JoinOp) { return LayoutRule::Join; })
      .Case([](tt::SplitOp) { return LayoutRule::Split; })
      .Case([](tt::CatOp) { return LayoutRule::Cat; })
      .Case([](tt::GatherOp) { return LayoutRule::Gather; })
      .Case<tt::PrintOp, tt::HistogramOp, tt::UnsplatOp, mlt::ConvertLayoutOp>(
          [](auto) { return LayoutRule::Free; })
      .Case<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp,
            tt::AtomicLoadOp, tt::AtomicStoreOp, tt::AtomicPollOp, tt::ScanOp,
            tt::MapElementwiseOp, tt::AssertOp, tt::MakeTensorPtrOp,
            tt::AdvanceOp, tt::SplatOp, tt::BroadcastOp, tt::MakeRangeOp,
            mlt::PrefetchOp>([](auto) { return LayoutRule::Same; })
      .Default([](Operation *op) {
        if (op->hasTrait<OpTrait::Elementwise>() ||
            op->hasTrait<OpTrait::ConstantLike>() ||
            op->getDialect() ==
                op->getContext()->getLoadedDialect<arith::ArithDialect>() ||
            op->getDialect() ==
                op->getContext()->getLoadedDialect<math::MathDialect>())
          return LayoutRule::Same;
        return forwardsOperands(op) ? LayoutRule::ControlFlow
                                    : LayoutRule::Unsupported;
      });
}

bool mlt::isLooseRule(LayoutRule rule) {
  return rule != LayoutRule::Same && rule != LayoutRule::ControlFlow;
}

bool mlt::isLooseOperand(Operation *op, unsigned index) {
  LayoutRule rule = getLayoutRule(op);
  // The accumulator of a dot has the type of its result.
  if (rule == LayoutRule::Dot || rule == LayoutRule::DotScaled)
    return index != 2;
  // All sources of a reduction have one encoding.
  return rule == LayoutRule::Reduce ? op->getNumOperands() == 1
                                    : isLooseRule(rule);
}

bool mlt::isRematerializable(Operation *op) {
  LayoutRule rule = getLayoutRule(op);
  if (rule != LayoutRule::Same && rule != LayoutRule::ExpandDims)
    return false;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         op->getNumResults() == 1;
}

bool mlt::isWeakFromResult(Operation *op) {
  return isa<tt::ExpandDimsOp, tt::ReduceOp>(op);
}

bool mlt::isWeakFromOperand(Operation *op) { return isa<tt::ExpandDimsOp>(op); }

//===----------------------------------------------------------------------===//
// Encodings of changed shapes
//===----------------------------------------------------------------------===//

static RankedTensorType operandType(Operation *op, unsigned index) {
  return getTensorType(op->getOperand(index).getType());
}

static RankedTensorType resultType(Operation *op, unsigned index = 0) {
  return getTensorType(op->getResult(index).getType());
}

/// Applies `change` to the map of `encoding` on `shape` and names the result.
static Attribute mapEncoding(
    Attribute encoding, ArrayRef<int64_t> shape,
    llvm::function_ref<std::optional<WarpMap>(const WarpMap &)> change) {
  std::optional<WarpMap> map = WarpMap::get(shape, encoding);
  if (!map)
    return {};
  std::optional<WarpMap> changed = change(*map);
  return changed ? changed->toEncoding(encoding.getContext()) : Attribute();
}

static Attribute slice(Attribute parent, unsigned dim) {
  auto encoding = cast<ttg::WarpEncodingAttr>(parent);
  if (encoding.getRank() < 2)
    return {};
  return ttg::SliceEncodingAttr::get(parent.getContext(), dim, parent);
}

Attribute mlt::getUnslicedEncoding(Attribute encoding, unsigned axis,
                                   ArrayRef<int64_t> unslicedShape) {
  if (auto sliced = dyn_cast<ttg::SliceEncodingAttr>(encoding))
    if (sliced.getDim() == axis &&
        WarpMap::get(unslicedShape, sliced.getParent()))
      return sliced.getParent();
  SmallVector<int64_t> shape(unslicedShape);
  int64_t extent = shape[axis];
  shape.erase(shape.begin() + axis);
  return mapEncoding(encoding, shape, [&](const WarpMap &map) {
    return map.insertWhole(axis, extent);
  });
}

static Attribute permute(Attribute encoding, ArrayRef<int64_t> shape,
                         ArrayRef<int32_t> order) {
  return mapEncoding(encoding, shape,
                     [&](const WarpMap &map) { return map.permute(order); });
}

static SmallVector<int32_t> invert(ArrayRef<int32_t> order) {
  SmallVector<int32_t> inverse(order.size());
  for (auto [position, dim] : llvm::enumerate(order))
    inverse[dim] = position;
  return inverse;
}

/// True when `encoding` keeps the last dimension of `shape` in one warp.
static bool isLastWhole(Attribute encoding, ArrayRef<int64_t> shape) {
  std::optional<WarpMap> map = WarpMap::get(shape, encoding);
  return map && map->dims.back().tiles == 1;
}

/// The encoding along a dimension that grows or shrinks with the part of every
/// warp (concatenation in any order).
static Attribute resizeDim(Attribute encoding, ArrayRef<int64_t> shape,
                           int64_t numerator, int64_t denominator) {
  return mapEncoding(encoding, shape,
                     [&](WarpMap map) -> std::optional<WarpMap> {
                       int64_t size = map.dims.front().size * numerator;
                       if (size % denominator != 0)
                         return std::nullopt;
                       map.dims.front().size = size / denominator;
                       return map;
                     });
}

static Attribute makeWhole(Attribute encoding, ArrayRef<int64_t> shape,
                           unsigned axis, int64_t extent) {
  return mapEncoding(encoding, shape, [&](const WarpMap &map) {
    return map.makeWhole(axis, extent);
  });
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

Attribute mlt::getAnchorFromResult(Operation *op, unsigned index,
                                   Attribute encoding) {
  switch (getLayoutRule(op)) {
  case LayoutRule::Same:
  case LayoutRule::Dot:
  case LayoutRule::DotScaled:
  case LayoutRule::ExpandDims:
  case LayoutRule::Gather:
    return encoding;
  case LayoutRule::Reduce:
    return getUnslicedEncoding(encoding, cast<tt::ReduceOp>(op).getAxis(),
                               operandType(op, 0).getShape());
  case LayoutRule::Trans:
    return permute(encoding, resultType(op).getShape(),
                   invert(cast<tt::TransOp>(op).getOrder()));
  case LayoutRule::Reshape:
    return mapEncoding(encoding, resultType(op).getShape(),
                       [&](const WarpMap &map) {
                         return map.reshape(operandType(op, 0).getShape());
                       });
  case LayoutRule::Join:
    return isLastWhole(encoding, resultType(op).getShape())
               ? slice(encoding, resultType(op).getRank() - 1)
               : Attribute();
  case LayoutRule::Split:
    return getUnslicedEncoding(encoding, operandType(op, 0).getRank() - 1,
                               operandType(op, 0).getShape());
  case LayoutRule::Cat:
    return resizeDim(encoding, resultType(op).getShape(), 1, 2);
  default:
    return {};
  }
}

Attribute mlt::getAnchorFromOperand(Operation *op, unsigned index,
                                    Attribute encoding) {
  switch (getLayoutRule(op)) {
  case LayoutRule::Same:
  case LayoutRule::Reduce:
  case LayoutRule::Trans:
  case LayoutRule::Reshape:
  case LayoutRule::Join:
  case LayoutRule::Cat:
    return encoding;
  case LayoutRule::Dot:
  case LayoutRule::DotScaled:
    return index == 2 ? encoding : Attribute();
  case LayoutRule::ExpandDims: {
    // Only a slice knows how the dimension continues when it is broadcast.
    auto sliced = dyn_cast<ttg::SliceEncodingAttr>(encoding);
    if (sliced && sliced.getDim() == cast<tt::ExpandDimsOp>(op).getAxis())
      return sliced.getParent();
    return {};
  }
  case LayoutRule::Split:
    return isLastWhole(encoding, operandType(op, 0).getShape()) ? encoding
                                                                : Attribute();
  case LayoutRule::Gather:
    return index == 1 ? encoding : Attribute();
  default:
    return {};
  }
}

/// dot_op of `anchor` for operand `index`; scales of B lie transposed to B.
static Attribute getDotOperand(Operation *op, unsigned index,
                               Attribute anchor) {
  MLIRContext *context = anchor.getContext();
  if (index == 2)
    return anchor;
  auto scaled = dyn_cast<tt::DotScaledOp>(op);
  bool isBScale = scaled && scaled.getBScale() &&
                  op->getOperand(index) == scaled.getBScale() && index > 2 &&
                  index + 1 == op->getNumOperands();
  unsigned opIdx = index == 1 || isBScale ? 1 : 0;
  auto encoding = ttg::DotOperandEncodingAttr::get(context, opIdx, anchor);
  if (!isBScale)
    return encoding;
  SmallVector<int64_t> shape(operandType(op, index).getShape());
  SmallVector<int32_t> order =
      llvm::to_vector(llvm::seq<int32_t>(0, shape.size()));
  std::swap(order[shape.size() - 1], order[shape.size() - 2]);
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return permute(encoding, shape, order);
}

Attribute mlt::getOperandEncoding(Operation *op, unsigned index,
                                  Attribute anchor) {
  RankedTensorType type = operandType(op, index);
  if (!type)
    return {};
  switch (getLayoutRule(op)) {
  case LayoutRule::Same:
  case LayoutRule::Reduce:
  case LayoutRule::Trans:
  case LayoutRule::Reshape:
  case LayoutRule::Join:
  case LayoutRule::Split:
  case LayoutRule::Cat:
    return anchor;
  case LayoutRule::Dot:
  case LayoutRule::DotScaled:
    return getDotOperand(op, index, anchor);
  case LayoutRule::ExpandDims:
    return slice(anchor, cast<tt::ExpandDimsOp>(op).getAxis());
  case LayoutRule::Gather: {
    unsigned axis = cast<tt::GatherOp>(op).getAxis();
    return index == 1 ? anchor
                      : makeWhole(anchor, resultType(op).getShape(), axis,
                                  type.getDimSize(axis));
  }
  default:
    return {};
  }
}

Attribute mlt::getResultEncoding(Operation *op, unsigned index,
                                 Attribute anchor) {
  RankedTensorType type = resultType(op, index);
  if (!type)
    return {};
  switch (getLayoutRule(op)) {
  case LayoutRule::Same:
  case LayoutRule::Dot:
  case LayoutRule::DotScaled:
  case LayoutRule::ExpandDims:
  case LayoutRule::Gather:
    return anchor;
  case LayoutRule::Reduce:
    return slice(anchor, cast<tt::ReduceOp>(op).getAxis());
  case LayoutRule::Trans:
    return permute(anchor, operandType(op, 0).getShape(),
                   cast<tt::TransOp>(op).getOrder());
  case LayoutRule::Reshape:
    return mapEncoding(
        anchor, operandType(op, 0).getShape(),
        [&](const WarpMap &map) { return map.reshape(type.getShape()); });
  case LayoutRule::Join: {
    Attribute result =
        getUnslicedEncoding(anchor, type.getRank() - 1, type.getShape());
    if (result && isLastWhole(result, type.getShape()))
      return result;
    return mapEncoding(anchor, operandType(op, 0).getShape(),
                       [&](const WarpMap &map) {
                         return map.insertWhole(type.getRank() - 1, 2);
                       });
  }
  case LayoutRule::Split:
    return slice(anchor, operandType(op, 0).getRank() - 1);
  case LayoutRule::Cat:
    return resizeDim(anchor, operandType(op, 0).getShape(), 2, 1);
  default:
    return {};
  }
}

bool mlt::acceptsAnchor(Operation *op, Attribute anchor) {
  auto carries = [](RankedTensorType type, Attribute encoding) {
    return !type || WarpMap::get(type.getShape(), encoding).has_value();
  };
  if (!anchor)
    return false;
  if (auto split = dyn_cast<tt::SplitOp>(op))
    if (!isLastWhole(anchor, split.getSrc().getType().getShape()))
      return false;
  for (unsigned index : llvm::seq(op->getNumOperands()))
    if (!carries(operandType(op, index), getOperandEncoding(op, index, anchor)))
      return false;
  for (unsigned index : llvm::seq(op->getNumResults()))
    if (!carries(resultType(op, index), getResultEncoding(op, index, anchor)))
      return false;
  return true;
}
