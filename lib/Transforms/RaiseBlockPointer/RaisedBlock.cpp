//===- RaisedBlock.cpp - one access as a block of a tensor ----------------===//
//
// An address is a base, a start and a stride per dimension; a mask says how far
// a dimension goes. What has to be found is where in the start the offset along
// each dimension hides, such that the rest of it does not change in the loop:
//
// * With a mask, position + start < bound. Both sides may be moved by the same
//   amount, and are, by what changes in the bound, so that it does not:
//   position < K - 32 i is position + 32 i < K.
// * With one that nobody knows before the launch, such as a length that is
//   loaded, the tensor begins at the block, and ends with it at the latest.
// * Without one every element of the tile is accessed, so the tensor is as
//   large as the tile, or as what all iterations of the loop access.
//
// What the offsets do not explain moves the base.
//
//===----------------------------------------------------------------------===//
#include "Transforms/RaiseBlockPointer/RaisedBlock.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Transforms/BlockPointer/BlockPointer.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
class BlockMatcher {
public:
  BlockMatcher(Operation *access, FunctionShapes &function);
  RaisedBlockResult run();

private:
  bool fail(StringRef why) {
    reason = why;
    return false;
  }
  bool matchTensor();
  bool matchDim(unsigned dim);
  bool matchMaskedDim(unsigned dim, ArrayRef<MaskCondition> conditions);
  bool matchFixedDim(unsigned dim, const MaskCondition &upper,
                     const MaskCondition *lower);
  bool matchFromBlock(unsigned dim, const Polynomial &start,
                      const Polynomial &bound);
  bool matchWrappedDim(unsigned dim, const WrappedIndex &index);
  void matchWholeDim(unsigned dim);
  bool hasLaunchLimit();
  bool checkStart(unsigned dim);
  bool checkSizes();
  bool isKnownAtLaunch(const Polynomial &size);
  bool isVector() const { return type.getRank() == 1; }
  bool isContiguous(unsigned dim) const {
    return form.dims[dim].stride.getConstant() == 1;
  }
  void requireNarrow(const Polynomial &offset);
  bool placeConditions();
  Polynomial getChanging(const Polynomial &polynomial) const;

  Operation *access;
  FunctionShapes &function;
  Scalars &scalars;
  RankedTensorType type;
  /// The loop whose iterations the access is done once in each.
  scf::ForOp loop;
  PointerShape pointers;
  MaskShape mask;
  RaisedBlock form;
  StringRef reason;
};
} // namespace

BlockMatcher::BlockMatcher(Operation *access, FunctionShapes &function)
    : access(access), function(function), scalars(function.shapes.scalars),
      type(cast<RankedTensorType>(access->getOperand(0).getType())),
      loop(dyn_cast<scf::ForOp>(access->getParentOp())) {}

/// The part that differs between iterations of loops around the access.
Polynomial BlockMatcher::getChanging(const Polynomial &polynomial) const {
  return polynomial.filter([&](const Polynomial::Term &term) {
    return llvm::any_of(term.factors, [&](Polynomial::Unknown unknown) {
      return scalars.isIteration(unknown);
    });
  });
}

bool BlockMatcher::matchTensor() {
  auto pointer = cast<tt::PointerType>(type.getElementType());
  if (!pointer.getPointeeType().isIntOrFloat())
    return fail("the elements are no numbers");
  // Matrices in shared local memory get the layout of blocks, as those that are
  // copied there do; vectors have it anyway.
  if (isVector() && pointer.getAddressSpace() != 1)
    return fail("the vector is not in global memory");
  if (type.getRank() == 0)
    return fail("a tile of one element is no block");
  auto [rows, columns] =
      isVector() ? std::pair(0u, 0u) : getMatrixDims(type.getShape());
  if (type.getDimSize(rows) == 1 || type.getDimSize(columns) == 1)
    return fail("the tile is a single row or column");
  std::optional<PointerShape> found =
      function.shapes.getPointers(access->getOperand(0));
  if (!found)
    return fail("the pointers are not one base plus a stride per dimension");
  pointers = *found;
  ArrayRef<Polynomial> strides = pointers.index.strides;
  auto isOne = [](const Polynomial &stride) {
    return stride.getConstant() == 1;
  };
  if (llvm::none_of(strides, isOne))
    return fail("no dimension has a stride that is known to be 1");
  if (!isOne(strides[rows]) && !isOne(strides[columns]))
    return fail("the contiguous dimension is none of the last two");
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape()))
    if (stride.isZero() && size != 1)
      return fail("the same elements are accessed along a whole dimension");
  auto load = dyn_cast<tt::LoadOp>(access);
  mask = function.shapes.getMask(load ? load.getMask()
                                      : cast<tt::StoreOp>(access).getMask());
  if (!mask.complete)
    return fail("the mask is no conjunction of bounds of single dimensions");
  form.conditions.append(mask.uniform);
  for (const MaskCondition &condition : mask.bounds)
    if (condition.upper)
      scalars.assumeSizes(condition.bound);
  return true;
}

