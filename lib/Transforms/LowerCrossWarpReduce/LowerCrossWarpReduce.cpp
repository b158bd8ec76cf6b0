//===- LowerCrossWarpReduce.cpp - reductions across warps through SLM -----===//
//
// Every warp writes its partial result to shared local memory; behind a barrier
// every warp reads the partial results of its group and combines them. Where
// the result can be split evenly, each combines one part of it instead and
// reads the parts of the others behind another barrier: 32 warps would read 32
// rows each, more than the registers hold. The last barrier keeps the next use
// of the buffers from overtaking slow readers.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Transforms/Passes.h"
#include "Transforms/SharedMemory/SharedTile.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_LOWERCROSSWARPREDUCE
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

/// Lowers one reduction. `numWarps` warps write, each to its own row.
class Exchange {
public:
  Exchange(CrossWarpReduceOp op, int64_t numWarps)
      : op(op), builder(op), loc(op.getLoc()), numWarps(numWarps) {
    warp = WarpIdOp::create(builder, loc, builder.getI32Type());
    for (Type type : op.getSrcs().getTypes()) {
      SmallVector<int64_t> shape{numWarps};
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        llvm::append_range(shape, tensor.getShape());
      buffers.emplace_back(builder, loc, shape, getElementTypeOrSelf(type));
    }
  }

  void lower() {
    for (auto [source, buffer] : llvm::zip_equal(op.getSrcs(), buffers))
      storeRow(buffer, source);
    BarrierOp::create(builder, loc);
    SmallVector<Value> results = isScalar()   ? reduceScalars()
                                 : hasParts() ? combineParts()
                                              : combineRows();
    BarrierOp::create(builder, loc);
    op.replaceAllUsesWith(results);
    op.erase();
  }

private:
  bool isScalar() {
    return !isa<RankedTensorType>(op.getSrcs().front().getType());
  }

  /// Offsets of the start of row `row` for a buffer of a value of `type`.
  SmallVector<Value> getOffsets(Value row, Type type) {
    SmallVector<Value> offsets{row};
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      offsets.append(tensor.getRank(), constant(builder, loc, 0));
    return offsets;
  }

