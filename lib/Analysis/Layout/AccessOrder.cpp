//===- AccessOrder.cpp - which dimension is contiguous in memory
//------------===//
//
// Warps should get long runs of memory. For a block pointer the order is
// written down; for a tensor of pointers it follows from the dimension along
// which the addresses grow by one element.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/AccessOrder.h"
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// How the elements of a tensor change along one dimension.
enum class Growth { Uniform, Unit, Unknown };

class GrowthSolver {
public:
  explicit GrowthSolver(const LayoutAnalysis &analysis) : analysis(analysis) {}

  Growth get(Value value, int64_t dim) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getDimSize(dim) == 1)
      return Growth::Uniform;
    // Unknown while it is being found out: a loop-carried tensor grows like
    // what it starts from.
    auto [known, isNew] = growths.try_emplace({value, dim}, Growth::Unknown);
    if (!isNew)
      return known->second;
    Growth growth = compute(value, dim);
    growths[{value, dim}] = growth;
    return growth;
  }

private:
  Growth compute(Value value, int64_t dim) {
    ArrayRef<OpOperand *> sources = analysis.getEdges().getSources(value);
    for (OpOperand *source : sources)
      if (Growth growth = get(source->get(), dim); growth != Growth::Unknown)
        return growth;
    Operation *op = value.getDefiningOp();
    if (!op || !sources.empty())
      return Growth::Unknown;
    if (isa<tt::MakeRangeOp>(op))
      return Growth::Unit;
    if (isa<tt::SplatOp>(op) || matchPattern(value, m_Constant()))
      return Growth::Uniform;
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
      int64_t axis = expand.getAxis();
      return get(expand.getSrc(), dim < axis ? dim : dim - 1);
    }
    if (auto trans = dyn_cast<tt::TransOp>(op))
      return get(trans.getSrc(), trans.getOrder()[dim]);
    if (isa<tt::BroadcastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
            tt::BitcastOp>(op))
      return get(op->getOperand(0), dim);
    // Indices are wrapped around at the extent of a tensor; within it, they
    // grow as before.
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return get(op->getOperand(0), dim);
    if (isa<arith::AddIOp, tt::AddPtrOp>(op))
      return add(get(op->getOperand(0), dim), get(op->getOperand(1), dim));
    if (op->hasTrait<OpTrait::Elementwise>() &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return get(operand, dim) == Growth::Uniform;
        }))
      return Growth::Uniform;
    return Growth::Unknown;
  }

  static Growth add(Growth a, Growth b) {
    if (a == Growth::Uniform)
      return b;
    return b == Growth::Uniform ? a : Growth::Unknown;
  }

  const LayoutAnalysis &analysis;
  llvm::DenseMap<std::pair<Value, int64_t>, Growth> growths;
};
} // namespace

/// The make_tensor_ptr that a block pointer starts from.
static tt::MakeTensorPtrOp findBlock(Value pointer,
                                     const LayoutAnalysis &analysis) {
  SmallVector<Value> worklist{pointer};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto make = value.getDefiningOp<tt::MakeTensorPtrOp>())
      return make;
    if (auto advance = value.getDefiningOp<tt::AdvanceOp>())
      worklist.push_back(advance.getPtr());
    for (OpOperand *source : analysis.getEdges().getSources(value))
      worklist.push_back(source->get());
  }
  return {};
}

SmallVector<int64_t> mlt::getAccessOrder(Operation *access,
                                         const LayoutAnalysis &analysis) {
  int64_t rank = getAnchorType(access).getRank();
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  if (access->getNumOperands() == 0)
    return order;
  Value pointer = access->getOperand(0);
  if (tt::isBlockPointer(pointer.getType())) {
    if (auto make = findBlock(pointer, analysis))
      return SmallVector<int64_t>(make.getOrder());
    return order;
  }
  GrowthSolver solver(analysis);
  auto fastest = llvm::find_if(order, [&](int64_t dim) {
    return solver.get(pointer, dim) == Growth::Unit;
  });
  if (fastest != order.end())
    std::rotate(order.begin(), fastest, fastest + 1);
  return order;
}
