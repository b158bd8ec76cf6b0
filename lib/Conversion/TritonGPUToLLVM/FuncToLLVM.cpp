//===- FuncToLLVM.cpp - kernels become LLVM functions ---------------------===//
//
// A kernel keeps its arguments by position. Work-group and sub-group size are
// fixed by the number of warps, so that a wrong launch is refused by the
// driver.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/KernelInfo.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
struct FuncPattern : TilePattern<tt::FuncOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::FuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(
            converter.convertSignatureArgs(op.getArgumentTypes(), signature)))
      return failure();
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(getContext()), signature.getConvertedTypes());
    auto function =
        LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), op.getName(), type);
    function.setCConv(LLVM::CConv::SPIR_KERNEL);
    function.setReqdWorkGroupSize(style.getLocalSize(lowering.numWarps));
    int64_t slmBytes = 0;
    if (auto info =
            op->getAttrOfType<DictionaryAttr>(MLTDialect::kKernelAttr)) {
      function->setAttr(MLTDialect::kKernelAttr, info);
      if (auto bytes = info.getAs<IntegerAttr>("slm_bytes"))
        slmBytes = bytes.getInt();
    }
    style.setKernelAttributes(function, slmBytes);

    rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                function.getBody().end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), converter,
                                           &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReturnPattern : TilePattern<tt::ReturnOp> {
  using TilePattern::TilePattern;
  LogicalResult
  matchAndRewrite(tt::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, adaptor.getSrcs());
    return success();
  }
};
} // namespace

void mlt::populateFunctionPatterns(const PatternArguments &arguments) {
  arguments.add<FuncPattern, ReturnPattern>();
}
