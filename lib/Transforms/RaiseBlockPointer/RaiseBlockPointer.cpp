//===- RaiseBlockPointer.cpp - tensors of pointers to block pointers ------===//
//
// Triton takes block pointers apart for devices that have no use for them,
// newer versions print nothing else, and most kernels were written with
// pointers anyway. Block messages need the block: base, sizes, strides and
// offsets, when the arithmetic says exactly that.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BlockIO/BlockIO.h"
#include "Support/Remarks.h"
#include "Transforms/BlockPointer/BlockPointer.h"
#include "Transforms/RaiseBlockPointer/CarriedPointers.h"
#include "Transforms/RaiseBlockPointer/Passes.h"
#include "Transforms/RaiseBlockPointer/RaisedBlock.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_RAISEBLOCKPOINTER
#include "Transforms/RaiseBlockPointer/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Writes the block pointers of one function.
class BlockPointerWriter {
public:
  explicit BlockPointerWriter(FunctionShapes &function)
      : scalars(function.shapes.scalars) {}

  void raise(Operation *access, const RaisedBlock &form);
  void finish();

private:
  bool canCarry(scf::ForOp loop, const RaisedBlock &form);
  Value buildConditions(OpBuilder &builder, Location loc,
                        ArrayRef<UniformCondition> conditions);
  std::pair<Value, Value> buildFromBlock(OpBuilder &builder, Location loc,
                                         const RaisedDimension &dim,
                                         int64_t tile);
  Value build(OpBuilder &builder, Operation *access, const RaisedBlock &form);
  Value buildCarried(scf::ForOp loop, Operation *access,
                     const RaisedBlock &form);

  Scalars &scalars;
  llvm::MapVector<Operation *, SmallVector<CarriedPointer>> carried;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// An i1 that is true where all conditions hold.
Value BlockPointerWriter::buildConditions(
    OpBuilder &builder, Location loc, ArrayRef<UniformCondition> conditions) {
  Type i64 = builder.getI64Type();
  Value all;
  for (const UniformCondition &condition : conditions) {
    Value holds = condition.scalar;
    if (!holds)
      holds = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt,
          scalars.build(builder, loc, condition.left, i64),
          scalars.build(builder, loc, condition.right, i64));
    all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult()
              : holds;
  }
  return all;
}

/// Size and offset of a tensor that begins with the block and has `extent`
/// elements left. One without any has one, in front of the block.
std::pair<Value, Value>
BlockPointerWriter::buildFromBlock(OpBuilder &builder, Location loc,
                                   const RaisedDimension &dim, int64_t tile) {
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  Value rest = scalars.build(builder, loc, dim.extent, i64);
  Value one = arith::ConstantIntOp::create(builder, loc, i64, 1);
  Value size = arith::MinSIOp::create(
      builder, loc, rest,
      arith::ConstantIntOp::create(builder, loc, i64, tile));
  size = arith::MaxSIOp::create(builder, loc, size, one);
  Value empty =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, rest, one);
  Value offset = arith::SelectOp::create(
      builder, loc, empty,
      arith::ConstantIntOp::create(builder, loc, i32, tile),
      arith::ConstantIntOp::create(builder, loc, i32, 0));
  return {size, offset};
}

Value BlockPointerWriter::build(OpBuilder &builder, Operation *access,
                                const RaisedBlock &form) {
  Location loc = access->getLoc();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value base = form.base;
  if (!form.start.isZero())
    base = tt::AddPtrOp::create(builder, loc, base.getType(), base,
                                scalars.build(builder, loc, form.start, i64));
  auto type = cast<RankedTensorType>(access->getOperand(0).getType());
  SmallVector<int32_t> tile(type.getShape());
  SmallVector<Value> sizes, strides, offsets;
  for (auto [dim, elements] : llvm::zip_equal(form.dims, tile)) {
    strides.push_back(scalars.build(builder, loc, dim.stride, i64));
    if (dim.fromBlock) {
      auto [size, offset] = buildFromBlock(builder, loc, dim, elements);
      sizes.push_back(size);
      offsets.push_back(offset);
      continue;
    }
    Value size = scalars.build(builder, loc, dim.extent, i64);
    if (scf::ForOp loop = dim.coveredBy) {
      // extent + (trip count - 1) * growth; nothing is accessed in no trip.
      Value steps = arith::SubIOp::create(
          builder, loc, scalars.buildTripCount(builder, loc, loop),
          arith::ConstantIntOp::create(builder, loc, i64, 1));
      Value growth = scalars.build(builder, loc, dim.growth, i64);
      size = arith::AddIOp::create(
          builder, loc, size,
          arith::MulIOp::create(builder, loc, steps, growth));
    }
    sizes.push_back(size);
    offsets.push_back(scalars.build(builder, loc, dim.offset, i32));
  }
  // Behind the largest offset come negative ones.
  if (Value inside = buildConditions(builder, loc, form.conditions))
    offsets[form.guarded] = arith::SelectOp::create(
        builder, loc, inside, offsets[form.guarded],
        arith::ConstantIntOp::create(builder, loc, i32,
                                     std::numeric_limits<int32_t>::max()));
  auto order =
      llvm::to_vector(llvm::reverse(llvm::seq<int32_t>(0, form.dims.size())));
  llvm::stable_sort(order, [&](int32_t a, int32_t b) {
    return form.dims[a].stride.getConstant() == 1 &&
           form.dims[b].stride.getConstant() != 1;
  });
  return tt::MakeTensorPtrOp::create(builder, loc, base, sizes, strides,
                                     offsets, tile, order);
}

