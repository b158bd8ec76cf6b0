//===- LayoutAnalysis.cpp - layouts of all values of a function
//-------------===//
//
// From the encoding of a root operation, the paper derives those of all other
// values along def-use chains. This is that derivation as a dataflow analysis:
// forward and backward through every operation, along all control-flow edges,
// with no idea of what the kernel looks like. Where two roots disagree, the one
// that came first keeps the value and the other side sees a conflict at one
// use, which the conversion resolves explicitly.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/LayoutAnalysis.h"
#include "Analysis/Layout/WarpMap.h"
#include "Analysis/Tiling/Tiling.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

static bool isTensor(Value value) {
  return getTensorType(value.getType()) != nullptr;
}

static bool isBlockPointer(Value value) {
  return tt::isBlockPointer(value.getType());
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

LayoutAnalysis::LayoutAnalysis(FunctionOpInterface func, int64_t numWarps)
    : func(func), context(func.getContext()), numWarps(numWarps), edges(func) {
  joinForwarded();
  collectOperations();
}

void LayoutAnalysis::joinGroups(Value a, Value b) {
  auto groupFor = [&](Value value) {
    auto [it, inserted] = groupOf.try_emplace(value, groups.size());
    if (inserted)
      groups.push_back({value});
    return it->second;
  };
  unsigned into = groupFor(a), from = groupFor(b);
  if (into == from)
    return;
  for (Value value : groups[from])
    groupOf[value] = into;
  groups[into].append(groups[from]);
  groups[from].clear();
}

void LayoutAnalysis::joinForwarded() {
  // One operand has one type, so everything it is forwarded to has that type.
  for (auto &[operand, inputs] : edges.getAll())
    for (Value input : inputs)
      if (isTensor(input))
        joinGroups(inputs.front(), input);
}

bool LayoutAnalysis::computeCheap(Value value) {
  auto it = cheapCache.find(value);
  if (it != cheapCache.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  bool result = op && isTensor(value) && isRematerializable(op) &&
                llvm::all_of(op->getOperands(), [&](Value operand) {
                  return !isTensor(operand) || computeCheap(operand);
                });
  cheapCache[value] = result;
  if (result)
    cheap.insert(value);
  return result;
}

void LayoutAnalysis::collectOperations() {
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == func.getOperation() || getLayoutRule(op) == LayoutRule::None)
      return;
    if (op->getNumResults() == 1 && computeCheap(op->getResult(0)))
      return;
    operations.push_back(op);
  });
  // Results of one operation come in one layout, whoever asks for one first.
  for (Operation *op : operations) {
    LayoutRule rule = getLayoutRule(op);
    if (op->getNumResults() < 2 || rule == LayoutRule::Free ||
        rule == LayoutRule::ControlFlow)
      continue;
    for (Value result : op->getResults().drop_front())
      if (isTensor(result) && isTensor(op->getResult(0)))
        joinGroups(op->getResult(0), result);
  }
  // A block pointer cannot be converted: it has the layout of where it goes.
  for (Operation *op : operations) {
    if (getLayoutRule(op) != LayoutRule::Same || op->getNumResults() != 1 ||
        !isBlockPointer(op->getResult(0)))
      continue;
    for (Value operand : op->getOperands())
      if (isBlockPointer(operand) && !isCheap(operand))
        joinGroups(op->getResult(0), operand);
  }
  for (auto &[operand, inputs] : edges.getAll())
    if (isBlockPointer(operand->get()) && !isCheap(operand->get()))
      joinGroups(inputs.front(), operand->get());
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

void LayoutAnalysis::assign(Value value, Attribute encoding) {
  if (!isTensor(value) || isCheap(value) || encodings.contains(value))
    return;
  if (!WarpMap::get(getTensorType(value.getType()).getShape(), encoding))
    return;
  auto it = groupOf.find(value);
  if (it == groupOf.end()) {
    encodings[value] = encoding;
    worklist.push_back(value);
    return;
  }
  for (Value member : groups[it->second]) {
    encodings[member] = encoding;
    worklist.push_back(member);
  }
}

