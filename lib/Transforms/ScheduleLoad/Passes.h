//===- Passes.h - the order of loads and dots in loops --------------------===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_PASSES_H
#define MLTC_TRANSFORMS_SCHEDULELOAD_PASSES_H

#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Transforms/ScheduleLoad/Passes.h.inc"
} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_PASSES_H
