//===- CloneOp.h - the same operation on other operands -------------------===//
#ifndef MLTC_SUPPORT_CLONEOP_H
#define MLTC_SUPPORT_CLONEOP_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace mlir::mlt {

/// Creates what `op` is on `operands` with results of `types`: same name,
/// location, properties and discardable attributes. Regions are left to
/// `addRegions`, which may add them to the state.
inline Operation *
cloneOp(OpBuilder &builder, Operation *op, ValueRange operands, TypeRange types,
        llvm::function_ref<void(OperationState &)> addRegions = nullptr) {
  OperationState state(op->getLoc(), op->getName(), operands, types,
                       op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  if (addRegions)
    addRegions(state);
  return builder.create(state);
}

} // namespace mlir::mlt

#endif // MLTC_SUPPORT_CLONEOP_H
