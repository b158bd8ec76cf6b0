//===- AssignOperandLayout.cpp - register images of dot operands ----------===//
//
// The levels above know tiles by shape only. Before the lowering to LLVM, which
// works from types, the tiles whose registers are not in the plain tile layout
// get the encoding `#mlt.operand`.
//
//===----------------------------------------------------------------------===//
#include "Analysis/OperandRole/OperandRole.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/Passes.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_ASSIGNOPERANDLAYOUT
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// True when the image of `role` differs from the plain tile layout: operand B
/// packs elements narrower than a register's dword, operand A of 8 bits packs
/// pairs, and operand A of tf32 has eight columns.
bool needsEncoding(BlockRole role, Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  if (role == BlockRole::OperandB)
    return bits < 32;
  return role == BlockRole::OperandA && bits != 16;
}

RankedTensorType withRole(RankedTensorType type, BlockRole role) {
  auto encoding =
      OperandAttr::get(type.getContext(), role == BlockRole::OperandB ? 1 : 0);
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               encoding);
}

struct AssignOperandLayout
    : mlt::impl::AssignOperandLayoutBase<AssignOperandLayout> {
  using AssignOperandLayoutBase::AssignOperandLayoutBase;

  void runOnOperation() override {
    OperandRoles roles(getOperation());
    SmallVector<std::pair<Value, BlockRole>> values;
    auto collect = [&](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      BlockRole role = roles.get(value);
      if (type && role != BlockRole::Plain &&
          needsEncoding(role, type.getElementType()))
        values.emplace_back(value, role);
    };
    getOperation().walk([&](Operation *op) {
      llvm::for_each(op->getResults(), collect);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), collect);
    });
    for (auto [value, role] : values)
      assign(value, role, roles);
    for (auto [value, role] : values)
      if (Operation *op = value.getDefiningOp(); op && keepsRegisterImage(op))
        for (OpOperand &operand : op->getOpOperands())
          convert(operand, role);
    getOperation().walk([&](tt::DotOp dot) {
      if (isMultiplyAddDot(dot))
        return;
      convert(dot.getAMutable(), BlockRole::OperandA);
      convert(dot.getBMutable(), BlockRole::OperandB);
    });
  }

private:
  /// A value that is loaded, carried, or made from values of the same role
  /// changes type; any other producer keeps the plain layout and is converted.
  void assign(Value value, BlockRole role, const OperandRoles &roles) {
    RankedTensorType type =
        withRole(cast<RankedTensorType>(value.getType()), role);
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast_if_present<arith::ConstantOp>(op)) {
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
        constant.setValueAttr(splat.resizeSplat(type));
        value.setType(type);
        return;
      }
    }
    bool follows = !op || keepsRegisterImage(op) || isa<tt::SplatOp>(op) ||
                   isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op) ||
                   retypePointer(op, type, role, roles);
    if (follows) {
      value.setType(type);
      return;
    }
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto converted =
        ConvertOperandOp::create(builder, op->getLoc(), type, value);
    value.replaceAllUsesExcept(converted.getResult(), converted);
    ++numConversions;
  }

  /// For a block load all of whose pointer's loads have `role`: gives the
  /// pointer the pointee `type`. False for anything else. Loads share a pointer
  /// where one loop goes on where another has stopped, as in causal attention.
  static bool retypePointer(Operation *op, RankedTensorType type,
                            BlockRole role, const OperandRoles &roles) {
    tt::LoadOp load = tt::getBlockLoad(op);
    if (!load)
      return false;
    SetVector<Value> family = getPointerFamily(load.getPtr());
    auto fits = [&](Operation *user) {
      if (auto other = dyn_cast<tt::LoadOp>(user))
        return roles.get(other.getResult()) == role;
      return !isa<tt::StoreOp>(user);
    };
    // The signature of a function is not this pass's to change.
    auto isParameter = [](Value pointer) {
      auto argument = dyn_cast<BlockArgument>(pointer);
      return argument &&
             isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
    };
    for (Value pointer : family)
      if (isParameter(pointer) || !llvm::all_of(pointer.getUsers(), fits))
        return false;
    for (Value pointer : family)
      pointer.setType(tt::PointerType::get(
          type, cast<tt::PointerType>(pointer.getType()).getAddressSpace()));
    return true;
  }

  /// Converts what still reaches a dot, or an operation on its way to one, in
  /// the plain layout.
  void convert(OpOperand &operand, BlockRole role) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (type.getEncoding() || !needsEncoding(role, type.getElementType()))
      return;
    OpBuilder builder(operand.getOwner());
    operand.set(ConvertOperandOp::create(builder, operand.getOwner()->getLoc(),
                                         withRole(type, role), operand.get()));
    ++numConversions;
  }
};
} // namespace
