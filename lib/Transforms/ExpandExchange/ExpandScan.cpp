//===- ExpandScan.cpp - prefix operations through shared local memory -----===//
//
// A scan along an axis is cut into segments. Loops go through all segments at
// once, a place of each at a time: one adds up the segments, one computes the
// results after the totals of the segments before are known, which is a scan
// again, of a sixteenth of the elements. A loop body works on one element of
// each segment, so the code is short whatever the size of the tile: unrolled
// rounds over the whole tile kept compilers busy for minutes.
//
// Short axes are scanned in rounds (Hillis and Steele): in round s every
// element takes in the one 2^s places before it, which by then stands for 2^s
// elements.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/ExpandExchange/TilePositions.h"
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Transforms/SharedMemory/SharedTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::mlt;

/// Elements of a segment: iterations of the loops, which read memory one after
/// the other. Axes that are no longer than this are scanned in rounds.
static constexpr int64_t kSegment = 16;

/// Bytes of elements up to which the results get memory of their own.
static constexpr int64_t kMaxCopiedBytes = 32 * 1024;

namespace {
/// The scan of a tuple of tensors of one shape; the totals of segments are
/// scanned by another one.
class Scan {
public:
  Scan(OpBuilder &builder, tt::ScanOp op, ValueRange sources)
      : builder(builder), op(op), loc(op.getLoc()), sources(sources),
        shape(cast<RankedTensorType>(sources.front().getType()).getShape()),
        axis(op.getAxis()) {
    for (Value source : sources)
      buffers.push_back(makeBuffer(builder, op, shape, getElement(source)));
  }

  SmallVector<Value> run() {
    return shape[axis] > kSegment ? runInSegments() : runInRounds();
  }

private:
  SmallVector<Value> runInRounds();
  SmallVector<Value> runInSegments();
  void runRound(int64_t distance, SmallVectorImpl<Value> &values);
  SmallVector<Value> addUpSegments();
  SmallVector<Value> getEarlier(ValueRange totals);
  bool chooseResultBuffers();
  void writeResults(ValueRange earlier);

  static Type getElement(Value value) {
    return cast<RankedTensorType>(value.getType()).getElementType();
  }
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  SmallVector<Value> getIndices(ArrayRef<int64_t> of) {
    SmallVector<Value> indices;
    for (unsigned dim : llvm::seq<unsigned>(0, of.size()))
      indices.push_back(getIndex(builder, loc, of, dim));
    return indices;
  }
  /// True where the element `distance` places before exists; its index.
  std::pair<Value, Value> getBefore(Value index, int64_t extent,
                                    int64_t distance);
  SmallVector<Value> gather(ArrayRef<SharedTile> from, Value start,
                            Value numbers) {
    SmallVector<Value> values;
    for (auto [buffer, source] : llvm::zip_equal(from, sources))
      values.push_back(
          buffer.gather(builder, loc, getElement(source), start, numbers));
    return values;
  }
  void share(ValueRange values) {
    for (auto [buffer, value] : llvm::zip_equal(buffers, values))
      buffer.store(builder, loc, value,
                   getZeroOffsets(builder, loc, shape.size()));
    BarrierOp::create(builder, loc);
  }
  SmallVector<Value> select(Value condition, ValueRange whenTrue,
                            ValueRange whenFalse) {
    SmallVector<Value> values;
    for (auto [yes, no] : llvm::zip_equal(whenTrue, whenFalse))
      values.push_back(
          arith::SelectOp::create(builder, loc, condition, yes, no));
    return values;
  }
  SmallVector<Value> combine(ValueRange earlier, ValueRange values) {
    return combineTensors(builder, op.getCombineOp(), earlier, values);
  }
  /// Distance from the start of a segment to the element that is scanned in
  /// iteration `iteration`.
  Value getStart(Value iteration);
  /// A loop over all elements of the segments but the first.
  template <typename BodyFn>
  SmallVector<Value> loop(ValueRange initial, BodyFn body);

  OpBuilder &builder;
  tt::ScanOp op;
  Location loc;
  SmallVector<Value> sources;
  SmallVector<int64_t> shape;
  unsigned axis;
  SmallVector<SharedTile> buffers;

  // Of a scan in segments: how many there are along each dimension, and the
  // number of each segment's first element in memory.
  SmallVector<int64_t> segments;
  Value firstNumbers;
};
} // namespace

std::pair<Value, Value> Scan::getBefore(Value index, int64_t extent,
                                        int64_t distance) {
  auto type = cast<RankedTensorType>(index.getType());
  auto splat = [&](int64_t value) {
    return splatConstant(builder, loc, type, value);
  };
  Value exists, before;
  if (op.getReverse()) {
    exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                   index, splat(extent - distance));
    before = arith::AddIOp::create(builder, loc, index, splat(distance));
  } else {
    exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                   index, splat(distance));
    before = arith::SubIOp::create(builder, loc, index, splat(distance));
  }
  // Places without a predecessor read their own.
  before = arith::SelectOp::create(builder, loc, exists, before, index);
  return {exists, before};
}

//===----------------------------------------------------------------------===//
// In rounds
//===----------------------------------------------------------------------===//

SmallVector<Value> Scan::runInRounds() {
  SmallVector<Value> values(sources);
  for (int64_t distance = 1; distance < shape[axis]; distance *= 2)
    runRound(distance, values);
  return values;
}

