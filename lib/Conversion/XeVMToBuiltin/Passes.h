//===- Passes.h - XeVM to OpenCL built-ins --------------------------------===//
#ifndef MLTC_CONVERSION_XEVMTOBUILTIN_PASSES_H
#define MLTC_CONVERSION_XEVMTOBUILTIN_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mlt {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Conversion/XeVMToBuiltin/Passes.h.inc"

/// Patterns for the ops that every SIMT interface lowers alike: ids, fences,
/// 1-D block messages and prefetches.
void populateXeVMCommonPatterns(RewritePatternSet &patterns);

/// Reports every xevm op in `module` that no SIMT interface can express, with
/// the reason. Conversions run after this check cannot fail on them.
LogicalResult checkXeVMOps(ModuleOp module);

/// Gives prefetches in loops an address register that the loop keeps. For the
/// current generation of the device compiler, the old one crashes on it.
LogicalResult hoistPrefetchPayloads(ModuleOp module);

/// Converts all xevm ops in `module` with `patterns`.
LogicalResult convertXeVMOps(ModuleOp module, RewritePatternSet &&patterns);

/// Type of the elements of operand A or B in registers: dwords and words of
/// packed elements, or f32 for tf32.
Type getPackedType(Builder &builder, xevm::ElemType type, unsigned bits);

/// Element type of an accumulator of `type` in registers.
Type getAccumulatorType(Builder &builder, xevm::ElemType type);

/// `value`, a vector, with its bits as elements of `element`.
Value castElements(OpBuilder &builder, Location loc, Value value, Type element);
} // namespace mlir::mlt

#endif // MLTC_CONVERSION_XEVMTOBUILTIN_PASSES_H
