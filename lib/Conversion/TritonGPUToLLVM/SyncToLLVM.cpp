//===- SyncToLLVM.cpp - ids, shared local memory and barriers -------------===//
//
// What a warp asks about its place in the grid and the workgroup, and how the
// warps of a workgroup wait for each other. Shared local memory is one global
// per kernel where the style has globals there, else just addresses.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/KernelInfo.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
struct ProgramIdPattern : TilePattern<tt::GetProgramIdOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::GetProgramIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, style.getProgramId(rewriter, op.getLoc(), op.getAxisAsInt()));
    return success();
  }
};

struct NumProgramsPattern : TilePattern<tt::GetNumProgramsOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::GetNumProgramsOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, style.getNumPrograms(rewriter, op.getLoc(), op.getAxisAsInt()));
    return success();
  }
};

struct WarpIdPattern : TilePattern<WarpIdOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(WarpIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, style.getWarpId(rewriter, op.getLoc()));
    return success();
  }
};

struct FullBarrierPattern : TilePattern<BarrierOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    style.barrier(rewriter, op.getLoc(), op.getGlobal());
    rewriter.eraseOp(op);
    return success();
  }
};

template <typename OpT, void (CodeGenStyle::*emit)(OpBuilder &, Location) const>
struct BarrierPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    (this->style.*emit)(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

struct AllocPattern : TilePattern<AllocOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast_if_present<LLVM::LLVMPointerType>(
        converter.convertType(op.getType()));
    auto offset = op.getOffset();
    auto name = op->getAttrOfType<FlatSymbolRefAttr>(kSlmGlobalAttr);
    if (!type || !offset)
      return failure();
    if (!name) {
      // Addresses of shared local memory start at 0. They have 32 bits; IGC's
      // vector backend aborts where one is made from a constant with more.
      Value start = LLVM::ConstantOp::create(
          rewriter, op.getLoc(), rewriter.getI32IntegerAttr(*offset));
      rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(op, type, start);
      return success();
    }
    Value base =
        LLVM::AddressOfOp::create(rewriter, op.getLoc(), type, name.getValue());
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
        op, type, rewriter.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(*offset)});
    return success();
  }
};
} // namespace

void mlt::populateSyncPatterns(const PatternArguments &arguments) {
  arguments.add<ProgramIdPattern, NumProgramsPattern, WarpIdPattern,
                AllocPattern, FullBarrierPattern,
                BarrierPattern<BarrierArriveOp, &CodeGenStyle::barrierArrive>,
                BarrierPattern<BarrierWaitOp, &CodeGenStyle::barrierWait>>();
}
