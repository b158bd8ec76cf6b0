//===- Passes.h - XeVM to GenISA intrinsics -------------------------------===//
#ifndef MLTC_CONVERSION_XEVMTOGENISA_PASSES_H
#define MLTC_CONVERSION_XEVMTOGENISA_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Conversion/XeVMToGenISA/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_CONVERSION_XEVMTOGENISA_PASSES_H
