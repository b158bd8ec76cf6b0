//===- LayoutMaterializer.cpp - writes layouts into types
//-------------------===//
//
// The analysis answers two questions per value: which layout it is defined in,
// and which layout each use wants. This file makes the IR agree with both.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonToTritonGPUWarp/LayoutMaterializer.h"
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

static bool isTensor(Value value) {
  return getTensorType(value.getType()) != nullptr;
}

static void setEncoding(Value value, Attribute encoding) {
  value.setType(withEncoding(value.getType(), encoding));
}

/// Says at `op` that its value goes through shared local memory or lanes, and
/// who disagrees about its layout.
static void explainConversion(Operation *op, Attribute from, Attribute to,
                              llvm::Twine reason) {
  remarkMissed(op, topic::kLayout, [&](llvm::raw_ostream &os) {
    os << "layout conversion from " << from << " to " << to << ": " << reason;
  });
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// Gives results their types. An operation whose own layout makes a result in
/// another one than its users agreed on is followed by a conversion.
void LayoutMaterializer::setResultTypes(Operation *op) {
  Attribute anchor = analysis.lookupAnchor(op);
  bool loose = isLooseRule(getLayoutRule(op));
  for (OpResult result : op->getResults()) {
    if (!isTensor(result))
      continue;
    Attribute home = analysis.lookup(result);
    Attribute made =
        anchor ? getResultEncoding(op, result.getResultNumber(), anchor) : home;
    ArrayRef<int64_t> shape = getTensorType(result.getType()).getShape();
    if (made == home || !made || (loose && areEquivalent(shape, made, home))) {
      setEncoding(result, home);
      continue;
    }
    setEncoding(result, made);
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto converted = ConvertLayoutOp::create(
        builder, op->getLoc(), withEncoding(result.getType(), home), result);
    ++numConversions;
    explainConversion(op, made, home,
                      "'" + op->getName().getStringRef() +
                          "' makes the first, its users agree on the second");
    result.replaceAllUsesExcept(converted, converted);
  }
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// A constant carries its type in its value.
static void retypeConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return;
  auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  if (!value || !type)
    return;
  constant.setValueAttr(value.isSplat() ? value.resizeSplat(type)
                                        : value.reshape(type));
}

/// Operations that are done again rather than converting their result.
static constexpr unsigned kMaxRematerialized = 32;

/// True when the operand of a clone in layout `wanted` can be used as it is.
static bool canShare(OpOperand &operand, Attribute wanted) {
  Attribute given = getEncoding(operand.get().getType());
  return given == wanted ||
         (isLooseOperand(operand.getOwner(), operand.getOperandNumber()) &&
          areEquivalent(getTensorType(operand.get().getType()).getShape(),
                        given, wanted));
}

/// Whether `value` follows, by at most `budget` operations, from scalars and
/// from values whose layout suits both forms.
bool LayoutMaterializer::canRematerialize(Value value, Attribute encoding,
                                          unsigned &budget) const {
  Operation *op = value.getDefiningOp();
  if (!op || !isRematerializable(op) || budget == 0)
    return false;
  --budget;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (!isTensor(operand.get()))
      return true;
    Attribute wanted =
        getOperandEncoding(op, operand.getOperandNumber(), encoding);
    return canShare(operand, wanted) ||
           canRematerialize(operand.get(), wanted, budget);
  });
}

Value LayoutMaterializer::rematerialize(Value value, Attribute encoding) {
  auto [it, inserted] = clones.try_emplace({value, encoding}, Value());
  if (!inserted)
    return it->second;
  Operation *op = value.getDefiningOp();
  OpBuilder builder(op);
  Operation *clone = op->clone();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTensor(operand.get()))
      continue;
    unsigned index = operand.getOperandNumber();
    Attribute wanted = getOperandEncoding(op, index, encoding);
    if (!canShare(operand, wanted))
      clone->setOperand(index, rematerialize(operand.get(), wanted));
  }
  setEncoding(clone->getResult(0), encoding);
  retypeConstant(clone);
  builder.insert(clone);
  ++numClones;
  return clones[{value, encoding}] = clone->getResult(0);
}

