//===- ReduceToLLVM.cpp - reductions within a warp ------------------------===//
//
// First every lane combines the slots it holds. Along columns the lanes then
// combine with each other: rows come in groups of as many as there are lanes,
// and each step exchanges half of the rows with a partner lane, so that after
// the last step lane l holds row l, which is how a 1-D tile lies. A group of
// one row is the usual butterfly. Where two rows can be regrouped by one move
// per half, a step is that: three instructions for two rows, not five to seven.
// A style with one lane has a tree of its own.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/FlatReduce.h"
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include <map>

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// One value per operand of the reduction.
using Values = SmallVector<Value, 2>;

class Reducer {
public:
  Reducer(tt::ReduceOp op, ConversionPatternRewriter &rewriter,
          const CodeGenStyle &style, ArrayRef<Tile> tiles)
      : op(op), rewriter(rewriter), style(style), loc(op.getLoc()),
        tiles(tiles) {}

  /// Combines all of `values`.
  Values combineAll(SmallVector<Values> values);

  /// `rows[i]` holds lane-wise parts of row i, over the low `numParts` lanes
  /// (the other lanes hold copies). In the result lane l holds row
  /// l % rows.size(), combined.
  Values combineLanes(SmallVector<Values> rows, int64_t numParts);

  /// The same by regrouping rows, for parts in all lanes.
  Values combineRegrouped(SmallVector<Values> rows);

  /// Whether combineRegrouped takes `numRows` rows, and is shorter.
  bool canRegroup(int64_t numRows, int64_t numParts) const {
    auto isRegrouped = [&](const Tile &tile) {
      return style.canRegroup(tile.slot);
    };
    return numParts == style.getNumLanes() && numRows > 2 &&
           llvm::isPowerOf2_64(numRows) && llvm::all_of(tiles, isRegrouped);
  }

  /// Combines with the values of the lane whose id differs in `bit`.
  Values exchange(const Values &values, int64_t bit) {
    return combine(values, shuffleXor(values, bit));
  }

private:
  Values combine(const Values &a, const Values &b);
  Values shuffleXor(const Values &values, int64_t mask);
  Values select(Value condition, const Values &a, const Values &b);
  Values combineGroups(const Values &a, const Values &b, int64_t width);

  tt::ReduceOp op;
  ConversionPatternRewriter &rewriter;
  const CodeGenStyle &style;
  Location loc;
  ArrayRef<Tile> tiles;
};
} // namespace

/// The region applied to scalars. It computes with the operation's own element
/// types, which casts connect to the carried ones.
Values Reducer::combine(const Values &a, const Values &b) {
  Block &body = op.getCombineOp().front();
  IRMapping mapping;
  SmallVector<Value> arguments(a.begin(), a.end());
  llvm::append_range(arguments, b);
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments(), arguments)) {
    if (argument.getType() != value.getType())
      value = UnrealizedConversionCastOp::create(rewriter, loc,
                                                 argument.getType(), value)
                  .getResult(0);
    mapping.map(argument, value);
  }
  for (Operation &nested : body.without_terminator())
    rewriter.clone(nested, mapping);
  Values results;
  for (auto [returned, tile] :
       llvm::zip_equal(body.getTerminator()->getOperands(), tiles)) {
    Value value = mapping.lookupOrDefault(returned);
    if (value.getType() != tile.slot)
      value =
          UnrealizedConversionCastOp::create(rewriter, loc, tile.slot, value)
              .getResult(0);
    results.push_back(value);
  }
  return results;
}

Values Reducer::shuffleXor(const Values &values, int64_t mask) {
  return llvm::map_to_vector<2>(values, [&](Value value) {
    return style.shuffleXor(rewriter, loc, value, mask);
  });
}

Values Reducer::select(Value condition, const Values &a, const Values &b) {
  Values results;
  for (auto [x, y] : llvm::zip_equal(a, b))
    results.push_back(LLVM::SelectOp::create(rewriter, loc, condition, x, y));
  return results;
}