void Scan::runRound(int64_t distance, SmallVectorImpl<Value> &values) {
  share(values);
  SmallVector<Value> places = getIndices(shape);
  auto [exists, before] = getBefore(places[axis], shape[axis], distance);
  places[axis] = before;
  SmallVector<Value> earlier = gather(buffers, /*start=*/Value(),
                                      linearize(builder, loc, places, shape));
  values = select(exists, combine(earlier, values), values);
  BarrierOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// In segments
//===----------------------------------------------------------------------===//

SmallVector<Value> Scan::runInSegments() {
  segments = shape;
  segments[axis] /= kSegment;
  SmallVector<Value> places = getIndices(segments);
  Value &place = places[axis];
  place = arith::MulIOp::create(
      builder, loc, place,
      splatConstant(builder, loc, cast<RankedTensorType>(place.getType()),
                    kSegment));
  firstNumbers = linearize(builder, loc, places, shape);

  share(sources);
  SmallVector<Value> totals = Scan(builder, op, addUpSegments()).run();
  writeResults(getEarlier(totals));
  SmallVector<Value> results;
  for (auto [buffer, source] : llvm::zip_equal(buffers, sources))
    results.push_back(buffer.load(builder, loc, source.getType(),
                                  getZeroOffsets(builder, loc, shape.size())));
  BarrierOp::create(builder, loc);
  return results;
}

Value Scan::getStart(Value iteration) {
  if (op.getReverse())
    iteration =
        arith::SubIOp::create(builder, loc, constant(kSegment - 1), iteration);
  return arith::MulIOp::create(builder, loc, iteration,
                               constant(getStride(shape, axis)));
}

template <typename BodyFn>
SmallVector<Value> Scan::loop(ValueRange initial, BodyFn body) {
  auto loop = scf::ForOp::create(
      builder, loc, constant(1), constant(kSegment), constant(1), initial,
      [&](OpBuilder &, Location, Value iteration, ValueRange carried) {
        scf::YieldOp::create(builder, loc, body(iteration, carried));
      });
  return loop.getResults();
}

SmallVector<Value> Scan::addUpSegments() {
  SmallVector<Value> first =
      gather(buffers, getStart(constant(0)), firstNumbers);
  return loop(first, [&](Value iteration, ValueRange carried) {
    return combine(carried, gather(buffers, getStart(iteration), firstNumbers));
  });
}

/// What all segments before a segment add up to, from what they add up to with
/// it. The first segment gets its own total, which is not used.
SmallVector<Value> Scan::getEarlier(ValueRange totals) {
  SmallVector<Value> places = getIndices(segments);
  places[axis] = getBefore(places[axis], segments[axis], 1).second;
  Value numbers = linearize(builder, loc, places, segments);
  SmallVector<Value> earlier;
  for (Value total : totals) {
    SharedTile buffer = makeBuffer(builder, op, segments, getElement(total));
    buffer.store(builder, loc, total,
                 getZeroOffsets(builder, loc, segments.size()));
    BarrierOp::create(builder, loc);
    earlier.push_back(buffer.gather(builder, loc, getElement(total),
                                    /*start=*/Value(), numbers));
    BarrierOp::create(builder, loc);
  }
  return earlier;
}

/// Buffers for the results: others than those of the elements, so that nothing
/// has to wait in the loop (Intel's compiler for CPUs takes minutes for loops
/// with barriers), unless both would be too much.
bool Scan::chooseResultBuffers() {
  int64_t bytes = 0;
  for (const SharedTile &buffer : buffers)
    bytes += buffer.getSizeInBytes();
  if (bytes > kMaxCopiedBytes)
    return false;
  buffers.clear();
  for (Value source : sources)
    buffers.push_back(makeBuffer(builder, op, shape, getElement(source)));
  return true;
}

/// Writes the results. If they take the place of the elements, all warps have
/// to have read those: a warp that holds one may not be its owner.
void Scan::writeResults(ValueRange earlier) {
  SmallVector<SharedTile> elements = buffers;
  const bool separate = chooseResultBuffers();
  auto read = [&](Value iteration) {
    return gather(elements, getStart(iteration), firstNumbers);
  };
  auto write = [&](Value iteration, ValueRange values) {
    if (!separate)
      BarrierOp::create(builder, loc);
    Value start = getStart(iteration);
    for (auto [buffer, value] : llvm::zip_equal(buffers, values))
      buffer.scatter(builder, loc, value, start, firstNumbers);
  };
  Value exists =
      getBefore(getIndex(builder, loc, segments, axis), segments[axis], 1)
          .first;
  SmallVector<Value> values = read(constant(0));
  values = select(exists, combine(earlier, values), values);
  write(constant(0), values);
  loop(values, [&](Value iteration, ValueRange carried) {
    SmallVector<Value> next = combine(carried, read(iteration));
    write(iteration, next);
    return next;
  });
  BarrierOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

namespace {
struct ExpandScan : OpRewritePattern<tt::ScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::ScanOp op,
                                PatternRewriter &rewriter) const override {
    if (!isElementwiseRegion(op.getCombineOp()))
      return rewriter.notifyMatchFailure(op, "region with control flow");
    rewriter.replaceOp(op, Scan(rewriter, op, op.getSrcs()).run());
    return success();
  }
};
} // namespace

void mlt::populateScanPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandScan>(patterns.getContext());
}
