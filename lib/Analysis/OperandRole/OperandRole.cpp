//===- OperandRole.cpp - which values are dot operands --------------------===//
//
// Operand B of a dot has another register image than a plain tile, and block
// loads can deliver it for free. That is right only for a tile that goes to
// dots and nowhere else. The analysis walks back from the dots through
// everything that leaves the image alone, then takes back what is also used
// otherwise.
//
//===----------------------------------------------------------------------===//
#include "Analysis/OperandRole/OperandRole.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Visits the other members of position `index` of a loop's carried values.
static void visitCarried(LoopLikeOpInterface loop, unsigned index,
                         llvm::function_ref<void(Value)> fn) {
  if (index < loop.getInits().size())
    fn(loop.getInits()[index]);
  if (index < loop.getRegionIterArgs().size())
    fn(loop.getRegionIterArgs()[index]);
  if (index < loop.getYieldedValues().size())
    fn(loop.getYieldedValues()[index]);
  if (auto results = loop.getLoopResults(); results && index < results->size())
    fn((*results)[index]);
}

/// Members of result `index` of an scf.if.
static void visitIf(scf::IfOp op, unsigned index,
                    llvm::function_ref<void(Value)> fn) {
  fn(op.getResult(index));
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()})
    if (!region->empty())
      fn(region->front().getTerminator()->getOperand(index));
}

/// Members of the carried values of an scf.while: inits and "before" arguments
/// with the yield of "after"; condition operands with "after" arguments and
/// results.
static void visitWhile(scf::WhileOp op, unsigned index, bool before,
                       llvm::function_ref<void(Value)> fn) {
  if (before) {
    fn(op.getInits()[index]);
    fn(op.getBeforeArguments()[index]);
    fn(op.getYieldOp().getOperand(index));
    return;
  }
  fn(op.getConditionOp().getArgs()[index]);
  fn(op.getAfterArguments()[index]);
  fn(op.getResult(index));
}

void mlt::forEachConnected(Value value, llvm::function_ref<void(Value)> fn) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (argument.getArgNumber() >= loop.getNumInductionVars())
        visitCarried(loop, argument.getArgNumber() - loop.getNumInductionVars(),
                     fn);
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      visitWhile(loop, argument.getArgNumber(),
                 argument.getOwner() == loop.getBeforeBody(), fn);
    }
  } else if (auto result = cast<OpResult>(value);
             auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
    visitCarried(loop, result.getResultNumber(), fn);
  } else if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
    visitWhile(loop, result.getResultNumber(), /*before=*/false, fn);
  } else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    visitIf(branch, result.getResultNumber(), fn);
  }

  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    unsigned index = use.getOperandNumber();
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      if (index >= loop.getNumControlOperands())
        visitCarried(loop, index - loop.getNumControlOperands(), fn);
    } else if (auto loop = dyn_cast<scf::WhileOp>(user)) {
      visitWhile(loop, index, /*before=*/true, fn);
    } else if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
      if (index > 0)
        visitWhile(cast<scf::WhileOp>(user->getParentOp()), index - 1,
                   /*before=*/false, fn);
    } else if (isa<scf::YieldOp>(user)) {
      Operation *parent = user->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        visitCarried(loop, index, fn);
      else if (auto loop = dyn_cast<scf::WhileOp>(parent))
        visitWhile(loop, index, /*before=*/true, fn);
      else if (auto branch = dyn_cast<scf::IfOp>(parent))
        visitIf(branch, index, fn);
    }
  }
}

/// True for the operations that forEachConnected sees through.
static bool isCarrier(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp,
             scf::ConditionOp>(op);
}

SetVector<Value> mlt::getPointerFamily(Value pointer) {
  SetVector<Value> family;
  family.insert(pointer);
  auto add = [&](Value value) { family.insert(value); };
  for (size_t i = 0; i < family.size(); ++i) {
    Value value = family[i];
    forEachConnected(value, add);
    if (auto advance = value.getDefiningOp<tt::AdvanceOp>())
      add(advance.getPtr());
    for (Operation *user : value.getUsers())
      if (auto advance = dyn_cast<tt::AdvanceOp>(user))
        add(advance.getResult());
  }
  return family;
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

bool mlt::reachesDot(
    Value value,
    llvm::function_ref<void(OpOperand &, SmallVectorImpl<Value> &)> follow) {
  SmallVector<Value> values{value};
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      // The third operand is what products are added to.
      if (isa<tt::DotOp, tt::DotScaledOp>(use.getOwner()) &&
          use.getOperandNumber() < 2)
        return true;
      follow(use, values);
    }
  }
  return false;
}