Values Reducer::combineAll(SmallVector<Values> values) {
  while (values.size() > 1) {
    SmallVector<Values> next;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      next.push_back(combine(values[i], values[i + 1]));
    if (values.size() % 2 != 0)
      next.push_back(values.back());
    values = std::move(next);
  }
  return values.front();
}

Values Reducer::combineLanes(SmallVector<Values> rows, int64_t numParts) {
  int64_t numLanes = style.getNumLanes();
  // Lanes whose id has the bit keep the upper half of the rows.
  for (int64_t bit = rows.size() / 2; bit >= 1; bit /= 2) {
    uint64_t upperLanes = 0;
    for (int64_t lane = 0; lane < numLanes; ++lane)
      upperLanes |= static_cast<uint64_t>((lane & bit) != 0) << lane;
    Value upper = getLaneMask(rewriter, loc, style, upperLanes);
    SmallVector<Values> kept;
    for (int64_t i = 0; i < bit; ++i) {
      Values keep = select(upper, rows[i + bit], rows[i]);
      if (bit < numParts) {
        Values give = select(upper, rows[i], rows[i + bit]);
        keep = combine(keep, shuffleXor(give, bit));
      }
      kept.push_back(keep);
    }
    rows.resize(bit);
    llvm::move(kept, rows.begin());
  }
  return rows.front();
}

/// Every other group of lanes of two rows, combined with the group behind it.
Values Reducer::combineGroups(const Values &a, const Values &b, int64_t width) {
  Values even, odd;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    auto [low, high] = *style.regroup(rewriter, loc, x, y, width);
    even.push_back(low);
    odd.push_back(high);
  }
  return combine(even, odd);
}

Values Reducer::combineRegrouped(SmallVector<Values> rows) {
  for (int64_t width = style.getNumLanes() / 2; width >= 1; width /= 2) {
    SmallVector<Values> next;
    // The only row left goes with itself, which spreads it over all lanes.
    for (size_t i = 0; i < rows.size(); i += 2)
      next.push_back(combineGroups(
          rows[i], rows[std::min(i + 1, rows.size() - 1)], width));
    rows = std::move(next);
  }
  return rows.front();
}

namespace {
struct ReducePattern : TilePattern<tt::ReduceOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(tt::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (style.getNumLanes() == 1 && isVectorizable(op)) {
      FailureOr<SmallVector<Value>> values =
          reduceFlat(op, rewriter, style, converter, adaptor.getSrcs());
      if (failed(values))
        return failure();
      rewriter.replaceOp(op, *values);
      return success();
    }
    Location loc = op.getLoc();
    SmallVector<Tile> sources, results;
    SmallVector<SmallVector<Value>> slots;
    for (auto [operand, carried] :
         llvm::zip_equal(op.getSrcs(), adaptor.getSrcs())) {
      FailureOr<Tile> tile = getTile(operand.getType());
      if (failed(tile))
        return failure();
      sources.push_back(*tile);
      slots.push_back(
          getElements(rewriter, loc, tile->unpack(rewriter, loc, carried)));
    }
    for (Type type : op.getResultTypes()) {
      FailureOr<Tile> tile = getTile(type);
      if (failed(tile))
        return failure();
      results.push_back(*tile);
    }
    Reducer reducer(op, rewriter, style, sources);
    SmallVector<Values> reduced = reduce(op, reducer, sources.front().layout,
                                         results.front().layout, slots);
    SmallVector<Value> replacements;
    for (auto [index, tile] : llvm::enumerate(results)) {
      auto values = llvm::map_to_vector(
          reduced, [index = index](const Values &v) { return v[index]; });
      replacements.push_back(
          toResult(rewriter, op, index, sources[index], tile, values));
    }
    rewriter.replaceOp(op, replacements);
    return success();
  }

private:
  static bool isAlongLanes(tt::ReduceOp op) {
    return static_cast<int64_t>(op.getAxis()) ==
           op.getInputTypes().front().getRank() - 1;
  }

