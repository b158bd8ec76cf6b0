//===- LocalAddress.cpp - addresses of shared local memory ----------------===//
//
// Triton 3.9 refuses pointers of any address space but the global one, so what
// alloc() gives is an ordinary pointer until here. Which memory an access goes
// to is a different instruction, so it has to be known for every address: the
// space is carried from the allocations along all ways that addresses take.
// Kernels exchange two buffers in a loop, or choose one, so these ways lead
// through control flow.
//
//===----------------------------------------------------------------------===//
#include "Transforms/MaterializeMarkers/LocalAddress.h"
#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "Dialect/MLT/IR/SharedMemory.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::mlt;

/// `type` with every pointer in shared local memory.
static Type toLocal(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(toLocal(tensor.getElementType()));
  return tt::PointerType::get(cast<tt::PointerType>(type).getPointeeType(),
                              kLocalSpace);
}

/// Operations that compute an address from the one that is their first operand.
static bool computesAddress(Operation *op) {
  return isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
             tt::ReshapeOp, tt::BitcastOp>(op) &&
         isa<tt::PointerType>(getElementTypeOrSelf(op->getResult(0)));
}

/// Where an address goes from one use; none for an access, failure where it
/// cannot be followed.
static FailureOr<SmallVector<Value>> getTargets(OpOperand &use,
                                                const ForwardingEdges &edges) {
  Operation *user = use.getOwner();
  if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(user) &&
      use.getOperandNumber() == 0)
    return SmallVector<Value>();
  if (computesAddress(user) || isa<arith::SelectOp>(user))
    return SmallVector<Value>{user->getResult(0)};
  if (ArrayRef<Value> targets = edges.getTargets(use); !targets.empty())
    return llvm::to_vector(targets);
  return failure();
}

/// What may be chosen for `address`, beside the one it is computed from.
static SmallVector<Value> getSources(Value address,
                                     const ForwardingEdges &edges) {
  if (auto select = address.getDefiningOp<arith::SelectOp>())
    return {select.getTrueValue(), select.getFalseValue()};
  return llvm::map_to_vector(edges.getSources(address),
                             [](OpOperand *source) { return source->get(); });
}

LogicalResult mlt::retypeLocalAddresses(Operation *function,
                                        ArrayRef<Value> allocs) {
  ForwardingEdges edges(function);
  llvm::SetVector<Value> addresses(llvm::from_range, allocs);
  for (size_t i = 0; i < addresses.size(); ++i)
    for (OpOperand &use : addresses[i].getUses()) {
      FailureOr<SmallVector<Value>> targets = getTargets(use, edges);
      if (failed(targets))
        return use.getOwner()->emitError()
               << "expected the address of shared local memory to be used for "
                  "loads and stores only, found it in '"
               << use.getOwner()->getName()
               << "', where its address space cannot be followed";
      addresses.insert_range(*targets);
    }
  for (Value address : addresses)
    for (Value source : getSources(address, edges))
      if (!addresses.contains(source))
        return emitError(address.getLoc())
               << "expected an address of shared local memory on all ways to "
                  "here, found one of global memory on some; access each in "
                  "its own branch";
  for (Value address : addresses)
    address.setType(toLocal(address.getType()));
  return success();
}