/// Whether only the offsets change in the loop, and by the same each time.
bool BlockPointerWriter::canCarry(scf::ForOp loop, const RaisedBlock &form) {
  if (!loop.isDefinedOutsideOfLoop(form.base) ||
      !scalars.isInvariant(form.start, loop))
    return false;
  for (const UniformCondition &condition : form.conditions)
    if (condition.scalar
            ? !loop.isDefinedOutsideOfLoop(condition.scalar)
            : !scalars.isInvariant(condition.right - condition.left, loop))
      return false;
  bool moves = false;
  for (const RaisedDimension &dim : form.dims) {
    Polynomial growth = scalars.getGrowth(dim.offset, loop);
    moves |= !growth.isZero();
    Polynomial first = dim.offset - scalars.getIterations(loop) * growth;
    for (const Polynomial &part : {growth, first, dim.stride, dim.extent})
      if (!scalars.isInvariant(part, loop))
        return false;
  }
  return moves;
}

Value BlockPointerWriter::buildCarried(scf::ForOp loop, Operation *access,
                                       const RaisedBlock &form) {
  OpBuilder builder(loop);
  CarriedPointer result;
  RaisedBlock first = form;
  for (auto [dim, start] : llvm::zip_equal(form.dims, first.dims)) {
    Polynomial growth = scalars.getGrowth(dim.offset, loop);
    start.offset = dim.offset - scalars.getIterations(loop) * growth;
    result.steps.push_back(
        scalars.build(builder, access->getLoc(), growth, builder.getI32Type()));
  }
  result.pointer = build(builder, access, first);
  carried[loop].push_back(result);
  return result.pointer;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The padding that gives `other`; an absent value may be anything.
static std::optional<tt::PaddingOption> matchPadding(Value other) {
  DenseElementsAttr attr;
  if (!other)
    return tt::PaddingOption::PAD_ZERO;
  if (!matchPattern(other, m_Constant(&attr)) || !attr.isSplat())
    return std::nullopt;
  if (isa<IntegerType>(attr.getElementType()))
    return attr.getSplatValue<APInt>().isZero()
               ? std::optional(tt::PaddingOption::PAD_ZERO)
               : std::nullopt;
  auto value = attr.getSplatValue<APFloat>();
  if (value.isPosZero())
    return tt::PaddingOption::PAD_ZERO;
  return std::nullopt;
}

static SmallVector<int32_t> getCheckedDims(const RaisedBlock &form) {
  SmallVector<int32_t> checked;
  for (auto [dim, part] : llvm::enumerate(form.dims))
    if (part.checked)
      checked.push_back(dim);
  return checked;
}

static void replaceLoad(tt::LoadOp load, Value pointer,
                        ArrayRef<int32_t> checked) {
  OpBuilder builder(load);
  std::optional<tt::PaddingOption> padding = matchPadding(load.getOther());
  Value result = tt::LoadOp::create(
      builder, load.getLoc(), pointer, checked,
      checked.empty() ? std::nullopt
                      : std::optional(tt::PaddingOption::PAD_ZERO),
      load.getCache(), load.getEvict(), load.getIsVolatile());
  if (!padding && load.getMask())
    result = arith::SelectOp::create(builder, load.getLoc(), load.getMask(),
                                     result, load.getOther());
  load.getResult().replaceAllUsesWith(result);
  load.erase();
}

void BlockPointerWriter::raise(Operation *access, const RaisedBlock &form) {
  OpBuilder builder(access);
  auto loop = dyn_cast<scf::ForOp>(access->getParentOp());
  Value pointer = loop && canCarry(loop, form)
                      ? buildCarried(loop, access, form)
                      : build(builder, access, form);
  SmallVector<int32_t> checked = getCheckedDims(form);
  if (auto load = dyn_cast<tt::LoadOp>(access))
    return replaceLoad(load, pointer, checked);
  auto store = cast<tt::StoreOp>(access);
  tt::StoreOp::create(builder, store.getLoc(), pointer, store.getValue(),
                      ArrayRef<int32_t>(checked), store.getCache(),
                      store.getEvict());
  store.erase();
}

/// Loops are replaced last: until then values in them name their operations.
void BlockPointerWriter::finish() {
  for (auto &[loop, pointers] : carried)
    carryPointers(cast<scf::ForOp>(loop), pointers);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class RaiseBlockPointerPass
    : public mlt::impl::RaiseBlockPointerBase<RaiseBlockPointerPass> {
public:
  void runOnOperation() override {
    for (tt::FuncOp func : getOperation().getOps<tt::FuncOp>())
      if (!func.isExternal())
        raise(func);
  }

private:
  void raise(tt::FuncOp func);
};
} // namespace

void RaiseBlockPointerPass::raise(tt::FuncOp func) {
  FunctionShapes function(func);
  SmallVector<std::pair<Operation *, RaisedBlock>, 0> found;
  func.walk([&](Operation *op) {
    if (!isa<tt::LoadOp, tt::StoreOp>(op) ||
        !isa<RankedTensorType>(op->getOperand(0).getType()))
      return;
    RaisedBlockResult result = matchRaisedBlock(op, function);
    if (result.form)
      found.emplace_back(op, *result.form);
    else
      remarkMissed(op, topic::kBlockIO, [&](llvm::raw_ostream &os) {
        os << "no block pointer: " << result.reason;
      });
  });
  if (found.empty())
    return;
  BlockPointerWriter writer(function);
  for (auto &[access, form] : found)
    writer.raise(access, form);
  writer.finish();
  freezeUnusedCarriedValues(func);
  func->setAttr(kRaisedAttrName, UnitAttr::get(&getContext()));
  numRaised += found.size();
}
