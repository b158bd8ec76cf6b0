//===- Versions.cpp - one version for each kind of launch -----------------===//
//
// A kernel that was written with pointers runs with any of them. Block messages
// do not, so what they want of a launch is looked at in the kernel, once: the
// conditions are functions of the arguments, which makes the branch uniform and
// keeps it out of every loop.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeBlockIO/Versions.h"
#include "Analysis/BlockIO/LaunchOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::mlt;

using CmpPredicate = arith::CmpIPredicate;

namespace {
/// Writes launch expressions and conditions as operations on 64 bits.
class ConditionBuilder {
public:
  ConditionBuilder(tt::FuncOp func, const Block2DLimits &limits)
      : func(func), limits(limits), builder(func.getContext()),
        loc(func.getLoc()) {
    builder.setInsertionPointToStart(&func.getBody().front());
  }

  void add(DictionaryAttr precondition);
  Value get();
  OpBuilder &getBuilder() { return builder; }

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, builder.getI64Type(),
                                        value);
  }
  void require(CmpPredicate predicate, Value lhs, Value rhs);
  void requireMultiple(Value value, Value factor);
  void requireAligned(unsigned argument, int64_t alignment);
  void requireSurface(DictionaryAttr entry);
  void requireComparison(DictionaryAttr entry);
  void requireExtent(Value value, int64_t minimum, int64_t multiple,
                     int64_t scale);
  Value evaluate(DictionaryAttr expression);
  Value evaluateBinary(StringRef name, Value lhs, Value rhs);

  tt::FuncOp func;
  const Block2DLimits &limits;
  OpBuilder builder;
  Location loc;
  llvm::DenseMap<Attribute, Value> values;
  SmallVector<Value> conditions;
};
} // namespace

static DictionaryAttr getTree(DictionaryAttr entry, StringRef name) {
  return cast<DictionaryAttr>(entry.get(name));
}

static int64_t getInt(DictionaryAttr entry, StringRef name) {
  return cast<IntegerAttr>(entry.get(name)).getInt();
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value ConditionBuilder::evaluateBinary(StringRef name, Value lhs, Value rhs) {
  const LaunchOperation *op = LaunchOperation::find(name);
  // A division by zero must not trap before the kernel has decided to divide.
  if (op->divides && !LaunchExpressions::getConstant(rhs)) {
    Value zero =
        arith::CmpIOp::create(builder, loc, CmpPredicate::eq, rhs, constant(0));
    conditions.push_back(arith::XOrIOp::create(
        builder, loc, zero,
        arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1)));
    rhs = arith::SelectOp::create(builder, loc, zero, constant(1), rhs);
  }
  return op->create(builder, loc, lhs, rhs);
}

Value ConditionBuilder::evaluate(DictionaryAttr expression) {
  if (Value known = values.lookup(expression))
    return known;
  Value result;
  Type i64 = builder.getI64Type();
  if (auto name = expression.getAs<StringAttr>("op")) {
    Value lhs = evaluate(getTree(expression, "lhs"));
    Value rhs = evaluate(getTree(expression, "rhs"));
    result = evaluateBinary(name.getValue(), lhs, rhs);
  } else if (expression.contains("const")) {
    result = constant(getInt(expression, "const"));
  } else if (expression.contains("num_programs")) {
    auto axis = tt::ProgramIDDim(getInt(expression, "num_programs"));
    result = arith::ExtSIOp::create(
        builder, loc, i64,
        tt::GetNumProgramsOp::create(builder, loc, builder.getI32Type(), axis));
  } else {
    result = func.getArgument(getInt(expression, "arg"));
    if (result.getType() != i64)
      result = arith::ExtSIOp::create(builder, loc, i64, result);
  }
  values[expression] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

void ConditionBuilder::require(CmpPredicate predicate, Value lhs, Value rhs) {
  conditions.push_back(
      arith::CmpIOp::create(builder, loc, predicate, lhs, rhs));
}

void ConditionBuilder::requireMultiple(Value value, Value factor) {
  std::optional<int64_t> known = LaunchExpressions::getConstant(factor);
  if (known == 1)
    return;
  // All factors that are known are powers of two.
  Value rest =
      known && llvm::isPowerOf2_64(*known)
          ? arith::AndIOp::create(builder, loc, value, constant(*known - 1))
                .getResult()
          : evaluateBinary("rem_s", value, factor);
  require(CmpPredicate::eq, rest, constant(0));
}

void ConditionBuilder::requireAligned(unsigned argument, int64_t alignment) {
  Value address = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                         func.getArgument(argument));
  requireMultiple(address, constant(alignment));
}