bool BlockMatcher::isKnownAtLaunch(const Polynomial &size) {
  return scalars.all(
      size, [&](Value value) { return value && function.launch.build(value); });
}

/// Nothing of the block is inside where its offset needs more than 32 bits.
void BlockMatcher::requireNarrow(const Polynomial &offset) {
  const Polynomial limit(int64_t(1) << 31);
  form.conditions.push_back({Value(), offset, limit});
  if (!scalars.isNonNegative(offset))
    form.conditions.push_back(
        {Value(), Polynomial() - limit - Polynomial(1), offset});
}

/// Boundary checks also leave out what lies in front of the tensor.
bool BlockMatcher::checkStart(unsigned dim) {
  return scalars.isNonNegative(form.dims[dim].offset) ||
         fail("an offset may be negative, and the mask does not say so");
}

bool BlockMatcher::matchMaskedDim(unsigned dim,
                                  ArrayRef<MaskCondition> conditions) {
  const MaskCondition *upper = nullptr, *lower = nullptr;
  for (const MaskCondition &condition : conditions) {
    const MaskCondition *&known = condition.upper ? upper : lower;
    if (known &&
        known->start - known->bound != condition.start - condition.bound)
      return fail("the mask has different bounds for one dimension");
    known = &condition;
  }
  if (!upper)
    return fail("the mask has no upper bound for a dimension");
  return matchFixedDim(dim, *upper, lower) ||
         (!lower && matchFromBlock(dim, upper->start, upper->bound));
}

/// The tensor is the same in all iterations, and its size is known at the
/// launch.
bool BlockMatcher::matchFixedDim(unsigned dim, const MaskCondition &upper,
                                 const MaskCondition *lower) {
  RaisedDimension &result = form.dims[dim];
  Polynomial shift = Polynomial() - getChanging(upper.bound);
  bool fits = upper.room >= type.getDimSize(dim);
  if (!(shift.isZero() ? fits || upper.narrowBound : fits && upper.narrowType))
    return fail("an offset is not known to fit in 32 bits");
  result.offset = upper.start + shift;
  result.extent = upper.bound + shift;
  result.checked = true;
  if (!isKnownAtLaunch(result.extent))
    return fail("a size or stride is not known at the launch");
  if (lower) {
    // The first element that the mask lets through is at zero.
    Polynomial first = lower->bound - lower->start + upper.start + shift;
    if (!first.isZero()) {
      if (!getChanging(first).isZero() || !upper.narrowType)
        return fail("the lower bound of the mask is not zero and may change");
      if (!checkStart(dim))
        return false;
      result.offset = result.offset - first;
      result.extent = result.extent - first;
    }
  } else if (!checkStart(dim)) {
    return false;
  }
  if (!fits)
    requireNarrow(result.offset);
  return true;
}

/// The tensor begins with the block. Along the contiguous dimension that could
/// be anywhere, and rows of any width, which 2-D block messages do not have.
bool BlockMatcher::matchFromBlock(unsigned dim, const Polynomial &start,
                                  const Polynomial &bound) {
  RaisedDimension &result = form.dims[dim];
  if (isContiguous(dim) && !isVector())
    return false;
  result.offset = start;
  result.extent = bound - start;
  result.checked = result.fromBlock = true;
  return result.extent.isValid();
}

bool BlockMatcher::matchWrappedDim(unsigned dim, const WrappedIndex &index) {
  auto load = dyn_cast<tt::LoadOp>(access);
  if (!load || !isMaskedAtStores(load.getResult(), dim, index, function.shapes,
                                 function.edges))
    return fail("an index wraps around, and not every store masks the rest");
  scalars.assumeSizes(index.bound);
  RaisedDimension &result = form.dims[dim];
  result.offset = index.start;
  result.extent = index.bound;
  result.checked = true;
  auto matchFixed = [&] {
    if (!getChanging(index.bound).isZero())
      return fail("the bound where an index wraps around changes");
    if (!index.narrow)
      return fail("an offset is not known to fit in 32 bits");
    if (!isKnownAtLaunch(index.bound))
      return fail("a size or stride is not known at the launch");
    return checkStart(dim);
  };
  return matchFixed() || matchFromBlock(dim, index.start, index.bound);
}

/// Whether `value` may differ between programs that differ along `axis` only.
static bool mayVaryAlong(Value value, tt::ProgramIDDim axis) {
  SmallVector<Value> worklist{value};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (!isa<tt::FuncOp>(argument.getOwner()->getParentOp()))
        return true;
      continue;
    }
    Operation *op = next.getDefiningOp();
    auto id = dyn_cast<tt::GetProgramIdOp>(op);
    if (op->getNumRegions() != 0 || (id && id.getAxis() == axis))
      return true;
    llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

/// Whether the launch says how often the loop runs at most. Where a program
/// runs it as often as its id says, the last one does that: what that one
/// accesses, from the same base, is there for all.
bool BlockMatcher::hasLaunchLimit() {
  auto isSameFor = [&](tt::ProgramIDDim axis) {
    return !mayVaryAlong(form.base, axis) &&
           scalars.all(form.start, [&](Value value) {
             return !value || !mayVaryAlong(value, axis);
           });
  };
  Polynomial range =
      scalars.get(loop.getUpperBound()) - scalars.get(loop.getLowerBound());
  Polynomial known = range.filter([&](const Polynomial::Term &term) {
    tt::GetProgramIdOp id = scalars.getProgramId(term);
    return !id || !isSameFor(id.getAxis());
  });
  return range.isValid() && scalars.all(known, [&](Value value) {
    return value && function.launch.build(value);
  });
}

