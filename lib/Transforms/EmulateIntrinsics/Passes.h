//===- Passes.h - portable code for device intrinsics ---------------------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_PASSES_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/EmulateIntrinsics/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_PASSES_H