void LayoutAnalysis::setAnchor(Operation *op, Attribute anchor) {
  anchors[op] = anchor;
  for (unsigned index : llvm::seq(op->getNumResults()))
    if (Attribute encoding = getResultEncoding(op, index, anchor))
      assign(op->getResult(index), encoding);
  for (unsigned index : llvm::seq(op->getNumOperands()))
    if (Attribute encoding = getOperandEncoding(op, index, anchor))
      assign(op->getOperand(index), encoding);
}

void LayoutAnalysis::tryAnchor(Operation *op, Attribute anchor, bool weak) {
  if (!anchor || anchors.contains(op))
    return;
  if (op->getNumResults() == 1 && isCheap(op->getResult(0)))
    return;
  if (weak)
    weakAnchors.emplace_back(op, anchor);
  else if (acceptsAnchor(op, anchor))
    setAnchor(op, anchor);
}

void LayoutAnalysis::visit(Value value) {
  Attribute encoding = encodings.lookup(value);
  for (OpOperand *source : edges.getSources(value))
    assign(source->get(), encoding);
  if (auto result = dyn_cast<OpResult>(value))
    tryAnchor(result.getOwner(),
              getAnchorFromResult(result.getOwner(), result.getResultNumber(),
                                  encoding),
              isWeakFromResult(result.getOwner()));
  for (OpOperand &use : value.getUses()) {
    for (Value target : edges.getTargets(use))
      assign(target, encoding);
    Operation *user = use.getOwner();
    tryAnchor(user,
              getAnchorFromOperand(user, use.getOperandNumber(), encoding),
              isWeakFromOperand(user));
  }
}

void LayoutAnalysis::propagate() {
  while (!worklist.empty() || !weakAnchors.empty()) {
    if (!worklist.empty()) {
      Value value = worklist.front();
      worklist.pop_front();
      visit(value);
      continue;
    }
    auto [op, anchor] = weakAnchors.front();
    weakAnchors.pop_front();
    tryAnchor(op, anchor, /*weak=*/false);
  }
}

bool LayoutAnalysis::assignRoot(Operation *op, Attribute anchor) {
  if (anchors.contains(op) || !acceptsAnchor(op, anchor))
    return false;
  setAnchor(op, anchor);
  propagate();
  return true;
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

RankedTensorType mlt::getAnchorType(Operation *op) {
  switch (getLayoutRule(op)) {
  case LayoutRule::Dot:
  case LayoutRule::DotScaled:
  case LayoutRule::ExpandDims:
  case LayoutRule::Gather:
    return getTensorType(op->getResult(0).getType());
  default:
    break;
  }
  RankedTensorType largest;
  auto consider = [&](Type type) {
    RankedTensorType tensor = getTensorType(type);
    if (tensor &&
        (!largest || tensor.getNumElements() > largest.getNumElements()))
      largest = tensor;
  };
  if (getLayoutRule(op) == LayoutRule::Same)
    for (Type type : op->getResultTypes())
      consider(type);
  for (Type type : op->getOperandTypes())
    consider(type);
  return largest;
}

static Attribute toBlocked(MLIRContext *context, const Tiling &tiling) {
  SmallVector<int64_t> order = llvm::to_vector(
      llvm::reverse(llvm::seq<int64_t>(0, tiling.sizePerWarp.size())));
  return ttg::BlockedEncodingAttr::get(context, tiling.sizePerWarp,
                                       tiling.warpsPerCTA, order);
}

Attribute LayoutAnalysis::getDefaultEncoding(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, shape.size())));
  llvm::Expected<Tiling> tiling =
      solveEvenSplit(shape, order, numWarps, /*minChunk=*/1);
  if (tiling)
    return toBlocked(context, *tiling);
  // Ranks above the solver's: every warp holds everything.
  llvm::consumeError(tiling.takeError());
  Tiling whole{SmallVector<int64_t>(shape),
               SmallVector<int64_t>(shape.size(), 1)};
  whole.warpsPerCTA.front() = numWarps;
  return toBlocked(context, whole);
}

