//===- CombineRegion.cpp - regions of scalars applied to tensors ----------===//
//
// A reduction says how to combine two scalars, tt.map_elementwise what to do
// with one. Where whole tensors are treated place by place, the region is
// applied to them. Places may take different ways through it: all ways are
// taken, and conditions, tensors now, select. What would trap on a way that a
// place does not take is given harmless operands there.
//
//===----------------------------------------------------------------------===//
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Support/CloneOp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Which regions
//===----------------------------------------------------------------------===//

/// Integer divisions trap when the divisor is zero.
static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

static bool isElementwiseOp(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return isElementwiseRegion(branch.getThenRegion()) &&
           (branch.getElseRegion().empty() ||
            isElementwiseRegion(branch.getElseRegion()));
  if (op.hasTrait<OpTrait::IsTerminator>())
    return op.getNumSuccessors() == 0 ||
           isa<cf::BranchOp, cf::CondBranchOp>(op);
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
         (op.hasTrait<OpTrait::Elementwise>() ||
          op.hasTrait<OpTrait::ConstantLike>());
}

/// True when no path leads back to a block.
static bool isAcyclic(Region &region) {
  if (region.hasOneBlock())
    return true;
  llvm::SmallPtrSet<Block *, 8> seen;
  for (Block *block : llvm::ReversePostOrderTraversal<Region *>(&region)) {
    seen.insert(block);
    for (Block *successor : block->getSuccessors())
      if (seen.contains(successor))
        return false;
  }
  return true;
}

bool mlt::isElementwiseRegion(Region &region) {
  return isAcyclic(region) && llvm::all_of(region, [](Block &block) {
           return llvm::all_of(block, isElementwiseOp);
         });
}

//===----------------------------------------------------------------------===//
// Application
//===----------------------------------------------------------------------===//

namespace {
/// Places: the tensor of booleans that are true there; null for all places.
using Places = Value;

class RegionApplier {
public:
  RegionApplier(OpBuilder &builder, ArrayRef<int64_t> shape)
      : builder(builder), shape(shape) {}

  SmallVector<Value> apply(Region &region, ValueRange arguments);

private:
  /// What reaches a block: from where, and with which arguments.
  struct State {
    Places places;
    SmallVector<Value> arguments;
    bool reached = false;
  };

  SmallVector<Value> applyRegion(Region &region, Places places,
                                 ValueRange arguments);
  void applyOp(Operation &op, Places places);
  void applyIf(scf::IfOp op, Places places);
  void applyElementwise(Operation &op, Places places);
  void reach(State &state, Location loc, Places places, ValueRange arguments);

  /// What stands for the scalar `value`; one from outside of the region is the
  /// same in every place.
  Value getTensor(Value value, Location loc);
  SmallVector<Value> getTensors(ValueRange values, Location loc);
  RankedTensorType getType(Type element) {
    return RankedTensorType::get(shape, element);
  }
  Places both(Location loc, Places a, Places b) {
    if (!a || !b)
      return a ? a : b;
    return arith::AndIOp::create(builder, loc, a, b);
  }
  Value negate(Location loc, Value condition) {
    Value ones = arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(cast<RankedTensorType>(condition.getType()),
                               builder.getBoolAttr(true)));
    return arith::XOrIOp::create(builder, loc, condition, ones);
  }

  OpBuilder &builder;
  ArrayRef<int64_t> shape;
  IRMapping mapping;
};
} // namespace

Value RegionApplier::getTensor(Value value, Location loc) {
  if (Value mapped = mapping.lookupOrNull(value))
    return mapped;
  return tt::SplatOp::create(builder, loc, getType(value.getType()), value);
}

SmallVector<Value> RegionApplier::getTensors(ValueRange values, Location loc) {
  return llvm::map_to_vector(
      values, [&](Value value) { return getTensor(value, loc); });
}

