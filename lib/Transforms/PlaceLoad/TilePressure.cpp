//===- TilePressure.cpp - registers that tiles take -----------------------===//
//
// An estimate of what the register allocator of the device compiler will see,
// from the types of tiles alone. Values that a block only takes from outside
// live in all of it, since blocks with loads worth scheduling are loops.
//
//===----------------------------------------------------------------------===//
#include "Transforms/PlaceLoad/TilePressure.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::mlt;

int64_t mlt::getTileBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  return llvm::divideCeil(
      tensor.getNumElements() * tt::getElementBitWidth(tensor), 8);
}

size_t TilePressure::getEnd(Value value) const {
  size_t end = 0;
  for (Operation *user : value.getUsers()) {
    Operation *op = block.findAncestorOpInBlock(*user);
    if (!op)
      continue;
    end = std::max(end, positions.lookup(op) + 1);
    if (isa<ExtractOp>(op) && op == user)
      end = std::max(end, getEnd(op->getResult(0)));
  }
  return end;
}

void TilePressure::add(size_t begin, size_t end, int64_t count) {
  for (size_t i = begin; i < end; ++i)
    bytes[i] += count;
}

TilePressure::TilePressure(Block &block) : block(block) {
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  bytes.resize(ops.size());
  for (BlockArgument argument : block.getArguments())
    add(0, getEnd(argument), getTileBytes(argument.getType()));
  llvm::DenseSet<Value> outside;
  for (auto [position, op] : llvm::enumerate(ops)) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Block *owner = operand.getParentBlock();
        bool isInside = owner == &block ||
                        block.findAncestorOpInBlock(*owner->getParentOp());
        if (!isInside && outside.insert(operand).second)
          add(0, ops.size(), getTileBytes(operand.getType()));
      }
    });
    if (isa<ExtractOp>(op))
      continue;
    for (Value result : op->getResults())
      add(position + 1, getEnd(result), getTileBytes(result.getType()));
  }
}
