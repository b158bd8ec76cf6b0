//===- LowerCrossWarpReduce.cpp - reductions across warps through SLM -----===//
//
// Every warp writes its partial result to shared local memory; behind a barrier
// the partial results are read and combined, in the way that WarpTree chooses.
// Every step has buffers of its own. The barrier behind its reads keeps the
// next round of a loop from overtaking slow readers; where nothing can,
// --remove-redundant-barriers takes it away, which needs all of the kernel.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Target/Description/TargetDescription.h"
#include "Transforms/LowerCrossWarpReduce/WarpTree.h"
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Transforms/Passes.h"
#include "Transforms/SharedMemory/SharedTile.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_LOWERCROSSWARPREDUCE
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Some warps of a work-group: those whose ids differ from the current warp's
/// in the digit that counts `size` warps which are `stride` apart.
struct WarpGroup {
  Value first; // id of the member whose digit is 0
  Value digit; // of the current warp
  int64_t size, stride;
};

/// Lowers one reduction.
class Exchange {
public:
  Exchange(CrossWarpReduceOp op, int64_t numWarps)
      : op(op), builder(op), loc(op.getLoc()), numWarps(numWarps) {
    warp = WarpIdOp::create(builder, loc, builder.getI32Type());
  }

  void lowerScalars();
  void lowerTree(ArrayRef<int64_t> radices);
  void lowerShared(ArrayRef<int64_t> piece);

private:
  using Rows = SmallVector<SmallVector<Value>>;
  using Buffers = SmallVector<SharedTile>;

  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }

  WarpGroup getGroup(int64_t size, int64_t stride);
  Value getMember(const WarpGroup &group, int64_t index);

  Buffers makeBuffers();
  void store(const Buffers &buffers, ValueRange values, Value row,
             ArrayRef<Value> offsets = {});
  SmallVector<Value> load(const Buffers &buffers, ArrayRef<int64_t> shape,
                          Value row, ArrayRef<Value> offsets = {});
  SmallVector<Value> combineMembers(const Buffers &buffers,
                                    const WarpGroup &group,
                                    ArrayRef<int64_t> shape,
                                    ArrayRef<Value> offsets = {});
  SmallVector<Value> combine(Rows rows);
  SmallVector<Value> reduce(ValueRange tensors);

  Value isDestination();
  void replace(llvm::function_ref<SmallVector<Value>()> read);

  CrossWarpReduceOp op;
  OpBuilder builder;
  Location loc;
  int64_t numWarps;
  Value warp;
};
} // namespace

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

WarpGroup Exchange::getGroup(int64_t size, int64_t stride) {
  Value step = constant(stride);
  Value digit = warp;
  if (stride != 1)
    digit = arith::DivUIOp::create(builder, loc, digit, step);
  if (size * stride != numWarps)
    digit = arith::RemUIOp::create(builder, loc, digit, constant(size));
  Value first = arith::SubIOp::create(
      builder, loc, warp, arith::MulIOp::create(builder, loc, digit, step));
  return {first, digit, size, stride};
}

Value Exchange::getMember(const WarpGroup &group, int64_t index) {
  return add(group.first, constant(index * group.stride));
}

/// Whether the current warp uses the result; null if every warp does.
Value Exchange::isDestination() {
  std::optional<ArrayRef<int32_t>> warps = op.getDstWarps();
  if (!warps || static_cast<int64_t>(warps->size()) == numWarps)
    return {};
  Value found;
  for (int32_t id : *warps) {
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       warp, constant(id));
    found = found ? arith::OrIOp::create(builder, loc, found, here) : here;
  }
  return found;
}