  /// One entry per slot: of the result when reduced along lanes, else of the
  /// tile with an extent of 1 along the axis.
  SmallVector<Values> reduce(tt::ReduceOp op, Reducer &reducer,
                             const LaneLayout &source, const LaneLayout &result,
                             ArrayRef<SmallVector<Value>> slots) const {
    ArrayRef<int64_t> shape = op.getInputTypes().front().getShape();
    int64_t extent = shape[op.getAxis()];
    int64_t inner = 1;
    for (int64_t size : shape.drop_front(op.getAxis() + 1))
      inner *= size;

    // Slots by the element of the result that they contribute to in lane 0
    // (along lanes: in all lanes), in order of that element.
    std::map<int64_t, SmallVector<Values>> groups;
    for (int64_t slot = 0; slot < source.getNumSlots(); ++slot) {
      int64_t element = source.getElement({0, slot});
      int64_t target = element / (inner * extent) * inner + element % inner;
      Values values;
      for (ArrayRef<Value> operand : slots)
        values.push_back(operand[slot]);
      groups[target].push_back(values);
    }
    std::map<int64_t, Values> partial;
    for (auto &[target, values] : groups)
      partial[target] = reducer.combineAll(std::move(values));

    SmallVector<Values> reduced;
    if (!isAlongLanes(op)) {
      LaneLayout kept = getKeptLayout(op);
      for (int64_t slot = 0; slot < kept.getNumSlots(); ++slot)
        reduced.push_back(partial[kept.getElement({0, slot})]);
      return reduced;
    }
    int64_t numParts = std::min(extent, style.getNumLanes());
    for (int64_t slot = 0; slot < result.getNumSlots(); ++slot) {
      // The rows that the lanes of this slot hold are consecutive.
      SmallVector<Values> rows;
      for (int64_t lane = 0; lane < result.getNumActiveLanes(); ++lane)
        rows.push_back(partial[result.getElement({lane, slot})]);
      reduced.push_back(combineGroup(reducer, std::move(rows), numParts));
    }
    return reduced;
  }

  /// combineLanes, and a butterfly over the lanes that hold further parts of
  /// the same rows.
  Values combineGroup(Reducer &reducer, SmallVector<Values> rows,
                      int64_t numParts) const {
    int64_t numRows = rows.size();
    if (reducer.canRegroup(numRows, numParts))
      return reducer.combineRegrouped(std::move(rows));
    Values values = reducer.combineLanes(std::move(rows), numParts);
    for (int64_t bit = numRows; bit < numParts; bit *= 2)
      values = reducer.exchange(values, bit);
    return values;
  }

  LaneLayout getKeptLayout(tt::ReduceOp op) const {
    auto shape = llvm::to_vector(op.getInputTypes().front().getShape());
    shape[op.getAxis()] = 1;
    return style.getPlainLayout(shape);
  }

  /// The converted result from its slots.
  Value toResult(OpBuilder &builder, tt::ReduceOp op, size_t index,
                 const Tile &source, const Tile &result,
                 ArrayRef<Value> slots) const {
    Location loc = op.getLoc();
    Value value = buildVector(builder, loc, slots);
    if (isAlongLanes(op))
      return result.pack(builder, loc, value);
    // Drop the dimension: the elements keep their numbers.
    LaneLayout layout = getKeptLayout(op);
    Tile kept{layout, source.slot,
              getVectorType(source.slot, layout.getNumSlots())};
    return moveElements(
        builder, loc, style, value, kept, result,
        [](int64_t element) -> ElementSource { return {0, element}; });
  }
};
} // namespace

void mlt::populateReducePatterns(const PatternArguments &arguments) {
  arguments.add<ReducePattern>();
}