/// Nothing is masked along the dimension.
void BlockMatcher::matchWholeDim(unsigned dim) {
  RaisedDimension &result = form.dims[dim];
  result.extent = Polynomial(type.getDimSize(dim));
  if (!loop || !scalars.hasTripCount(loop) || !hasLaunchLimit())
    return;
  // What grows by a multiple of the stride in every iteration.
  Polynomial growth = scalars.getGrowth(form.start, loop);
  if (growth.getTerms().size() != 1 || result.stride.getTerms().size() != 1)
    return;
  Polynomial step(growth.getTerms().front().coefficient /
                  result.stride.getTerms().front().coefficient);
  if (step * result.stride != growth || !scalars.isNarrow(loop, step))
    return;
  result.offset = scalars.getIterations(loop) * step;
  result.coveredBy = loop;
  result.growth = step;
}

bool BlockMatcher::matchDim(unsigned dim) {
  SmallVector<MaskCondition, 2> conditions;
  llvm::copy_if(mask.bounds, std::back_inserter(conditions),
                [&](const MaskCondition &c) { return c.dim == dim; });
  const std::optional<WrappedIndex> &wrap = pointers.index.wraps[dim];
  // Nothing wraps where the mask ends at the bound.
  auto endsAtBound = [&](const MaskCondition &c) {
    return c.upper && c.start == wrap->start && c.bound == wrap->bound;
  };
  if (wrap && conditions.empty())
    return matchWrappedDim(dim, *wrap);
  if (wrap && !llvm::any_of(conditions, endsAtBound))
    return fail("an index wraps around elsewhere than where the mask ends");
  if (!conditions.empty())
    return matchMaskedDim(dim, conditions);
  matchWholeDim(dim);
  return true;
}

/// Dimensions by falling certainty of their offset: those with a mask, then
/// those that are not contiguous, whose stride says which offset is theirs.
static SmallVector<unsigned> getSearchOrder(const PointerShape &pointers,
                                            ArrayRef<MaskCondition> mask) {
  auto rank = [&](unsigned dim) {
    bool masked = pointers.index.wraps[dim] ||
                  llvm::any_of(mask, [&](const MaskCondition &c) {
                    return c.dim == dim;
                  });
    return masked ? 0 : pointers.index.strides[dim].getConstant() == 1 ? 2 : 1;
  };
  auto order =
      llvm::to_vector(llvm::seq<unsigned>(0, pointers.index.strides.size()));
  llvm::stable_sort(order,
                    [&](unsigned a, unsigned b) { return rank(a) < rank(b); });
  return order;
}

/// A size has to be known before the launch for a 2-D block message.
bool BlockMatcher::checkSizes() {
  if (isVector())
    return true;
  for (const RaisedDimension &dim : form.dims)
    if (!isKnownAtLaunch(dim.stride) ||
        !(dim.fromBlock || isKnownAtLaunch(dim.extent)))
      return fail("a size or stride is not known at the launch");
  return true;
}

/// What holds for all elements or none moves the block out of the tensor, along
/// rows: a row of a matrix has no offsets but some.
bool BlockMatcher::placeConditions() {
  if (form.conditions.empty())
    return true;
  for (unsigned dim : llvm::reverse(llvm::seq<unsigned>(0, type.getRank())))
    if (isVector() || (!isContiguous(dim) && type.getDimSize(dim) != 1)) {
      form.guarded = dim;
      form.dims[dim].checked = true;
      return true;
    }
  return fail("both dimensions have a stride of 1, and the mask has a "
              "condition on neither");
}

RaisedBlockResult BlockMatcher::run() {
  if (!matchTensor())
    return {std::nullopt, reason};
  form.base = pointers.base;
  form.start = pointers.index.start;
  form.dims.resize(type.getRank());
  for (auto [dim, stride] : llvm::enumerate(pointers.index.strides))
    form.dims[dim].stride = stride;
  for (unsigned dim : getSearchOrder(pointers, mask.bounds)) {
    if (!matchDim(dim))
      return {std::nullopt, reason};
    const RaisedDimension &found = form.dims[dim];
    form.start = form.start - found.offset * found.stride;
  }
  for (RaisedDimension &dim : form.dims)
    if (dim.fromBlock) {
      form.start = form.start + dim.offset * dim.stride;
      dim.offset = Polynomial();
    }
  if (!checkSizes() || !placeConditions())
    return {std::nullopt, reason};
  if (!form.start.isValid())
    return {std::nullopt, "the address has too many terms"};
  return {form, StringRef()};
}

RaisedBlockResult mlt::matchRaisedBlock(Operation *access,
                                        FunctionShapes &function) {
  return BlockMatcher(access, function).run();
}