bool mlt::isMultiplyAddDot(tt::DotOp dot) {
  Type element = getElementTypeOrSelf(dot.getA().getType());
  return element.isF64() || element.isInteger(32) ||
         (element.isF32() &&
          dot.getInputPrecision() == tt::InputPrecision::IEEE);
}

/// The name that the target data uses for an operand type of `dot`.
static std::string getOperandName(tt::DotOp dot, Value operand) {
  Type type = getElementTypeOrSelf(operand.getType());
  if (type.isF32() && dot.getInputPrecision() == tt::InputPrecision::TF32)
    return "tf32";
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

const DotForm *mlt::findDotForm(const TargetDescription &target, tt::DotOp dot,
                                std::array<std::string, 3> *names) {
  std::array<std::string, 3> found{getOperandName(dot, dot.getA()),
                                   getOperandName(dot, dot.getB()),
                                   getOperandName(dot, dot.getC())};
  // Rounding concerns operands only.
  if (found[2] == "tf32")
    found[2] = "f32";
  if (names)
    *names = found;
  return target.findDot(found[0], found[1], found[2]);
}

const BlockLoadForm *mlt::findLoadForm(const TargetDescription &target,
                                       unsigned bits, BlockRole role,
                                       bool transposed) {
  if (const BlockLoadForm *form = target.findLoad(bits, role, transposed))
    return form;
  return transposed ? target.findLoad(bits, BlockRole::OperandB, transposed)
                    : nullptr;
}

bool mlt::keepsRegisterImage(Operation *op) {
  if (isa<mlt::ExtractOp, mlt::GlueOp>(op))
    return true;
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
    return false;
  // Packing depends on the width of the elements.
  auto width = [](Type type) -> unsigned {
    Type element = getElementTypeOrSelf(type);
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  };
  unsigned bits = width(op->getResult(0).getType());
  return bits > 1 && llvm::all_of(op->getOperandTypes(), [&](Type type) {
           return isa<RankedTensorType>(type) && width(type) == bits;
         });
}

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

OperandRoles::OperandRoles(Operation *root) {
  seed(root);
  prune();
}

void OperandRoles::seed(Operation *root) {
  SmallVector<Value> worklist;
  auto assign = [&](Value value, BlockRole role) {
    if (!isTensor(value))
      return;
    auto [it, inserted] = roles.try_emplace(value, role);
    if (!inserted && it->second == role)
      return;
    if (!inserted && it->second == BlockRole::Plain)
      return;
    if (!inserted)
      it->second = BlockRole::Plain;
    worklist.push_back(value);
  };
  root->walk([&](tt::DotOp dot) {
    if (isMultiplyAddDot(dot))
      return;
    assign(dot.getA(), BlockRole::OperandA);
    assign(dot.getB(), BlockRole::OperandB);
  });
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    BlockRole role = roles.lookup(value);
    forEachConnected(value, [&](Value other) {
      if (other != value)
        assign(other, role);
    });
    if (Operation *op = value.getDefiningOp(); op && keepsRegisterImage(op))
      for (Value operand : op->getOperands())
        assign(operand, role);
  }
}

/// True when `use` wants the value in the image of `role`.
static bool wantsRole(OpOperand &use, BlockRole role,
                      llvm::function_ref<BlockRole(Value)> getRole) {
  Operation *user = use.getOwner();
  if (auto dot = dyn_cast<tt::DotOp>(user))
    return !isMultiplyAddDot(dot) &&
           ((use.get() == dot.getA() && role == BlockRole::OperandA &&
             use.getOperandNumber() == 0) ||
            (role == BlockRole::OperandB && use.getOperandNumber() == 1));
  if (isCarrier(user))
    return true; // the connected values carry the same role or none
  return keepsRegisterImage(user) && getRole(user->getResult(0)) == role;
}

void OperandRoles::prune() {
  auto getRole = [&](Value value) { return get(value); };
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto &[value, role] : roles) {
      if (role == BlockRole::Plain)
        continue;
      BlockRole wanted = role;
      bool keep = llvm::all_of(value.getUses(), [&](OpOperand &use) {
        return wantsRole(use, wanted, getRole);
      });
      forEachConnected(value, [&](Value other) {
        keep &= isTensor(other) && get(other) == wanted;
      });
      if (keep)
        continue;
      role = BlockRole::Plain;
      changed = true;
    }
  }
}
