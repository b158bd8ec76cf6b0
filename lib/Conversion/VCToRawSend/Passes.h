//===- Passes.h - block messages of the vector backend as raw sends -------===//
#ifndef MLTC_CONVERSION_VCTORAWSEND_PASSES_H
#define MLTC_CONVERSION_VCTORAWSEND_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Conversion/VCToRawSend/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_CONVERSION_VCTORAWSEND_PASSES_H
