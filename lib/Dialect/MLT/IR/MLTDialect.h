//===- MLTDialect.h - what ML-Triton adds to Triton -----------------------===//
#ifndef MLTC_DIALECT_MLT_H
#define MLTC_DIALECT_MLT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Dialect/MLT/IR/MLTDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Dialect/MLT/IR/MLTAttrs.h.inc"

namespace mlir::mlt {
/// The workgroup's shared local memory, as a side-effect resource.
struct SLMResource : public SideEffects::Resource::Base<SLMResource> {
  StringRef getName() final { return "SLM"; }
};

/// Row-major offsets (elements) of all pieces of shape `piece` in `shape`.
SmallVector<SmallVector<int64_t>> getPieceOffsets(ArrayRef<int64_t> shape,
                                                  ArrayRef<int64_t> piece);
} // namespace mlir::mlt

#define GET_OP_CLASSES
#include "Dialect/MLT/IR/MLTOps.h.inc"

#endif // MLTC_DIALECT_MLT_H
