//===- TritonOps.h - operations of the tt dialect -------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONOPS_H
#define MLTC_DIALECT_TRITON_TRITONOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Dialect/Triton/IR/TritonAttrs.h"
#include "Dialect/Triton/IR/TritonDialect.h"
#include "Dialect/Triton/IR/TritonTraits.h"
#include "Dialect/Triton/IR/TritonTypes.h"

namespace mlir::tt {

/// Memory that outlives the kernel, as an effect resource.
class GlobalMemory : public SideEffects::Resource::Base<GlobalMemory> {
public:
  StringRef getName() final { return "tt.global-memory"; }
};

} // namespace mlir::tt

#define GET_OP_CLASSES
#include "Dialect/Triton/IR/TritonOps.h.inc"

namespace mlir::tt {

/// `op` as the load of a block through a block pointer; null if it is something
/// else, or null itself.
LoadOp getBlockLoad(Operation *op);

} // namespace mlir::tt

#endif // MLTC_DIALECT_TRITON_TRITONOPS_H
