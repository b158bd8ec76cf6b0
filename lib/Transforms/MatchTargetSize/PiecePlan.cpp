//===- PiecePlan.cpp - the piece shape of every tile ----------------------===//
//
// All size decisions of match-target-size in one place, made on the unchanged
// IR. The rewrite then only asks.
//
//===----------------------------------------------------------------------===//
#include "Transforms/MatchTargetSize/PiecePlan.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/MLT/IR/RowAccess.h"

using namespace mlir;
using namespace mlir::mlt;

RankedTensorType mlt::getTileType(Type type) {
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    type = pointer.getPointeeType();
  return dyn_cast<RankedTensorType>(type);
}

Type mlt::withTileShape(Type type, ArrayRef<int64_t> shape) {
  RankedTensorType tile = getTileType(type);
  auto piece =
      RankedTensorType::get(shape, tile.getElementType(), tile.getEncoding());
  if (auto pointer = dyn_cast<tt::PointerType>(type))
    return tt::PointerType::get(piece, pointer.getAddressSpace());
  return piece;
}

std::optional<bool> mlt::isTransposedBlock(Value pointer) {
  std::optional<bool> transposed;
  for (Value value : getPointerFamily(pointer)) {
    auto make = value.getDefiningOp<tt::MakeTensorPtrOp>();
    if (!make)
      continue;
    ArrayRef<int32_t> order = make.getOrder();
    bool columnMajor = order.size() == 2 && order.front() == 0;
    if (transposed && *transposed != columnMajor)
      return std::nullopt;
    transposed = columnMajor;
  }
  return transposed;
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

static int64_t limit(int64_t value, ArrayRef<int64_t> limits, unsigned index) {
  return limits.empty() ? value : std::min(value, limits[index]);
}

std::optional<DotShape> PiecePlan::getDotShape(tt::DotOp dot) const {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto acc = cast<RankedTensorType>(dot.getType());
  if (acc.getRank() != 2) {
    dot.emitOpError() << "expected a dot of rank 2, got rank " << acc.getRank();
    return std::nullopt;
  }
  if (isMultiplyAddDot(dot))
    return DotShape{
        std::min(acc.getDimSize(0), limit(target.dotM.back(), limits.dot, 0)),
        std::min(acc.getDimSize(1), target.dotN),
        std::min(a.getDimSize(1), target.dotN)};
  std::array<std::string, 3> names;
  const DotForm *form = findDotForm(target, dot, &names);
  if (!form) {
    dot.emitOpError() << "has no instruction on target '" << target.name
                      << "' for operands " << names[0] << " and " << names[1]
                      << " with accumulator " << names[2]
                      << "; run 'legalize-dot' first";
    return std::nullopt;
  }
  DotShape shape{target.getDotRows(limit(acc.getDimSize(0), limits.dot, 0)),
                 limit(target.dotN, limits.dot, 1),
                 limit(form->k, limits.dot, 2)};
  if (shape.n != target.dotN || shape.k != form->k ||
      acc.getDimSize(1) % shape.n != 0 || a.getDimSize(1) % shape.k != 0) {
    dot.emitOpError() << "expected a warp tile whose columns are a multiple of "
                      << target.dotN << " and whose depth is a multiple of "
                      << form->k << " (and 'max-dot-size' not below them), got "
                      << acc.getDimSize(0) << "x" << acc.getDimSize(1)
                      << " with depth " << a.getDimSize(1);
    return std::nullopt;
  }
  return shape;
}

LogicalResult PiecePlan::planDots(Operation *func) {
  int64_t smallest = target.dotM.back();
  WalkResult result = func->walk([&](tt::DotOp dot) -> WalkResult {
    std::optional<DotShape> shape = getDotShape(dot);
    if (!shape)
      return WalkResult::interrupt();
    smallest = std::min(smallest, shape->m);
    return WalkResult::advance();
  });
  tileRows = smallest;
  return failure(result.wasInterrupted());
}

/// True for block loads whose result may keep the size of the message, because
/// no control flow joins it with other values.
static bool isFreeBlockLoad(Value value) {
  if (!tt::getBlockLoad(value.getDefiningOp()))
    return false;
  bool joined = false;
  forEachConnected(value, [&](Value other) { joined |= other != value; });
  return !joined;
}

void PiecePlan::planRoles(Operation *func) {
  roles.emplace(func);
  func->walk([&](tt::DotOp dot) {
    if (isMultiplyAddDot(dot))
      return;
    DotShape shape = *getDotShape(dot);
    // Computed operands are made in pieces of the instruction's operands.
    SmallVector<std::pair<Value, SmallVector<int64_t>>> worklist;
    llvm::DenseSet<Value> seen;
    worklist.push_back({dot.getA(), {shape.m, shape.k}});
    worklist.push_back({dot.getB(), {shape.k, shape.n}});
    while (!worklist.empty()) {
      auto [value, piece] = worklist.pop_back_val();
      if (roles->get(value) == BlockRole::Plain || !seen.insert(value).second ||
          isFreeBlockLoad(value))
        continue;
      pieces[value] = piece;
      forEachConnected(value, [&, piece = piece](Value other) {
        worklist.push_back({other, piece});
      });
      if (Operation *op = value.getDefiningOp(); op && keepsRegisterImage(op))
        for (Value operand : op->getOperands())
          worklist.push_back({operand, piece});
    }
  });
}

//===----------------------------------------------------------------------===//
// Block messages
//===----------------------------------------------------------------------===//

/// A block that is loaded row by row is put together from as many registers
/// again, and gains nothing from the size of a message: it is no deeper than
/// the dots that take it, which can go one after the other.
void PiecePlan::limitRows(SmallVectorImpl<int64_t> &piece,
                          const BlockLoadForm &form) const {
  if (form.transpose)
    return;
  // Blocks of operand A are as wide as a dot is deep.
  const BlockLoadForm *a =
      target.findLoad(form.bits, BlockRole::OperandA, /*transpose=*/false);
  if (form.role == BlockRole::OperandA)
    piece[1] =
        std::min(piece[1], std::max(form.tileWidth, target.subGroupSize));
  else if (form.role == BlockRole::OperandB && a)
    piece[0] = std::min(piece[0], a->tileWidth);
}

/// Pieces of an access to blocks of columns are as wide as those. What cannot
/// be cut so is refused where rows are expanded.
static void keepRowBlocks(Operation *op, ArrayRef<int64_t> tile,
                          SmallVectorImpl<int64_t> &piece) {
  auto block = op->getAttrOfType<IntegerAttr>(kRowBlockAttrName);
  auto rowDim = op->getAttrOfType<IntegerAttr>(kRowDimAttrName);
  if (!block || !rowDim || block.getInt() < 1 || rowDim.getInt() < 0 ||
      rowDim.getInt() >= static_cast<int64_t>(tile.size()) ||
      tile[rowDim.getInt()] % block.getInt() != 0)
    return;
  piece[rowDim.getInt()] = block.getInt();
}

/// The size of the message that `op` (load, store or prefetch) sends for a
/// block behind `pointer`.
std::optional<SmallVector<int64_t>>
PiecePlan::getMessageShape(Operation *op, Value pointer) const {
  RankedTensorType tile = getTileType(pointer.getType());
  // A vector is read in one piece, by as many messages as that takes.
  if (tile.getRank() == 1 && op->hasAttr(kRowDimAttrName))
    return getDefaultPiece(tile.getShape());
  if (tile.getRank() != 2)
    return std::nullopt;
  unsigned bits = tile.getElementTypeBitWidth();
  int64_t rows = tile.getDimSize(0), columns = tile.getDimSize(1);
  std::optional<bool> transposed = isTransposedBlock(pointer);
  if (!transposed)
    return std::nullopt;
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    const BlockLoadForm *form =
        findLoadForm(target, bits, roles->get(load.getResult()), *transposed);
    if (!form || columns % form->tileWidth != 0)
      return std::nullopt;
    int64_t width =
        std::max(form->tileWidth,
                 limit(form->tileWidth * form->maxBlocks, limits.load, 1));
    SmallVector<int64_t> piece{
        std::min(rows, limit(form->maxHeight, limits.load, 0)),
        std::min(columns, width)};
    if (op->hasAttr(kRowDimAttrName))
      limitRows(piece, *form);
    keepRowBlocks(op, tile.getShape(), piece);
    return piece;
  }
  // Memory runs along rows in stores and prefetches; a transposed block is
  // prefetched with its dimensions exchanged.
  bool store = isa<tt::StoreOp>(op);
  const BlockForm *form =
      store ? target.findStore(bits) : target.findPrefetch(bits);
  if (!form || (store && (*transposed || columns % form->tileWidth != 0)))
    return std::nullopt;
  int64_t height = form->maxHeight;
  int64_t width = form->tileWidth * form->maxBlocks;
  if (store) {
    height = limit(height, limits.store, 0);
    width = std::max(form->tileWidth, limit(width, limits.store, 1));
  }
  if (*transposed)
    std::swap(height, width);
  SmallVector<int64_t> piece{std::min(rows, height), std::min(columns, width)};
  keepRowBlocks(op, tile.getShape(), piece);
  return piece;
}

