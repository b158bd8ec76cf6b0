//===- MarkedPointers.cpp - block pointers chosen for conversion ----------===//
//
// Some block pointers of a function are replaced 1:N, in loops and branches
// too, while others of the same type stay. The conversion driver looks at types
// only, so those that go are marked by an encoding while it runs.
//
//===----------------------------------------------------------------------===//
#include "Transforms/LegalizeBlockIO/MarkedPointers.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

static constexpr llvm::StringLiteral kMark = "mlt.marked";

llvm::DenseSet<Value> mlt::closeOverPointers(tt::FuncOp func,
                                             const ForwardingEdges &edges,
                                             ArrayRef<Value> pointers) {
  llvm::DenseSet<Value> closed;
  SmallVector<Value> worklist(pointers);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!tt::isBlockPointer(value.getType()) || !closed.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp();
        isa_and_present<tt::AdvanceOp, arith::SelectOp>(op))
      llvm::append_range(worklist, op->getOperands());
    for (OpOperand *source : edges.getSources(value))
      worklist.push_back(source->get());
    for (OpOperand &use : value.getUses()) {
      llvm::append_range(worklist, edges.getTargets(use));
      if (isa<tt::AdvanceOp, arith::SelectOp>(use.getOwner()))
        worklist.push_back(use.getOwner()->getResult(0));
    }
  }
  return closed;
}

std::optional<RankedTensorType> mlt::getMarkedBlock(Type type) {
  auto pointer = dyn_cast<tt::PointerType>(type);
  if (!pointer)
    return std::nullopt;
  auto block = dyn_cast<RankedTensorType>(pointer.getPointeeType());
  auto mark = block ? dyn_cast_if_present<StringAttr>(block.getEncoding())
                    : StringAttr();
  if (!mark || mark.getValue() != kMark)
    return std::nullopt;
  return block.cloneWithEncoding({});
}

static void mark(Value pointer) {
  auto type = cast<tt::PointerType>(pointer.getType());
  auto block = cast<RankedTensorType>(type.getPointeeType());
  pointer.setType(tt::PointerType::get(
      block.cloneWithEncoding(StringAttr::get(pointer.getContext(), kMark)),
      type.getAddressSpace()));
}

LogicalResult mlt::convertPointers(tt::FuncOp func,
                                   const llvm::DenseSet<Value> &pointers,
                                   const TypeConverter &converter,
                                   RewritePatternSet &&patterns) {
  for (Value pointer : pointers)
    mark(pointer);
  auto isMarked = [](Type type) { return getMarkedBlock(type).has_value(); };
  ConversionTarget target(*func.getContext());
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    return llvm::none_of(op->getOperandTypes(), isMarked) &&
           llvm::none_of(op->getResultTypes(), isMarked);
  });
  populateStructuralPatterns(converter, patterns, target);
  return applyFullConversion(func, target, std::move(patterns));
}