void RegionApplier::applyElementwise(Operation &op, Places places) {
  Location loc = op.getLoc();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    mapping.map(constant.getResult(),
                tt::SplatOp::create(builder, loc, getType(constant.getType()),
                                    builder.clone(op)->getResult(0))
                    .getResult());
    return;
  }
  SmallVector<Value> operands = getTensors(op.getOperands(), loc);
  if (places && isDivision(&op)) {
    Value one = arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(
            cast<RankedTensorType>(operands[1].getType()),
            builder.getIntegerAttr(op.getOperand(1).getType(), 1)));
    operands[1] =
        arith::SelectOp::create(builder, loc, places, operands[1], one);
  }
  auto types = llvm::map_to_vector(
      op.getResultTypes(), [&](Type type) -> Type { return getType(type); });
  mapping.map(op.getResults(),
              cloneOp(builder, &op, operands, types)->getResults());
}

void RegionApplier::applyIf(scf::IfOp op, Places places) {
  Location loc = op.getLoc();
  Value condition = getTensor(op.getCondition(), loc);
  SmallVector<Value> values =
      applyRegion(op.getThenRegion(), both(loc, places, condition), {});
  if (op.getNumResults() == 0)
    return;
  Places otherwise = both(loc, places, negate(loc, condition));
  SmallVector<Value> others = applyRegion(op.getElseRegion(), otherwise, {});
  for (auto [result, value, other] :
       llvm::zip_equal(op.getResults(), values, others))
    mapping.map(result,
                arith::SelectOp::create(builder, loc, condition, value, other)
                    .getResult());
}

void RegionApplier::applyOp(Operation &op, Places places) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    applyIf(branch, places);
  else
    applyElementwise(op, places);
}

void RegionApplier::reach(State &state, Location loc, Places places,
                          ValueRange arguments) {
  if (!state.reached) {
    state = {places, llvm::to_vector(arguments), true};
    return;
  }
  // Ways exclude each other, so either knows its places: `places` is not null.
  for (auto [old, value] : llvm::zip_equal(state.arguments, arguments))
    if (old != value)
      old = arith::SelectOp::create(builder, loc, places, value, old);
  state.places = arith::OrIOp::create(builder, loc, state.places, places);
}

SmallVector<Value> RegionApplier::applyRegion(Region &region, Places places,
                                              ValueRange arguments) {
  llvm::DenseMap<Block *, State> states;
  State exit;
  states[&region.front()] = {places, llvm::to_vector(arguments), true};
  SmallVector<Block *> order{&region.front()};
  if (!region.hasOneBlock())
    order = llvm::to_vector(llvm::ReversePostOrderTraversal<Region *>(&region));
  for (Block *block : order) {
    State state = states[block];
    for (auto [argument, value] :
         llvm::zip_equal(block->getArguments(), state.arguments))
      mapping.map(argument, value);
    for (Operation &op : block->without_terminator())
      applyOp(op, state.places);
    Operation *end = block->getTerminator();
    Location loc = end->getLoc();
    auto follow = [&](Block *target, Places taken, ValueRange values) {
      reach(states[target], loc, taken, getTensors(values, loc));
    };
    if (auto branch = dyn_cast<cf::BranchOp>(end)) {
      follow(branch.getDest(), state.places, branch.getDestOperands());
    } else if (auto branch = dyn_cast<cf::CondBranchOp>(end)) {
      Value condition = getTensor(branch.getCondition(), loc);
      follow(branch.getTrueDest(), both(loc, state.places, condition),
             branch.getTrueDestOperands());
      follow(branch.getFalseDest(),
             both(loc, state.places, negate(loc, condition)),
             branch.getFalseDestOperands());
    } else {
      reach(exit, loc, state.places, getTensors(end->getOperands(), loc));
    }
  }
  return exit.arguments;
}

SmallVector<Value> RegionApplier::apply(Region &region, ValueRange arguments) {
  return applyRegion(region, Places(), arguments);
}

SmallVector<Value> mlt::applyToTensors(OpBuilder &builder, Region &region,
                                       ValueRange arguments) {
  auto type = cast<RankedTensorType>(arguments.front().getType());
  return RegionApplier(builder, type.getShape()).apply(region, arguments);
}

SmallVector<Value> mlt::combineTensors(OpBuilder &builder, Region &combine,
                                       ValueRange lhs, ValueRange rhs) {
  SmallVector<Value> arguments(lhs);
  llvm::append_range(arguments, rhs);
  return applyToTensors(builder, combine, arguments);
}
