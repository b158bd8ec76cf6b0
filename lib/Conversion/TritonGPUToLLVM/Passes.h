//===- Passes.h - from the intrinsic level to LLVM ------------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_PASSES_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Conversion/TritonGPUToLLVM/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_PASSES_H
