//===- UnitVectors.cpp - vectors of one element ---------------------------===//
//
// A tile of one row is a vector of one element per lane all the way down, so
// that no lowering needs a special case for it. Here, at the border to SPIR-V,
// the types are exchanged in one sweep: ops that compute element by element
// stay valid as they are, and the few that take vectors apart become trivial.
//
//===----------------------------------------------------------------------===//
#include "Target/LLVMIR/UnitVectors.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::mlt;

static bool isUnit(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getNumElements() == 1;
}

/// Replaces the value of constant `op` by its only element.
static void scalarizeConstant(LLVM::ConstantOp op) {
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue()))
    op.setValueAttr(cast<TypedAttr>(dense.getSplatValue<Attribute>()));
}

static Value getElement(OpBuilder &builder, Location loc, Value source,
                        bool isScalar, int64_t index) {
  if (isScalar)
    return source;
  Value position =
      LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(index));
  return LLVM::ExtractElementOp::create(builder, loc, source, position);
}

/// Replaces a shuffle that reads or makes unit vectors, after the exchange of
/// types; `wasUnit` says whether its inputs were unit vectors.
static void expandShuffle(LLVM::ShuffleVectorOp op, bool wasUnit) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value inputs[] = {op->getOperand(0), op->getOperand(1)};
  int64_t size =
      wasUnit ? 1 : cast<VectorType>(inputs[0].getType()).getNumElements();
  Type type = op->getResult(0).getType();
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [position, source] : llvm::enumerate(op.getMask())) {
    if (source < 0)
      continue;
    Value element =
        getElement(builder, loc, inputs[source / size], wasUnit, source % size);
    if (!isa<VectorType>(type)) {
      result = element;
      continue;
    }
    Value index = LLVM::ConstantOp::create(builder, loc,
                                           builder.getI32IntegerAttr(position));
    result =
        LLVM::InsertElementOp::create(builder, loc, result, element, index);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op.erase();
}

namespace {
/// Ops that need more than other types.
struct SpecialOps {
  SmallVector<LLVM::ConstantOp> constants;
  SmallVector<LLVM::InsertElementOp> inserts;
  SmallVector<LLVM::ExtractElementOp> extracts;
  SmallVector<LLVM::BitcastOp> bitcasts;
  SmallVector<std::pair<LLVM::ShuffleVectorOp, bool>> shuffles;

  void collect(Operation *op);
  void rewrite();
};
} // namespace

void SpecialOps::collect(Operation *op) {
  if (auto constant = dyn_cast<LLVM::ConstantOp>(op)) {
    if (isUnit(constant.getType()))
      constants.push_back(constant);
  } else if (auto insert = dyn_cast<LLVM::InsertElementOp>(op)) {
    if (isUnit(insert.getType()))
      inserts.push_back(insert);
  } else if (auto extract = dyn_cast<LLVM::ExtractElementOp>(op)) {
    if (isUnit(extract.getVector().getType()))
      extracts.push_back(extract);
  } else if (auto bitcast = dyn_cast<LLVM::BitcastOp>(op)) {
    if (isUnit(bitcast.getType()) || isUnit(bitcast.getArg().getType()))
      bitcasts.push_back(bitcast);
  } else if (auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op)) {
    bool wasUnit = isUnit(shuffle.getV1().getType());
    if (wasUnit || isUnit(shuffle.getType()))
      shuffles.emplace_back(shuffle, wasUnit);
  }
}

void SpecialOps::rewrite() {
  for (auto [shuffle, wasUnit] : shuffles)
    expandShuffle(shuffle, wasUnit);
  auto replace = [](Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  };
  for (LLVM::InsertElementOp op : inserts)
    replace(op, op->getOperand(1));
  for (LLVM::ExtractElementOp op : extracts)
    replace(op, op->getOperand(0));
  for (LLVM::BitcastOp op : bitcasts)
    if (op->getOperand(0).getType() == op->getResult(0).getType())
      replace(op, op->getOperand(0));
}

LogicalResult mlt::scalarizeUnitVectors(ModuleOp module) {
  SpecialOps special;
  bool found = false;
  module.walk([&](Operation *op) {
    special.collect(op);
    found |= llvm::any_of(op->getResultTypes(), isUnit) ||
             llvm::any_of(op->getOperandTypes(), isUnit);
  });
  if (!found)
    return success();
  llvm::for_each(special.constants, scalarizeConstant);
  AttrTypeReplacer replacer;
  replacer.addReplacement([](VectorType type) -> std::optional<Type> {
    if (isUnit(type))
      return type.getElementType();
    return std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  special.rewrite();
  return verify(module);
}
