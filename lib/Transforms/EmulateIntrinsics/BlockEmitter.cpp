//===- BlockEmitter.cpp - block messages from the register-image rule -----===//
//
// One emitter for all shapes and packings: for each element of the data, walk
// from its place in the register image to a row and column of the block and
// test that against the surface.
//
// The CPU's compiler is sensitive to the form. Accesses sit under branches, for
// a vectoriser turns those into masks; one branch covers all elements that
// share a column (a row, of a transposed block), and the other coordinate is
// clamped into the surface, so that a block is a few regions of straight code.
// Writes cannot be clamped and have a branch each; they are small.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/Emitter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;
using LLVM::ICmpPredicate;

namespace {

/// A row or a column of the block, on the surface.
struct Coordinate {
  /// i32 place on the surface, and whether there is one.
  Value absolute;
  Value valid;
};

/// Part of an element of the data: where it comes from.
struct Source {
  unsigned element;
  unsigned part;
  Coordinate row, column;
};

/// The walk over one message. Rows and columns are computed once; they are
/// created in blocks that dominate all later ones.
class BlockAccess {
public:
  BlockAccess(Emitter &emitter, const Block2DMessage &message,
              const Surface &surface)
      : e(emitter), message(message), elementBytes(message.elementBits / 8) {
    numLanes = e.lanes.getNumLanes();
    laneId = e.lanes.getLaneId(e.builder, e.loc);
    prepare(surface);
  }

  Value read();
  void write(Value data);

private:
  unsigned getDataBytes() const {
    return message.dataType.getElementTypeBitWidth() / 8;
  }
  unsigned getParts() const { return getDataBytes() / elementBytes; }
  unsigned getElementsPerBlock() const {
    unsigned bytes = getDataBytes();
    return message.getBlockBytes(e.lanes.getBlockAlignment(bytes)) /
           (numLanes * bytes);
  }

  void prepare(const Surface &surface);
  std::pair<LaneIndex, LaneIndex> locate(unsigned element, unsigned part);
  Coordinate getCoordinate(const LaneIndex &index, Value origin, int64_t offset,
                           int64_t blockExtent, Value surfaceExtent);
  /// All parts of all elements that are not padding on every lane.
  SmallVector<Source> getSources();
  Value getPlace(Value row, Value column);
  Value clamp(Value index, Value extent);
  void readGroup(ArrayRef<Source> group, SmallVectorImpl<Value> &elements);
  void writePart(const Source &source, Value element);
  /// Two empty blocks at the end of the function.
  std::pair<Block *, Block *> createRegion(TypeRange results);

  Emitter &e;
  const Block2DMessage &message;
  unsigned elementBytes;
  unsigned numLanes;
  Value laneId;
  Value base, height, pitch, x, y;
  /// Columns of the surface, partly valid elements included.
  Value columns;
  using CoordinateKey = std::tuple<void *, int64_t, int64_t, void *>;
  llvm::DenseMap<CoordinateKey, Coordinate> coordinates;
};

} // namespace

void BlockAccess::prepare(const Surface &surface) {
  // The low bits of the base do not exist in the message.
  base = surface.anyBase ? surface.base
                         : e.bitAnd(surface.base, -kBlock2DBaseAlignment);
  height = surface.height;
  pitch = e.resize(surface.pitch, 64);
  x = surface.x;
  y = surface.y;
  // col * bytes < width, without overflow for any column.
  unsigned log2 = llvm::Log2_32(elementBytes);
  columns = e.lshr(e.add(e.resize(surface.width, 64), elementBytes - 1), log2);
  columns = e.resize(columns, 32);
}

/// Row and column, within its block, of part `part` of data element `element`.
std::pair<LaneIndex, LaneIndex> BlockAccess::locate(unsigned element,
                                                    unsigned part) {
  unsigned parts = getParts();
  // Number of the element in the image, counted in block elements.
  LaneIndex index(int64_t(element) * numLanes * parts + part, parts, numLanes,
                  laneId);
  if (message.packing == BlockPacking::Transposed) {
    auto [column, row] = index.divide(e, llvm::Log2_32_Ceil(message.rows));
    return {row, column};
  }
  unsigned packed = message.getPackedRows();
  auto [dword, rowInDword] = index.divide(e, llvm::Log2_32(packed));
  auto [row, column] = dword.divide(e, llvm::Log2_32_Ceil(message.columns));
  return {row.scaleAndAdd(e, packed, rowInDword), column};
}

