//===- SplitControlFlow.cpp - loops and branches carry pieces -------------===//
//
// The structural type conversion of upstream goes by type; here the pieces
// depend on the value. The plan gives all values that control flow joins the
// same pieces, so the values of a terminator fit as they are.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Transforms/MatchTargetSize/Patterns.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
template <typename OpT> struct SplitControlFlow : SplitPattern<OpT> {
  using Base = SplitPattern<OpT>;
  using Base::Base;

protected:
  static SmallVector<Value> flatten(ArrayRef<ValueRange> values) {
    SmallVector<Value> result;
    for (ValueRange pieces : values)
      llvm::append_range(result, pieces);
    return result;
  }

  /// Moves `from` into `to` with its arguments split as the plan says.
  LogicalResult moveRegion(ConversionPatternRewriter &rewriter, Region &from,
                           Region &to) const {
    const TypeConverter *converter = this->getTypeConverter();
    Block &block = from.front();
    TypeConverter::SignatureConversion conversion(block.getNumArguments());
    for (BlockArgument argument : block.getArguments()) {
      SmallVector<Type> types;
      if (failed(converter->convertType(argument, types)))
        return failure();
      conversion.addInputs(argument.getArgNumber(), types);
    }
    rewriter.inlineRegionBefore(from, to, to.end());
    rewriter.applySignatureConversion(&to.front(), conversion, converter);
    return success();
  }

  /// Types of all pieces of `values`, and how many each has.
  LogicalResult convertTypes(ValueRange values, SmallVectorImpl<Type> &types,
                             SmallVectorImpl<size_t> &counts) const {
    for (Value value : values) {
      size_t before = types.size();
      if (failed(this->getTypeConverter()->convertType(value, types)))
        return failure();
      counts.push_back(types.size() - before);
    }
    return success();
  }

  static void replace(ConversionPatternRewriter &rewriter, Operation *op,
                      Operation *by, ArrayRef<size_t> counts) {
    SmallVector<ValueRange> groups;
    ValueRange results = by->getResults();
    for (size_t count : counts) {
      groups.push_back(results.take_front(count));
      results = results.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>(groups));
  }
};

struct SplitFor : SplitControlFlow<scf::ForOp> {
  using SplitControlFlow::SplitControlFlow;
  LogicalResult
  matchAndRewrite(scf::ForOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    if (failed(convertTypes(op.getResults(), types, counts)))
      return failure();
    auto loop = scf::ForOp::create(rewriter, op.getLoc(), op.getLowerBound(),
                                   op.getUpperBound(), op.getStep(),
                                   flatten(adaptor.getInitArgs()), nullptr,
                                   op.getUnsignedCmp());
    loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseBlock(loop.getBody());
    if (failed(moveRegion(rewriter, op.getRegion(), loop.getRegion())))
      return failure();
    replace(rewriter, op, loop, counts);
    return success();
  }
};

struct SplitIf : SplitControlFlow<scf::IfOp> {
  using SplitControlFlow::SplitControlFlow;
  LogicalResult
  matchAndRewrite(scf::IfOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    if (failed(convertTypes(op.getResults(), types, counts)))
      return failure();
    auto branch =
        scf::IfOp::create(rewriter, op.getLoc(), types, op.getCondition(),
                          /*addThenBlock=*/false,
                          /*addElseBlock=*/false);
    branch->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), branch->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    replace(rewriter, op, branch, counts);
    return success();
  }
};

struct SplitWhile : SplitControlFlow<scf::WhileOp> {
  using SplitControlFlow::SplitControlFlow;
  LogicalResult
  matchAndRewrite(scf::WhileOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    SmallVector<size_t> counts;
    if (failed(convertTypes(op.getResults(), types, counts)))
      return failure();
    auto loop = scf::WhileOp::create(rewriter, op.getLoc(), types,
                                     flatten(adaptor.getInits()));
    loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), loop->getRegions()))
      if (failed(moveRegion(rewriter, from, to)))
        return failure();
    replace(rewriter, op, loop, counts);
    return success();
  }
};

struct SplitYield : SplitControlFlow<scf::YieldOp> {
  using SplitControlFlow::SplitControlFlow;
  LogicalResult
  matchAndRewrite(scf::YieldOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op,
                                              flatten(adaptor.getResults()));
    return success();
  }
};

struct SplitCondition : SplitControlFlow<scf::ConditionOp> {
  using SplitControlFlow::SplitControlFlow;
  LogicalResult
  matchAndRewrite(scf::ConditionOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<scf::ConditionOp>(op, op.getCondition(),
                                                  flatten(adaptor.getArgs()));
    return success();
  }
};
} // namespace

void mlt::populateSplitControlFlowPatterns(const PieceConverter &converter,
                                           RewritePatternSet &patterns,
                                           const PiecePlan &plan) {
  patterns.add<SplitFor, SplitIf, SplitWhile, SplitYield, SplitCondition>(
      converter, patterns.getContext(), plan);
}