/// Converts a matrix rather than the tensor of higher rank that transposes and
/// reshapes make of it: rows of a matrix go through memory as vectors, whereas
/// a dimension of two at the end would be moved element by element. Null where
/// the layout has no equal in front of them.
Value LayoutMaterializer::convertAboveViews(OpOperand &operand,
                                            Attribute encoding) {
  SmallVector<Operation *> views;
  OpOperand *source = &operand;
  Attribute wanted = encoding;
  for (Operation *op = operand.get().getDefiningOp();
       op && isa<tt::TransOp, tt::ReshapeOp>(op);
       op = source->get().getDefiningOp()) {
    Attribute anchor = getAnchorFromResult(op, 0, wanted);
    if (!anchor || !acceptsAnchor(op, anchor) ||
        getResultEncoding(op, 0, anchor) != wanted)
      break;
    views.push_back(op);
    source = &op->getOpOperand(0);
    wanted = anchor;
  }
  auto rank = [](Value value) {
    return getTensorType(value.getType()).getRank();
  };
  if (views.empty() || rank(source->get()) >= rank(operand.get()))
    return {};
  redoneViews.insert_range(views);
  Value value = source->get();
  if (getEncoding(value.getType()) != wanted)
    value = convert(*source, wanted);
  for (Operation *view : llvm::reverse(views)) {
    Operation *clone = view->clone();
    clone->setOperand(0, value);
    value = clone->getResult(0);
    setEncoding(value, getResultEncoding(view, 0, wanted));
    wanted = getEncoding(value.getType());
    OpBuilder builder(view->getContext());
    builder.setInsertionPointAfter(view);
    builder.insert(clone);
  }
  return value;
}

Value LayoutMaterializer::convert(OpOperand &operand, Attribute encoding) {
  Value value = operand.get();
  unsigned budget = kMaxRematerialized;
  if (canRematerialize(value, encoding, budget))
    return rematerialize(value, encoding);
  if (Value converted = conversions.lookup({value, encoding}))
    return converted;
  if (Value view = convertAboveViews(operand, encoding))
    return conversions[{value, encoding}] = view;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  ++numConversions;
  Value converted = ConvertLayoutOp::create(
      builder, value.getLoc(), withEncoding(value.getType(), encoding), value);
  conversions[{value, encoding}] = converted;
  Operation *user = operand.getOwner();
  explainConversion(user, getEncoding(value.getType()), encoding,
                    "operand #" + llvm::Twine(operand.getOperandNumber()) +
                        " is held in the first, '" +
                        user->getName().getStringRef() + "' wants the second");
  return converted;
}

LogicalResult LayoutMaterializer::setOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (!isTensor(value))
      continue;
    ArrayRef<int64_t> shape = getTensorType(value.getType()).getShape();
    Attribute wanted = analysis.getRequired(operand);
    if (analysis.isCheap(value)) {
      operand.set(rematerialize(
          value, wanted ? wanted : analysis.getDefaultEncoding(shape)));
      continue;
    }
    Attribute given = getEncoding(value.getType());
    if (!wanted || wanted == given)
      continue;
    if (isLooseOperand(op, operand.getOperandNumber()) &&
        areEquivalent(shape, given, wanted))
      continue;
    if (!isa<RankedTensorType>(value.getType()))
      return op->emitError()
             << "expected the block pointer in the layout " << wanted
             << ", it is already bound to " << given << " by another access";
    operand.set(convert(operand, wanted));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void LayoutMaterializer::eraseUnusedOriginals(ArrayRef<Operation *> originals) {
  for (Operation *op : redoneViews)
    if (op->use_empty())
      op->erase();
  for (Operation *op : llvm::reverse(originals))
    if (op->use_empty())
      op->erase();
}

void LayoutMaterializer::updateFunctionType() {
  if (func.isExternal())
    return;
  Region &body = func.getFunctionBody();
  SmallVector<Type> results(func.getResultTypes());
  for (Block &block : body)
    if (auto ret = dyn_cast<tt::ReturnOp>(block.getTerminator()))
      results.assign(ret->operand_type_begin(), ret->operand_type_end());
  func.setType(FunctionType::get(func.getContext(),
                                 body.front().getArgumentTypes(), results));
}

LogicalResult LayoutMaterializer::run() {
  SmallVector<Operation *> originals;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 1 && analysis.isCheap(op->getResult(0)))
      originals.push_back(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (Attribute encoding = analysis.lookup(argument))
            setEncoding(argument, encoding);
  });
  for (Operation *op : analysis.getOperations())
    setResultTypes(op);
  for (Operation *op : analysis.getOperations())
    if (failed(setOperands(op)))
      return failure();
  eraseUnusedOriginals(originals);
  updateFunctionType();
  return success();
}