/// Place `offset + index` beyond `origin` on a surface of `surfaceExtent`;
/// indices from `blockExtent` on are padding.
Coordinate BlockAccess::getCoordinate(const LaneIndex &index, Value origin,
                                      int64_t offset, int64_t blockExtent,
                                      Value surfaceExtent) {
  CoordinateKey key = {origin.getAsOpaquePointer(), index.getBase() + offset,
                       index.getScale(), index.getRest().getAsOpaquePointer()};
  auto [it, inserted] = coordinates.try_emplace(key);
  if (!inserted)
    return it->second;
  Value relative = index.materialize(e);
  Coordinate result;
  result.absolute = e.add(e.add(origin, offset), relative);
  result.valid = e.icmp(ICmpPredicate::ult, result.absolute, surfaceExtent);
  if (index.getMax() >= blockExtent)
    result.valid = e.bitAnd(result.valid,
                            e.icmp(ICmpPredicate::ult, relative, blockExtent));
  return coordinates[key] = result;
}

SmallVector<Source> BlockAccess::getSources() {
  SmallVector<Source> sources;
  unsigned perBlock = getElementsPerBlock();
  for (int64_t i = 0; i < message.dataType.getNumElements(); ++i)
    for (unsigned part = 0; part < getParts(); ++part) {
      auto [row, column] = locate(i % perBlock, part);
      if ((row.isConstant() && row.getBase() >= message.rows) ||
          (column.isConstant() && column.getBase() >= message.columns))
        continue;
      int64_t left = i / perBlock * message.columns;
      sources.push_back(
          {static_cast<unsigned>(i), part,
           getCoordinate(row, y, 0, message.rows, height),
           getCoordinate(column, x, left, message.columns, columns)});
    }
  return sources;
}

/// Pointer to the element at `row` and `column` of the surface.
Value BlockAccess::getPlace(Value row, Value column) {
  Value offset = e.add(e.mul(e.signExtend(row, 64), pitch),
                       e.mul(e.signExtend(column, 64), elementBytes));
  auto pointer = LLVM::LLVMPointerType::get(e.builder.getContext(), 1);
  return LLVM::IntToPtrOp::create(e.builder, e.loc, pointer,
                                  e.add(base, offset));
}

/// `index` moved to the nearest of 0 to `extent - 1`; `extent` is positive.
Value BlockAccess::clamp(Value index, Value extent) {
  Value last = e.add(extent, -1);
  Value below = e.select(e.icmp(ICmpPredicate::slt, index, last), index, last);
  Value zero = e.constantLike(index, 0);
  return e.select(e.icmp(ICmpPredicate::sgt, below, zero), below, zero);
}

std::pair<Block *, Block *> BlockAccess::createRegion(TypeRange results) {
  Region *region = e.builder.getInsertionBlock()->getParent();
  OpBuilder::InsertionGuard guard(e.builder);
  Block *body = e.builder.createBlock(region, region->end());
  Block *join =
      e.builder.createBlock(region, region->end(), results,
                            SmallVector<Location>(results.size(), e.loc));
  return {body, join};
}

/// Reads `group`, whose sources share the coordinate that is tested, and merges
/// them into `elements`.
void BlockAccess::readGroup(ArrayRef<Source> group,
                            SmallVectorImpl<Value> &elements) {
  OpBuilder &builder = e.builder;
  bool byRow = message.packing == BlockPacking::Transposed;
  Type type = e.intType(message.elementBits);
  Value zero = e.constant(type, 0);
  Value extent = byRow ? columns : height;
  Value valid = byRow ? group.front().row.valid : group.front().column.valid;
  valid = e.bitAnd(valid, e.icmp(ICmpPredicate::sgt, extent, 0));
  auto [body, join] = createRegion(SmallVector<Type>(group.size(), type));
  LLVM::CondBrOp::create(builder, e.loc, valid, body, ValueRange(), join,
                         SmallVector<Value>(group.size(), zero));

  builder.setInsertionPointToEnd(body);
  SmallVector<Value> values;
  for (const Source &source : group) {
    Value row = source.row.absolute, column = source.column.absolute;
    Value place = byRow ? getPlace(row, clamp(column, columns))
                        : getPlace(clamp(row, height), column);
    Value value =
        LLVM::LoadOp::create(builder, e.loc, type, place, elementBytes);
    values.push_back(
        e.select(byRow ? source.column.valid : source.row.valid, value, zero));
  }
  LLVM::BrOp::create(builder, e.loc, values, join);

  builder.setInsertionPointToEnd(join);
  unsigned dataBits = message.dataType.getElementTypeBitWidth();
  for (auto [source, argument] : llvm::zip(group, join->getArguments())) {
    Value value =
        e.shl(e.resize(argument, dataBits), source.part * message.elementBits);
    Value &element = elements[source.element];
    element = element ? e.bitOr(element, value) : value;
  }
}

