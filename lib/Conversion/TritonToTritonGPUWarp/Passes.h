//===- Passes.h - workgroup tiles to workgroup tiles with layouts ---------===//
#ifndef MLTC_CONVERSION_TRITONTOTRITONGPUWARP_PASSES_H
#define MLTC_CONVERSION_TRITONTOTRITONGPUWARP_PASSES_H

#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Conversion/TritonToTritonGPUWarp/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONTOTRITONGPUWARP_PASSES_H
