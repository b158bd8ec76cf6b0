//===- LaneLayout.cpp - which lane holds which element of a tile ----------===//
//
// Both directions of the lane table: from an element to a place and back. They
// are inverse to each other up to replication; nothing else in the lowering
// knows how elements lie in registers.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/LaneLayout.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/TritonTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::mlt;

LaneLayout::LaneLayout(Kind kind, int64_t numLanes, ArrayRef<int64_t> shape,
                       int64_t pack)
    : kind(kind), numLanes(numLanes), batch(1), rows(1), columns(1),
      pack(pack) {
  if (!shape.empty())
    columns = shape.back();
  if (shape.size() > 1)
    rows = shape[shape.size() - 2];
  for (int64_t extent : shape.drop_back(std::min<size_t>(2, shape.size())))
    batch *= extent;
}

LaneLayout LaneLayout::getPlain(ArrayRef<int64_t> shape, int64_t numLanes) {
  return LaneLayout(Kind::Plain, numLanes, shape, /*pack=*/1);
}

/// Sets `*reason` to "expected <expected>, got <type>" and fails.
static LogicalResult refuse(std::string *reason, const Twine &expected,
                            Type type) {
  if (reason) {
    llvm::raw_string_ostream stream(*reason);
    stream << "expected " << expected << ", got '" << type << "'";
  }
  return failure();
}

/// The operand of a dot that `type` is, null if it is a plain tile; fails when
/// it is neither.
static FailureOr<OperandAttr> getOperand(RankedTensorType type,
                                         std::string *reason) {
  for (int64_t extent : type.getShape())
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return refuse(reason, "extents that are powers of two", type);
  Attribute encoding = type.getEncoding();
  if (!encoding)
    return OperandAttr();
  auto operand = dyn_cast<OperandAttr>(encoding);
  if (!operand)
    return refuse(reason, "no encoding but '#mlt.operand' at this level", type);
  if (type.getRank() < 2)
    return refuse(reason, "a matrix as operand of a dot", type);
  return operand;
}

/// Columns that an operand A is wide before its next row starts in registers,
/// for dots of `width` columns; fails when the rows do not fit.
static FailureOr<int64_t> getBlockOfA(RankedTensorType type, int64_t width,
                                      std::string *reason) {
  int64_t bits = tt::getElementBitWidth(type);
  int64_t block = bits == 8 ? 2 * width : bits == 16 ? width : width / 2;
  bool fits = bits == 16 || type.getShape().back() % block == 0;
  if ((bits == 8 || bits == 16 || bits == 32) && fits)
    return block;
  return refuse(reason,
                "an operand A of 8, 16 or 32 bits with a multiple of " +
                    Twine(block) + " columns",
                type);
}

FailureOr<LaneLayout> LaneLayout::getOperandB(RankedTensorType type,
                                              int64_t numLanes,
                                              std::string *reason) {
  int64_t bits = tt::getElementBitWidth(type);
  int64_t pack = bits == 8 || bits == 16 ? 32 / bits : 0;
  int64_t rows = type.getDimSize(type.getRank() - 2);
  if (!pack || rows % pack != 0 || type.getShape().back() % numLanes != 0)
    return refuse(reason,
                  "an operand B of 8, 16 or 32 bits with whole dwords along "
                  "k and a multiple of " +
                      Twine(numLanes) + " columns",
                  type);
  return LaneLayout(Kind::OperandB, numLanes, type.getShape(), pack);
}

FailureOr<LaneLayout> LaneLayout::get(RankedTensorType type, int64_t numLanes,
                                      std::string *reason) {
  FailureOr<OperandAttr> operand = getOperand(type, reason);
  if (failed(operand))
    return failure();
  int64_t bits = tt::getElementBitWidth(type);
  if (!*operand || (operand->getOpIdx() == 1 && bits == 32))
    return getPlain(type.getShape(), numLanes);
  if (operand->getOpIdx() == 1)
    return getOperandB(type, numLanes, reason);
  if (failed(getBlockOfA(type, numLanes, reason)))
    return failure();
  if (bits == 16)
    return getPlain(type.getShape(), numLanes);
  if (bits == 8)
    return LaneLayout(Kind::OperandA8, numLanes, type.getShape(), /*pack=*/2);
  return LaneLayout(Kind::OperandA32, numLanes, type.getShape(), /*pack=*/1);
}

LaneLayout LaneLayout::getFlatPlain(ArrayRef<int64_t> shape, int64_t width) {
  int64_t columns = shape.empty() ? 1 : shape.back();
  LaneLayout layout = getPlain(shape, std::min(columns, width));
  layout.flat = true;
  return layout;
}

FailureOr<LaneLayout> LaneLayout::getFlat(RankedTensorType type, int64_t width,
                                          std::string *reason) {
  FailureOr<OperandAttr> operand = getOperand(type, reason);
  if (failed(operand))
    return failure();
  if (!*operand ||
      (operand->getOpIdx() == 1 && tt::getElementBitWidth(type) == 32))
    return getFlatPlain(type.getShape(), width);
  if (operand->getOpIdx() == 1) {
    FailureOr<LaneLayout> layout = getOperandB(type, width, reason);
    if (succeeded(layout))
      layout->flat = true;
    return layout;
  }
  FailureOr<int64_t> block = getBlockOfA(type, width, reason);
  if (failed(block))
    return failure();
  return getFlatPlain(type.getShape(), *block);
}

Place LaneLayout::toLanes(Place place) const {
  int64_t perRegister = numLanes * pack;
  return {place.slot % perRegister / pack,
          place.slot / perRegister * pack + place.slot % pack};
}

Place LaneLayout::toFlat(Place place) const {
  return {0, (place.slot / pack * numLanes + place.lane) * pack +
                 place.slot % pack};
}

int64_t LaneLayout::getSlotsPerLane() const {
  int64_t tile;
  if (kind == Kind::OperandA32)
    tile = std::max<int64_t>(1, rows / 2) * (columns / (numLanes / 2));
  else
    tile = rows * std::max<int64_t>(1, columns / numLanes);
  return batch * tile;
}

int64_t LaneLayout::getNumActiveLanes() const {
  if (flat)
    return 1;
  if (kind == Kind::Plain)
    return std::min(numLanes, columns);
  if (kind == Kind::OperandA32 && rows == 1)
    return numLanes / 2;
  return numLanes;
}

int64_t LaneLayout::getElement(Place place) const {
  if (flat)
    place = toLanes(place);
  int64_t perTile = getSlotsPerLane() / batch;
  int64_t tile = place.slot / perTile, slot = place.slot % perTile;
  int64_t row = 0, column = 0;
  switch (kind) {
  case Kind::Plain:
    row = slot % rows;
    column = (slot / rows) * numLanes + place.lane;
    if (columns < numLanes)
      column = place.lane % columns;
    break;
  case Kind::OperandA8: {
    int64_t word = slot / 2;
    row = word % rows;
    column = (word / rows) * 2 * numLanes + 2 * place.lane + slot % 2;
    break;
  }
  case Kind::OperandA32: {
    int64_t half = numLanes / 2, perBlock = std::max<int64_t>(1, rows / 2);
    row = (2 * (slot % perBlock) + place.lane / half) % rows;
    column = (slot / perBlock) * half + place.lane % half;
    break;
  }
  case Kind::OperandB: {
    int64_t word = slot / pack, perBlock = rows / pack;
    row = (word % perBlock) * pack + slot % pack;
    column = (word / perBlock) * numLanes + place.lane;
    break;
  }
  }
  return (tile * rows + row) * columns + column;
}

Place LaneLayout::getPlace(int64_t element, int64_t preferredLane) const {
  int64_t column = element % columns;
  int64_t row = element / columns % rows;
  int64_t tile = element / columns / rows;
  Place place{0, 0};
  switch (kind) {
  case Kind::Plain:
    place = {column % numLanes, (column / numLanes) * rows + row};
    if (columns < numLanes && preferredLane % columns == column)
      place.lane = preferredLane;
    break;
  case Kind::OperandA8: {
    int64_t block = column / (2 * numLanes), inner = column % (2 * numLanes);
    place = {inner / 2, (block * rows + row) * 2 + inner % 2};
    break;
  }
  case Kind::OperandA32: {
    int64_t half = numLanes / 2, perBlock = std::max<int64_t>(1, rows / 2);
    place = {(row % 2) * half + column % half,
             (column / half) * perBlock + row / 2};
    if (rows == 1 && preferredLane % half == column % half)
      place.lane = preferredLane;
    break;
  }
  case Kind::OperandB:
    place = {column % numLanes,
             ((column / numLanes) * (rows / pack) + row / pack) * pack +
                 row % pack};
    break;
  }
  place.slot += tile * (getSlotsPerLane() / batch);
  return flat ? toFlat(place) : place;
}