/// Replaces the reduction by what `read` gives, in the warps that use it, and
/// keeps the buffers from their next use until all have read.
void Exchange::replace(llvm::function_ref<SmallVector<Value>()> read) {
  SmallVector<Value> results;
  if (Value condition = isDestination()) {
    auto branch = scf::IfOp::create(builder, loc, op.getResultTypes(),
                                    condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> nothing;
    for (Type type : op.getResultTypes())
      nothing.push_back(ub::PoisonOp::create(builder, loc, type));
    scf::YieldOp::create(builder, loc, nothing);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, read());
    llvm::append_range(results, branch.getResults());
  } else {
    results = read();
  }
  BarrierOp::create(builder, loc);
  op.replaceAllUsesWith(results);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Buffers: one row per warp
//===----------------------------------------------------------------------===//

Exchange::Buffers Exchange::makeBuffers() {
  Buffers buffers;
  for (Type type : op.getSrcs().getTypes()) {
    SmallVector<int64_t> shape{numWarps};
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      llvm::append_range(shape, tensor.getShape());
    buffers.emplace_back(builder, loc, shape, getElementTypeOrSelf(type));
  }
  return buffers;
}

/// A tensor of `shape` as a row of a buffer: with a leading dimension of 1.
static RankedTensorType getRowType(ArrayRef<int64_t> shape, Type element) {
  SmallVector<int64_t> row{1};
  llvm::append_range(row, shape);
  return RankedTensorType::get(row, element);
}

void Exchange::store(const Buffers &buffers, ValueRange values, Value row,
                     ArrayRef<Value> offsets) {
  for (auto [value, buffer] : llvm::zip_equal(values, buffers)) {
    SmallVector<Value> place{row};
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      llvm::append_range(place, offsets);
      if (offsets.empty())
        place.append(type.getRank(), constant(0));
      value = tt::ExpandDimsOp::create(
          builder, loc, getRowType(type.getShape(), type.getElementType()),
          value, /*axis=*/0);
    }
    buffer.store(builder, loc, value, place);
  }
}

SmallVector<Value> Exchange::load(const Buffers &buffers,
                                  ArrayRef<int64_t> shape, Value row,
                                  ArrayRef<Value> offsets) {
  SmallVector<Value> place{row};
  llvm::append_range(place, offsets);
  if (offsets.empty())
    place.append(shape.size(), constant(0));
  SmallVector<Value> values;
  for (auto [type, buffer] :
       llvm::zip_equal(op.getSrcs().getTypes(), buffers)) {
    Type element = getElementTypeOrSelf(type);
    Value loaded = buffer.load(builder, loc, getRowType(shape, element), place);
    values.push_back(tt::ReshapeOp::create(
        builder, loc, RankedTensorType::get(shape, element), loaded,
        /*allowReorder=*/false));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Combination
//===----------------------------------------------------------------------===//

/// Combines neighbours until one is left, so that the operations depend on one
/// another as little as possible; the order of the rows is kept.
SmallVector<Value> Exchange::combine(Rows rows) {
  while (rows.size() > 1) {
    Rows half;
    for (size_t i = 0; i + 1 < rows.size(); i += 2)
      half.push_back(
          combineTensors(builder, op.getCombine(), rows[i], rows[i + 1]));
    if (rows.size() % 2 != 0)
      half.push_back(rows.back());
    rows = std::move(half);
  }
  return rows.front();
}

SmallVector<Value> Exchange::combineMembers(const Buffers &buffers,
                                            const WarpGroup &group,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<Value> offsets) {
  Rows rows;
  for (int64_t index = 0; index < group.size; ++index)
    rows.push_back(load(buffers, shape, getMember(group, index), offsets));
  return combine(std::move(rows));
}

/// Reduces vectors with one element per warp inside of the current one.
SmallVector<Value> Exchange::reduce(ValueRange tensors) {
  SmallVector<Type> types(op.getSrcs().getTypes());
  OperationState state(
      loc, tt::ReduceOp::getOperationName(), tensors, types,
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

//===----------------------------------------------------------------------===//
// The three ways
//===----------------------------------------------------------------------===//

void Exchange::lowerScalars() {
  WarpGroup group = getGroup(op.getSize(), op.getStride());
  Buffers buffers = makeBuffers();
  store(buffers, op.getSrcs(), warp);
  BarrierOp::create(builder, loc);
  replace([&] {
    auto type = RankedTensorType::get({group.size}, builder.getI32Type());
    Value members = tt::MakeRangeOp::create(builder, loc, type, 0, group.size);
    if (group.stride != 1)
      members = arith::MulIOp::create(
          builder, loc, members,
          tt::SplatOp::create(builder, loc, type, constant(group.stride)));
    SmallVector<Value> values;
    for (auto [source, buffer] : llvm::zip_equal(op.getSrcs(), buffers))
      values.push_back(buffer.gather(builder, loc, source.getType(),
                                     getMember(group, 0), members));
    return reduce(values);
  });
}

void Exchange::lowerTree(ArrayRef<int64_t> radices) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(op.getSrcs().front().getType()).getShape());
  SmallVector<Value> values(op.getSrcs());
  int64_t stride = op.getStride();
  for (auto [step, radix] : llvm::enumerate(radices)) {
    WarpGroup group = getGroup(radix, stride);
    stride *= radix;
    Buffers buffers = makeBuffers();
    store(buffers, values, warp);
    BarrierOp::create(builder, loc);
    if (step + 1 == radices.size())
      return replace([&] { return combineMembers(buffers, group, shape); });
    values = combineMembers(buffers, group, shape);
    BarrierOp::create(builder, loc);
  }
}

void Exchange::lowerShared(ArrayRef<int64_t> piece) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(op.getSrcs().front().getType()).getShape());
  WarpGroup group = getGroup(op.getSize(), op.getStride());
  Buffers buffers = makeBuffers();
  store(buffers, op.getSrcs(), warp);
  BarrierOp::create(builder, loc);

  // The piece with the number of the warp in its group, row-major.
  int64_t sharers = 1;
  SmallVector<Value> offsets;
  for (auto [extent, part] : llvm::reverse(llvm::zip_equal(shape, piece))) {
    Value index = group.digit;
    if (sharers != 1)
      index = arith::DivUIOp::create(builder, loc, index, constant(sharers));
    index =
        arith::RemUIOp::create(builder, loc, index, constant(extent / part));
    offsets.insert(offsets.begin(),
                   arith::MulIOp::create(builder, loc, index, constant(part)));
    sharers *= extent / part;
  }
  // Nobody else reads this piece of any row, so that the result may replace it.
  auto work = [&] {
    store(buffers, combineMembers(buffers, group, piece, offsets), group.first,
          offsets);
  };
  if (sharers == group.size) {
    work();
  } else {
    Value takesPart =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              group.digit, constant(sharers));
    auto branch = scf::IfOp::create(builder, loc, takesPart,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    work();
  }
  BarrierOp::create(builder, loc);
  replace([&] { return load(buffers, shape, group.first); });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct LowerCrossWarpReduce
    : mlt::impl::LowerCrossWarpReduceBase<LowerCrossWarpReduce> {
  using LowerCrossWarpReduceBase::LowerCrossWarpReduceBase;

  void runOnOperation() override;

private:
  void lower(CrossWarpReduceOp op, int64_t numWarps, int64_t lanes);
};
} // namespace