  /// A tensor as a row of a buffer: with a leading dimension of 1.
  RankedTensorType getRowType(RankedTensorType type) {
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), 1);
    return RankedTensorType::get(shape, type.getElementType());
  }

  void storeRow(const SharedTile &buffer, Value source) {
    SmallVector<Value> offsets = getOffsets(warp, source.getType());
    if (auto type = dyn_cast<RankedTensorType>(source.getType()))
      source = tt::ExpandDimsOp::create(builder, loc, getRowType(type), source,
                                        /*axis=*/0);
    buffer.store(builder, loc, source, offsets);
  }

  /// The id of member `index` of the current warp's group: the group starts
  /// where the digit of the id that counts its members is 0.
  Value getMember(int64_t index) {
    if (!first) {
      Value stride = constant(builder, loc, op.getStride());
      Value digit = arith::RemUIOp::create(
          builder, loc, arith::DivUIOp::create(builder, loc, warp, stride),
          constant(builder, loc, op.getSize()));
      first = arith::SubIOp::create(
          builder, loc, warp,
          arith::MulIOp::create(builder, loc, digit, stride));
    }
    return arith::AddIOp::create(
        builder, loc, first, constant(builder, loc, index * op.getStride()));
  }

  SmallVector<Value> combineRows() {
    SmallVector<Value> result;
    for (int64_t index = 0; index < static_cast<int64_t>(op.getSize());
         ++index) {
      SmallVector<Value> row;
      for (auto [source, buffer] : llvm::zip_equal(op.getSrcs(), buffers)) {
        auto type = cast<RankedTensorType>(source.getType());
        Value loaded = buffer.load(builder, loc, getRowType(type),
                                   getOffsets(getMember(index), type));
        row.push_back(tt::ReshapeOp::create(builder, loc, type, loaded,
                                            /*allowReorder=*/false));
      }
      result = result.empty()
                   ? row
                   : combineTensors(builder, op.getCombine(), result, row);
    }
    return result;
  }

  /// True for 1-D tensors of which each warp of a group of neighbours can have
  /// a part. Two rows are read faster than parts are exchanged.
  bool hasParts() {
    auto type = cast<RankedTensorType>(op.getSrcs().front().getType());
    int64_t size = op.getSize();
    return op.getStride() == 1 && size > 2 && type.getRank() == 1 &&
           type.getNumElements() % size == 0;
  }

  SmallVector<Value> combineParts() {
    int64_t size = op.getSize();
    int64_t part = cast<RankedTensorType>(op.getSrcs().front().getType())
                       .getNumElements() /
                   size;
    Value start = arith::SubIOp::create(builder, loc, warp, getMember(0));
    start = arith::MulIOp::create(builder, loc, start,
                                  constant(builder, loc, part));
    SmallVector<Value> rows;
    SmallVector<Type> types;
    for (auto [source, buffer] : llvm::zip_equal(op.getSrcs(), buffers)) {
      Type element = getElementTypeOrSelf(source.getType());
      rows.push_back(buffer.load(builder, loc,
                                 RankedTensorType::get({size, part}, element),
                                 {getMember(0), start}));
      types.push_back(RankedTensorType::get({part}, element));
    }
    SmallVector<SharedTile> exchanged;
    SmallVector<Value> offsets;
    for (Value index : {warp, getMember(0)})
      offsets.push_back(arith::MulIOp::create(builder, loc, index,
                                              constant(builder, loc, part)));
    for (Value combined : reduce(rows, types)) {
      exchanged.emplace_back(builder, loc, ArrayRef<int64_t>{numWarps * part},
                             getElementTypeOrSelf(combined.getType()));
      exchanged.back().store(builder, loc, combined, offsets[0]);
    }
    BarrierOp::create(builder, loc);
    return llvm::map_to_vector(
        llvm::zip_equal(op.getSrcs(), exchanged), [&](auto pair) {
          auto &[source, buffer] = pair;
          return buffer.load(builder, loc, source.getType(), offsets[1]);
        });
  }

  /// Scalars: one per warp, read as a tensor and reduced inside the warp.
  SmallVector<Value> reduceScalars() {
    int64_t size = op.getSize();
    auto indexType = RankedTensorType::get({size}, builder.getI32Type());
    Value members = tt::MakeRangeOp::create(builder, loc, indexType, 0, size);
    if (op.getStride() != 1)
      members = arith::MulIOp::create(
          builder, loc, members,
          tt::SplatOp::create(builder, loc, indexType,
                              constant(builder, loc, op.getStride())));
    SmallVector<Value> values;
    for (auto [source, buffer] : llvm::zip_equal(op.getSrcs(), buffers))
      values.push_back(
          buffer.gather(builder, loc, source.getType(), getMember(0), members));
    return reduce(values, llvm::to_vector(op.getSrcs().getTypes()));
  }

  /// Combines along the first axis.
  SmallVector<Value> reduce(ArrayRef<Value> values, ArrayRef<Type> types) {
    OperationState state(
        loc, tt::ReduceOp::getOperationName(), values, types,
        {builder.getNamedAttr("axis", builder.getI32IntegerAttr(0))});
    Region *body = state.addRegion();
    body->takeBody(op.getCombine());
    Operation *terminator = body->front().getTerminator();
    OpBuilder inner(terminator);
    tt::ReduceReturnOp::create(inner, terminator->getLoc(),
                               terminator->getOperands());
    terminator->erase();
    return SmallVector<Value>(builder.create(state)->getResults());
  }

  CrossWarpReduceOp op;
  OpBuilder builder;
  Location loc;
  int64_t numWarps;
  Value warp, first;
  SmallVector<SharedTile> buffers;
};

struct LowerCrossWarpReduce
    : mlt::impl::LowerCrossWarpReduceBase<LowerCrossWarpReduce> {
  using LowerCrossWarpReduceBase::LowerCrossWarpReduceBase;

  void runOnOperation() override {
    SmallVector<CrossWarpReduceOp> reductions;
    getOperation().walk(
        [&](CrossWarpReduceOp op) { reductions.push_back(op); });
    std::optional<int64_t> numWarps = ttg::lookupNumWarps(getOperation());
    for (CrossWarpReduceOp op : reductions) {
      if (!numWarps) {
        op.emitOpError() << "expected the module attribute '"
                         << ttg::TritonGPUDialect::kNumWarpsAttr << "'";
        return signalPassFailure();
      }
      Exchange(op, *numWarps).lower();
      ++numLowered;
    }
  }
};
} // namespace