/// The block load that `operand` of a dot is, rounded or converted or not; null
/// for anything else.
static tt::LoadOp findBlockLoad(Value operand) {
  Operation *op = operand.getDefiningOp();
  while (op && op->hasTrait<OpTrait::Elementwise>() &&
         op->getNumOperands() == 1)
    op = op->getOperand(0).getDefiningOp();
  return tt::getBlockLoad(op);
}

/// A message that reads more of the depth of a product than the messages of the
/// other operand do keeps the rest in registers until those have come. Where
/// the operands of a product and its result are more than a thread has, B is
/// read no deeper than A. Rows are what a message can do without: fewer columns
/// would be parts of cache lines.
void PiecePlan::planDepths(ModuleOp module) {
  int64_t bytes = getMostRegisters(module, target) * target.registerBytes;
  module.walk([&](tt::DotOp dot) {
    tt::LoadOp a = findBlockLoad(dot.getA()), b = findBlockLoad(dot.getB());
    if (isMultiplyAddDot(dot) || !a || !b ||
        isTransposedBlock(b.getPtr()) != false)
      return;
    int64_t needed = 0;
    for (Value value : {a->getResult(0), b->getResult(0), dot->getResult(0)}) {
      RankedTensorType tile = getTileType(value.getType());
      needed += tile.getNumElements() * tile.getElementTypeBitWidth() / 8;
    }
    int64_t depth = pieces.lookup(a.getPtr()).back();
    if (needed <= bytes || depth < getDotShape(dot)->k)
      return;
    for (Value member : getPointerFamily(b.getPtr())) {
      int64_t &rows = pieces[member].front();
      rows = std::min(rows, depth);
    }
  });
}