/// For an operation that no anchor fits so far: what its neighbours have, then
/// splits that survive any change of shape.
Attribute LayoutAnalysis::chooseAnchor(Operation *op) const {
  SmallVector<Attribute> candidates;
  for (OpResult result : op->getResults())
    if (Attribute encoding = lookup(result))
      candidates.push_back(
          getAnchorFromResult(op, result.getResultNumber(), encoding));
  for (OpOperand &operand : op->getOpOperands())
    if (Attribute encoding = lookup(operand.get()))
      candidates.push_back(
          getAnchorFromOperand(op, operand.getOperandNumber(), encoding));
  SmallVector<int64_t> shape(getAnchorType(op).getShape());
  candidates.push_back(getDefaultEncoding(shape));
  // One dimension only, the longest first.
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  llvm::stable_sort(
      dims, [&](unsigned a, unsigned b) { return shape[a] > shape[b]; });
  for (unsigned dim : dims) {
    Tiling tiling{shape, SmallVector<int64_t>(shape.size(), 1)};
    tiling.warpsPerCTA[dim] = numWarps;
    tiling.sizePerWarp[dim] = std::max<int64_t>(1, shape[dim] / numWarps);
    candidates.push_back(toBlocked(context, tiling));
  }
  Tiling whole{shape, SmallVector<int64_t>(shape.size(), 1)};
  whole.warpsPerCTA.front() = numWarps;
  candidates.push_back(toBlocked(context, whole));
  for (Attribute candidate : candidates)
    if (acceptsAnchor(op, candidate))
      return candidate;
  return {};
}

/// An access through a block pointer happens in the pointer's layout.
void LayoutAnalysis::followPointers(Operation *op) {
  if (getLayoutRule(op) != LayoutRule::Same)
    return;
  for (Value operand : op->getOperands())
    if (isBlockPointer(operand))
      if (Attribute encoding = lookup(operand))
        anchors[op] = encoding;
}

void LayoutAnalysis::finish() {
  SmallVector<Operation *> open;
  for (Operation *op : operations) {
    LayoutRule rule = getLayoutRule(op);
    if (!anchors.contains(op) && rule != LayoutRule::Free &&
        rule != LayoutRule::ControlFlow && rule != LayoutRule::Unsupported)
      open.push_back(op);
  }
  llvm::stable_sort(open, [](Operation *a, Operation *b) {
    return getAnchorType(a).getNumElements() >
           getAnchorType(b).getNumElements();
  });
  for (Operation *op : open)
    if (!anchors.contains(op))
      if (Attribute anchor = chooseAnchor(op))
        assignRoot(op, anchor);
  // Values that only control flow and unconstrained operations know of.
  auto settle = [&](Value value) {
    if (!isTensor(value) || isCheap(value) || encodings.contains(value))
      return;
    assign(value,
           getDefaultEncoding(getTensorType(value.getType()).getShape()));
    propagate();
  };
  func->walk([&](Operation *op) {
    for (Value result : op->getResults())
      settle(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          settle(argument);
  });
  for (Operation *op : operations)
    followPointers(op);
}

Attribute LayoutAnalysis::getRequired(OpOperand &operand) const {
  ArrayRef<Value> inputs = edges.getTargets(operand);
  if (!inputs.empty())
    return lookup(inputs.front());
  Attribute anchor = lookupAnchor(operand.getOwner());
  return anchor ? getOperandEncoding(operand.getOwner(),
                                     operand.getOperandNumber(), anchor)
                : Attribute();
}
