//===- Passes.h - block accesses that hardware can do ---------------------===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_PASSES_H
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_PASSES_H

#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/LegalizeBlockIO/Versions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/LegalizeBlockIO/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_PASSES_H