LogicalResult PiecePlan::planPointers(ModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (!isa<tt::LoadOp, tt::StoreOp, mlt::PrefetchOp>(op) ||
        !tt::isBlockPointer(op->getOperand(0).getType()))
      return WalkResult::advance();
    Value pointer = op->getOperand(0);
    std::optional<SmallVector<int64_t>> shape = getMessageShape(op, pointer);
    if (!shape)
      return op->emitOpError()
             << "has no 2-D block message on target '" << target.name
             << "' for " << getTileType(pointer.getType())
             << "; run 'legalize-block-io' first";
    for (Value member : getPointerFamily(pointer)) {
      auto [it, inserted] = pieces.try_emplace(member, *shape);
      if (!inserted)
        for (auto [old, other] : llvm::zip_equal(it->second, *shape))
          old = std::min(old, other);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  // Lanes keep what they share of a deep load in few registers; there, more and
  // smaller loads only add addresses.
  if (style == ThreadStyle::Simd)
    planDepths(module);
  module.walk([&](tt::LoadOp load) {
    if (isFreeBlockLoad(load.getResult()))
      pieces[load.getResult()] = pieces.lookup(load.getPtr());
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

LogicalResult PiecePlan::compute(ModuleOp module) {
  if (failed(planDots(module)))
    return failure();
  planRoles(module);
  if (failed(planPointers(module)))
    return failure();
  planRest(module);
  return success();
}

/// Values without a plan are those that the rewrite makes: they are never
/// split. So everything that exists now gets one.
void PiecePlan::planRest(Operation *func) {
  auto plan = [&](Value value) {
    RankedTensorType tile = getTileType(value.getType());
    if (!tile || pieces.contains(value))
      return;
    pieces[value] = tt::isBlockPointer(value.getType())
                        ? llvm::to_vector(tile.getShape())
                        : getDefaultPiece(tile.getShape());
  };
  func->walk([&](Operation *op) {
    llvm::for_each(op->getResults(), plan);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), plan);
  });
}

/// Registers hold 16 columns; pieces have at most eight registers, except
/// columns of width 1, which stay together because rows of a 1-D tensor do.
SmallVector<int64_t> PiecePlan::getDefaultPiece(ArrayRef<int64_t> shape) const {
  int64_t lanes = target.subGroupSize;
  int64_t registers = target.dotM.back();
  SmallVector<int64_t> piece(shape.size(), 1);
  if (shape.empty())
    return piece;
  if (shape.size() == 1) {
    piece[0] = std::min(shape[0], lanes * registers);
    return piece;
  }
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  piece[shape.size() - 1] = std::min(columns, lanes);
  piece[shape.size() - 2] = std::min(rows, columns == 1 ? 2 * lanes : tileRows);
  return piece;
}

SmallVector<int64_t> PiecePlan::getPiece(Value value) const {
  RankedTensorType tile = getTileType(value.getType());
  if (!tile)
    return {};
  auto it = pieces.find(value);
  if (it != pieces.end())
    return it->second;
  return llvm::to_vector(tile.getShape());
}

bool PiecePlan::isSplit(Value value) const {
  RankedTensorType tile = getTileType(value.getType());
  return tile && tile.getShape() != ArrayRef<int64_t>(getPiece(value));
}
