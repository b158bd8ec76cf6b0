//===- SharedMemoryPlan.cpp - where buffers lie in shared local memory ----===//
//
// Exchanges between warps follow one another, each with a buffer of its own.
// Buffers of one block whose lives do not overlap share memory: one has been
// read, behind a barrier, before the other one is written. Lives in different
// blocks are taken to overlap, but for the versions of a kernel.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/KernelInfo.h"
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Transforms/MaterializeMarkers/Alternatives.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// A buffer, and the operations of its block between which it is in use.
struct Buffer {
  AllocOp alloc;
  Operation *last;
  int64_t size;
  int64_t getStart() const { return *AllocOp(alloc).getOffset(); }
  int64_t getEnd() const { return getStart() + size; }
};
} // namespace

/// The last operation in the block of `alloc` that may touch the buffer, or
/// null when a pointer to it leaves the block.
static Operation *getLastUse(AllocOp alloc) {
  Block *block = alloc->getBlock();
  Operation *last = alloc;
  llvm::SetVector<Value> pointers;
  pointers.insert(alloc.getResult());
  for (size_t i = 0; i < pointers.size(); ++i)
    for (Operation *user : pointers[i].getUsers()) {
      Operation *place = block->findAncestorOpInBlock(*user);
      if (!place || user->hasTrait<OpTrait::IsTerminator>() ||
          user->getNumRegions() != 0 || isa<tt::PtrToIntOp>(user))
        return nullptr;
      if (last->isBeforeInBlock(place))
        last = place;
      for (Value result : user->getResults())
        if (isa<tt::PointerType>(getElementTypeOrSelf(result)))
          pointers.insert(result);
    }
  return last;
}

/// True when a barrier of the block lies behind `from` and before `to` (null:
/// the block's end).
static bool hasBarrierBetween(Operation *from, Operation *to) {
  for (Operation *op = from->getNextNode(); op && op != to;
       op = op->getNextNode())
    if (isa<BarrierOp>(op))
      return true;
  return false;
}

/// True when `later` begins behind a barrier that ends the use of `earlier`,
/// and so does the next round of a loop around both.
static bool follows(const Buffer &earlier, const Buffer &later) {
  Block *block = AllocOp(earlier.alloc)->getBlock();
  if (!earlier.last || !later.last ||
      block != AllocOp(later.alloc)->getBlock() ||
      !earlier.last->isBeforeInBlock(AllocOp(later.alloc)))
    return false;
  return hasBarrierBetween(earlier.last, AllocOp(later.alloc)) &&
         (hasBarrierBetween(later.last, nullptr) ||
          isa<FunctionOpInterface>(block->getParentOp()));
}

/// Gives `buffer` the lowest place that no buffer of `placed` occupies while it
/// is in use.
static void place(const Buffer &buffer, ArrayRef<Buffer> placed,
                  const WarpDivergence &divergence) {
  SmallVector<const Buffer *> obstacles;
  for (const Buffer &other : placed)
    if (!follows(other, buffer) && !follows(buffer, other) &&
        !areAlternatives(AllocOp(buffer.alloc), AllocOp(other.alloc),
                         divergence))
      obstacles.push_back(&other);
  llvm::sort(obstacles, [](const Buffer *a, const Buffer *b) {
    return std::pair(a->getStart(), a->getEnd()) <
           std::pair(b->getStart(), b->getEnd());
  });
  int64_t offset = 0;
  for (const Buffer *obstacle : obstacles) {
    int64_t start = obstacle->getStart();
    if (offset + buffer.size <= start)
      break;
    offset = std::max<int64_t>(
        offset, llvm::alignTo(obstacle->getEnd(), kSlmAlignment));
  }
  AllocOp(buffer.alloc).setOffset(offset);
}

FailureOr<int64_t> mlt::planSharedMemory(tt::FuncOp kernel, int64_t available,
                                         bool asGlobal) {
  SmallVector<Buffer> placed, open;
  kernel.walk([&](AllocOp op) {
    Buffer buffer{op, getLastUse(op), getSizeInBytes(op)};
    // A place that was given may overlap nothing.
    if (op.getOffset())
      placed.push_back({op, nullptr, buffer.size});
    else
      open.push_back(buffer);
  });
  WarpDivergence divergence(kernel);
  for (const Buffer &buffer : open) {
    place(buffer, placed, divergence);
    placed.push_back(buffer);
  }
  if (placed.empty())
    return 0;
  int64_t end = 0;
  for (const Buffer &buffer : placed)
    end = std::max(end, buffer.getEnd());
  if (end > available)
    return kernel.emitOpError()
           << "cannot be lowered: it needs " << end
           << " bytes of shared local memory, the target has " << available;

  if (!asGlobal)
    return end;
  OpBuilder builder(kernel);
  std::string name = (kernel.getName() + "_slm").str();
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), end);
  LLVM::GlobalOp::create(builder, kernel.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::Internal, name, Attribute(),
                         kSlmAlignment, /*addrSpace=*/3);
  for (const Buffer &buffer : placed)
    AllocOp(buffer.alloc)
        ->setAttr(kSlmGlobalAttr,
                  FlatSymbolRefAttr::get(builder.getContext(), name));
  return end;
}