void ConditionBuilder::requireComparison(DictionaryAttr entry) {
  Value lhs = evaluate(getTree(entry, "lhs"));
  Value rhs = evaluate(getTree(entry, "rhs"));
  StringRef name = cast<StringAttr>(entry.get("compare")).getValue();
  if (name == "multiple_of")
    return requireMultiple(lhs, rhs);
  require(llvm::StringSwitch<CmpPredicate>(name)
              .Case("eq", CmpPredicate::eq)
              .Case("ne", CmpPredicate::ne)
              .Case("lt", CmpPredicate::slt)
              .Case("le", CmpPredicate::sle)
              .Case("gt", CmpPredicate::sgt)
              .Default(CmpPredicate::sge),
          lhs, rhs);
}

/// `value`, of `scale` bytes each, is in the range of a field of a message.
void ConditionBuilder::requireExtent(Value value, int64_t minimum,
                                     int64_t multiple, int64_t scale) {
  int64_t largest = int64_t(1) << limits.maxExtentLog2;
  int64_t smallest = llvm::divideCeil(minimum, scale);
  // smallest <= value <= largest with one comparison.
  require(CmpPredicate::ule,
          arith::SubIOp::create(builder, loc, value, constant(smallest)),
          constant(largest / scale - smallest));
  requireMultiple(value, constant(llvm::divideCeil(multiple, scale)));
}

void ConditionBuilder::requireSurface(DictionaryAttr entry) {
  int64_t bytes = getInt(entry, "elem_bytes");
  Value width = evaluate(getTree(entry, "width"));
  Value height = evaluate(getTree(entry, "height"));
  Value pitch = evaluate(getTree(entry, "pitch"));
  requireExtent(width, limits.minWidth, limits.widthMultiple, bytes);
  requireExtent(height, 1, 1, 1);
  requireExtent(pitch, limits.minPitch, limits.pitchMultiple, bytes);
  require(CmpPredicate::sle, width, pitch);
  if (entry.contains("base"))
    requireAligned(getInt(entry, "base"), limits.baseAlignment);
}

void ConditionBuilder::add(DictionaryAttr precondition) {
  StringRef kind = cast<StringAttr>(precondition.get("kind")).getValue();
  if (kind == "base_alignment")
    return requireAligned(getInt(precondition, "arg"),
                          getInt(precondition, "value"));
  if (kind == "block_2d")
    return requireSurface(precondition);
  requireComparison(precondition);
}

Value ConditionBuilder::get() {
  Value all = conditions.front();
  for (Value condition : ArrayRef(conditions).drop_front())
    all = arith::AndIOp::create(builder, loc, all, condition);
  return all;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

bool mlt::canVersion(tt::FuncOp func) {
  return func.getNumResults() == 0 && func.getBody().hasOneBlock();
}

scf::IfOp mlt::versionFunction(tt::FuncOp func,
                               ArrayRef<Attribute> preconditions,
                               const Block2DLimits &limits, IRMapping &copies) {
  Block &body = func.getBody().front();
  Operation *terminator = body.getTerminator();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  ConditionBuilder conditions(func, limits);
  for (Attribute precondition : preconditions)
    conditions.add(cast<DictionaryAttr>(precondition));
  OpBuilder &builder = conditions.getBuilder();
  auto branch = scf::IfOp::create(builder, func.getLoc(), TypeRange(),
                                  conditions.get(), /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.elseBlock());
  for (Operation *op : ops)
    builder.clone(*op, copies);
  for (Operation *op : ops)
    op->moveBefore(branch.thenBlock()->getTerminator());
  branch->moveBefore(terminator);
  return branch;
}