Value BlockAccess::read() {
  llvm::MapVector<void *, SmallVector<Source>> groups;
  for (const Source &source : getSources()) {
    bool byRow = message.packing == BlockPacking::Transposed;
    const Coordinate &tested = byRow ? source.row : source.column;
    groups[tested.valid.getAsOpaquePointer()].push_back(source);
  }
  SmallVector<Value> elements(message.dataType.getNumElements());
  for (auto &[tested, group] : groups)
    readGroup(group, elements);
  Type type = e.intType(message.dataType.getElementTypeBitWidth());
  for (Value &element : elements)
    element = e.bitcast(element ? element : e.constant(type, 0),
                        message.dataType.getElementType());
  return e.pack(message.dataType, elements);
}

void BlockAccess::writePart(const Source &source, Value element) {
  auto [body, join] = createRegion({});
  LLVM::CondBrOp::create(e.builder, e.loc,
                         e.bitAnd(source.row.valid, source.column.valid), body,
                         join);
  e.builder.setInsertionPointToEnd(body);
  Value value = e.resize(e.lshr(element, source.part * message.elementBits),
                         message.elementBits);
  LLVM::StoreOp::create(e.builder, e.loc, value,
                        getPlace(source.row.absolute, source.column.absolute),
                        elementBytes);
  LLVM::BrOp::create(e.builder, e.loc, ValueRange(), join);
  e.builder.setInsertionPointToEnd(join);
}

void BlockAccess::write(Value data) {
  Type type = e.intType(message.dataType.getElementTypeBitWidth());
  for (const Source &source : getSources())
    writePart(source, e.bitcast(e.extract(data, source.element), type));
}

Value mlt::emitBlockRead2D(Emitter &emitter, const Block2DMessage &message,
                           const Surface &surface) {
  if (message.flat)
    return emitFlatBlockRead2D(emitter, message, surface);
  return BlockAccess(emitter, message, surface).read();
}

void mlt::emitBlockWrite2D(Emitter &emitter, const Block2DMessage &message,
                           const Surface &surface, Value data) {
  if (message.flat)
    return emitFlatBlockWrite2D(emitter, message, surface, data);
  BlockAccess(emitter, message, surface).write(data);
}

//===----------------------------------------------------------------------===//
// 1-D blocks
//===----------------------------------------------------------------------===//

/// Pointer to data element `element` of the executing lane.
static Value getPlace(Emitter &e, const Block1DMessage &message, Value pointer,
                      Value laneId, unsigned element) {
  LaneIndex index(int64_t(element) * e.lanes.getNumLanes(), 1,
                  e.lanes.getNumLanes(), laneId);
  return LLVM::GEPOp::create(e.builder, e.loc, pointer.getType(),
                             e.intType(message.elementBits), pointer,
                             ArrayRef<LLVM::GEPArg>{index.materialize(e)});
}

/// Bytes on whose multiples a block may begin, whatever its elements are.
static constexpr unsigned kBlock1DAlignment = 4;

Value mlt::emitBlockRead1D(Emitter &e, const Block1DMessage &message,
                           Value pointer, Type type) {
  Value base = e.uniform(pointer);
  Value laneId = e.lanes.getLaneId(e.builder, e.loc);
  SmallVector<Value> elements;
  for (unsigned i = 0; i < message.count; ++i)
    elements.push_back(LLVM::LoadOp::create(
        e.builder, e.loc, e.intType(message.elementBits),
        getPlace(e, message, base, laneId, i),
        std::min(message.elementBits / 8, kBlock1DAlignment)));
  return e.pack(type, elements);
}

void mlt::emitBlockWrite1D(Emitter &e, const Block1DMessage &message,
                           Value pointer, Value data) {
  Value base = e.uniform(pointer);
  Value laneId = e.lanes.getLaneId(e.builder, e.loc);
  for (unsigned i = 0; i < message.count; ++i)
    LLVM::StoreOp::create(e.builder, e.loc, e.extract(data, i),
                          getPlace(e, message, base, laneId, i),
                          message.elementBits / 8);
}