void LowerCrossWarpReduce::lower(CrossWarpReduceOp op, int64_t numWarps,
                                 int64_t lanes) {
  ++numLowered;
  auto type = dyn_cast<RankedTensorType>(op.getSrcs().front().getType());
  if (!type)
    return Exchange(op, numWarps).lowerScalars();
  WarpTree tree =
      chooseWarpTree(type.getShape(), op.getSrcs().size(), op.getSize(), lanes);
  if (!tree.piece.empty()) {
    ++numShared;
    return Exchange(op, numWarps).lowerShared(tree.piece);
  }
  numSteps += tree.radices.size();
  Exchange(op, numWarps).lowerTree(tree.radices);
}

void LowerCrossWarpReduce::runOnOperation() {
  SmallVector<CrossWarpReduceOp> reductions;
  getOperation().walk([&](CrossWarpReduceOp op) { reductions.push_back(op); });
  const TargetDescription *target = TargetDescription::get(getOperation());
  if (!target)
    return signalPassFailure();
  std::optional<int64_t> numWarps = ttg::lookupNumWarps(getOperation());
  for (CrossWarpReduceOp op : reductions) {
    if (!numWarps) {
      op.emitOpError() << "expected the module attribute '"
                       << ttg::TritonGPUDialect::kNumWarpsAttr << "'";
      return signalPassFailure();
    }
    if (!isElementwiseRegion(op.getCombine())) {
      op.emitOpError() << "expected a combination of operations on single "
                          "elements, found loops; keep the reduced axis in one "
                          "warp";
      return signalPassFailure();
    }
    lower(op, *numWarps, target->subGroupSize);
  }
}
