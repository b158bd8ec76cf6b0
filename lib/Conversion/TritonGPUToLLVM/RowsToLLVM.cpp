//===- RowsToLLVM.cpp - tiles whose rows are contiguous in memory ---------===//
//
// What no 2-D block message can access, because nothing is known about where a
// tensor begins and how long its rows are, still has elements side by side. A
// row that fills a 1-D block message is one, with its address in one register
// instead of one per lane. Columns that are contiguous are a vector in each
// lane. Only what is shorter than both is accessed element by element. Nothing
// outside of the tile is touched: it need not be mapped.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/Predication.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include <map>

using namespace mlir;
using namespace mlir::mlt;

/// What one lane accesses at once, in bits.
static constexpr int64_t kMaxLaneBits = 128;

/// So many addresses are sums of scalars: cheaper than products of vectors of
/// i64, of which the vector backend gets those with four constants wrong.
static constexpr int64_t kFewAddresses = 8;

//===----------------------------------------------------------------------===//
// The tile in memory
//===----------------------------------------------------------------------===//

namespace {
/// Which row in memory an element is in, and which element of it.
struct MemoryPlace {
  int64_t row, element;
  bool operator<(const MemoryPlace &other) const {
    return std::tie(row, element) < std::tie(other.row, other.element);
  }
};

/// How the rows of a tile are arranged in memory.
struct RowOrder {
  /// Rows in memory are columns of the tile.
  bool transposed = false;
  /// So many rows of the tile are in a row of memory, element by element.
  int64_t packed = 1;
};

/// The rows in memory.
class MemoryRows {
public:
  MemoryRows(OpBuilder &builder, Location loc, const CodeGenStyle &style,
             RankedTensorType type, Type element, Value start, Value pitch,
             RowOrder order)
      : builder(builder), loc(loc), style(style), order(order),
        columns(type.getShape().back()),
        bytes(element.getIntOrFloatBitWidth() / 8),
        space(cast<LLVM::LLVMPointerType>(start.getType()).getAddressSpace()) {
    int64_t rows = type.getNumElements() / columns;
    rowLength = order.transposed ? rows : columns * order.packed;
    int64_t numRows = type.getNumElements() / rowLength;
    // Rows without a gap between them are one.
    APInt distance;
    if (!order.transposed && pitch &&
        matchPattern(pitch, m_ConstantInt(&distance)) &&
        distance.getSExtValue() == rowLength)
      rowsOfOne = std::exchange(numRows, 1);
    pointers.resize(numRows);
    pointers.front() = start;
    if (pitch)
      pitchBytes = arith::MulIOp::create(builder, loc, pitch, i64(bytes));
  }

  int64_t getNumRows() const { return pointers.size(); }
  int64_t getRowLength() const { return rowLength * rowsOfOne; }
  const RowOrder &getOrder() const { return order; }
  unsigned getAddressSpace() const { return space; }

  /// Where the element with row-major number `element` lies.
  MemoryPlace locate(int64_t element) const {
    int64_t row = element / columns, column = element % columns;
    if (order.transposed)
      return {column, row};
    int64_t number = row / order.packed * rowLength + column * order.packed +
                     row % order.packed;
    return {number / getRowLength(), number % getRowLength()};
  }

  /// The start of a row. Of many rows, every one is a sum of few terms, so that
  /// none waits for all before it.
  Value getRow(int64_t row);
  /// The element that each lane has in `places`.
  Value getLanePointer(ArrayRef<MemoryPlace> places);
  /// The addresses of elements, a vector (a scalar for one).
  Value getAddresses(ArrayRef<MemoryPlace> places);

private:
  Value i64(int64_t value) const {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value move(Value pointer, Value distance) const {
    return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                               builder.getI8Type(), pointer, distance);
  }
  Value getLaneDistance(ArrayRef<int64_t> rows, ArrayRef<int64_t> elements);
  Value getLaneNumber(ArrayRef<int64_t> values);

  OpBuilder &builder;
  Location loc;
  const CodeGenStyle &style;
  RowOrder order;
  int64_t columns, bytes, rowLength, rowsOfOne = 1;
  unsigned space;
  /// Null for a single row.
  Value pitchBytes;
  SmallVector<Value> pointers;
  std::map<int64_t, Value> distances;
  /// By rows and elements per lane, from the first lane's.
  std::map<std::vector<int64_t>, Value> laneDistances, lanePointers;
};
} // namespace

Value MemoryRows::getRow(int64_t row) {
  if (!pointers[row]) {
    int64_t step = llvm::bit_floor(static_cast<uint64_t>(row));
    Value &distance = distances[step];
    if (!distance)
      distance = arith::MulIOp::create(builder, loc, pitchBytes, i64(step));
    pointers[row] = move(getRow(row - step), distance);
  }
  return pointers[row];
}

/// An i64 per lane.
Value MemoryRows::getLaneNumber(ArrayRef<int64_t> values) {
  Value number =
      getLaneTable(builder, loc, style, values, builder.getI32Type());
  return LLVM::SExtOp::create(builder, loc, builder.getI64Type(), number);
}

Value MemoryRows::getLaneDistance(ArrayRef<int64_t> rows,
                                  ArrayRef<int64_t> elements) {
  std::vector<int64_t> key(rows);
  key.insert(key.end(), elements.begin(), elements.end());
  Value &distance = laneDistances[key];
  if (distance)
    return distance;
  auto isZero = [](int64_t value) { return value == 0; };
  if (!llvm::all_of(rows, isZero))
    distance =
        LLVM::MulOp::create(builder, loc, getLaneNumber(rows), pitchBytes);
  if (llvm::all_of(elements, isZero))
    return distance;
  auto inBytes = llvm::map_to_vector(
      elements, [&](int64_t element) { return element * bytes; });
  Value inRow = getLaneNumber(inBytes);
  distance =
      distance ? LLVM::AddOp::create(builder, loc, distance, inRow).getResult()
               : inRow;
  return distance;
}

Value MemoryRows::getLanePointer(ArrayRef<MemoryPlace> places) {
  MemoryPlace first = places.front();
  std::vector<int64_t> key{first.row};
  SmallVector<int64_t> rows, elements;
  for (MemoryPlace place : places) {
    rows.push_back(place.row - first.row);
    elements.push_back(place.element - first.element);
  }
  llvm::append_range(key, rows);
  llvm::append_range(key, elements);
  Value &pointer = lanePointers[key];
  if (!pointer) {
    pointer = getRow(first.row);
    if (Value distance = getLaneDistance(rows, elements))
      pointer = move(pointer, distance);
  }
  if (first.element == 0)
    return pointer;
  return move(pointer, i64(first.element * bytes));
}

Value MemoryRows::getAddresses(ArrayRef<MemoryPlace> places) {
  int64_t count = places.size();
  MemoryPlace first = places.front();
  auto getAddress = [&](MemoryPlace place) -> Value {
    Value row = toAddress(builder, loc, getRow(place.row));
    return arith::AddIOp::create(builder, loc, row, i64(place.element * bytes));
  };
  if (count <= kFewAddresses)
    return buildVector(builder, loc, llvm::map_to_vector(places, getAddress));
  // From the first element, so that groups of rows share the distances.
  auto type = VectorType::get({count}, builder.getI64Type());
  auto constant = [&](function_ref<int64_t(MemoryPlace)> get) -> Value {
    auto values = llvm::map_to_vector(places, get);
    return LLVM::ConstantOp::create(
        builder, loc, type,
        DenseElementsAttr::get(type, ArrayRef<int64_t>(values)));
  };
  Value distance = constant([&](MemoryPlace place) {
    return (place.element - first.element) * bytes;
  });
  if (pitchBytes) {
    Value toRow = LLVM::MulOp::create(
        builder, loc, splatVector(builder, loc, pitchBytes, count),
        constant([&](MemoryPlace place) { return place.row - first.row; }));
    distance = LLVM::AddOp::create(builder, loc, toRow, distance);
  }
  Value start = splatVector(builder, loc, getAddress(first), count);
  return LLVM::AddOp::create(builder, loc, start, distance);
}

//===----------------------------------------------------------------------===//
// The tile in registers
//===----------------------------------------------------------------------===//

namespace {
/// What both operations share. Elements are integers here.
class RowAccess {
public:
  RowAccess(OpBuilder &builder, Location loc, const LoweringContext &lowering,
            const TileTypeConverter &converter, RankedTensorType type,
            const Tile &tile, MemoryRows &memory)
      : builder(builder), loc(loc), style(lowering.style), converter(converter),
        type(type), tile(tile), memory(memory),
        numLanes(lowering.target.subGroupSize),
        bits(tile.slot.getIntOrFloatBitWidth()), unit(findUnit()) {}

  /// Loads with the best messages there are. Returns the carrier.
  Value load();
  void store(Value value);

private:
  int64_t findUnit() const;
  Tile getTile(ArrayRef<int64_t> shape, int64_t bits,
               Attribute encoding) const {
    // Like `type`, which has a tile.
    return *converter.getTile(
        RankedTensorType::get(shape, builder.getIntegerType(bits), encoding));
  }
  /// Rows of the tile are rows in memory, and fill messages.
  bool hasRowMessages() const {
    return !memory.getOrder().transposed &&
           style.hasRow(memory.getRowLength() / unit, bits * unit);
  }
  bool hasColumnMessages() const {
    return memory.getOrder().transposed &&
           type.getShape().back() % numLanes == 0 &&
           memory.getRowLength() * bits % 32 == 0;
  }
  Tile getRowTile() const {
    return getTile(memory.getRowLength() / unit, bits * unit, Attribute());
  }
  /// The tile with `unit` elements as one. Where registers are parts of rows,
  /// they lie as in a plain tile of them.
  Tile getUnitTile() const {
    SmallVector<int64_t> shape(type.getShape());
    (memory.getOrder().packed > 1 ? shape.front() : shape.back()) /= unit;
    return getTile(shape, bits * unit,
                   unit == 1 ? type.getEncoding() : Attribute());
  }
  MemoryPlace locateUnit(int64_t number) const;

  Value loadRows();
  void storeRows(Value value);

  // Lane by lane.
  SmallVector<MemoryPlace> getLanePlaces(int64_t index) const;
  SmallVector<SmallVector<int64_t>> getRuns() const;
  Value loadLanes();
  void loadRun(ArrayRef<int64_t> run, MutableArrayRef<Value> units);
  void storeLanes(Value value);

  // All elements at once.
  SmallVector<MemoryPlace> getSlotPlaces() const;
  Value loadColumns();
  Value loadElements();
  void storeElements(Value value);

  OpBuilder &builder;
  Location loc;
  const CodeGenStyle &style;
  const TileTypeConverter &converter;
  RankedTensorType type;
  const Tile &tile;
  MemoryRows &memory;
  int64_t numLanes, bits;
  /// Elements of a register, if they are side by side in memory as well; 1.
  int64_t unit;
};
} // namespace

int64_t RowAccess::findUnit() const {
  int64_t pack = tile.layout.getPack();
  for (int64_t slot = 0; slot < tile.getNumSlots(); slot += pack)
    for (int64_t lane = 0; lane < style.getNumLanes(); ++lane) {
      MemoryPlace first = memory.locate(tile.layout.getElement({lane, slot}));
      for (int64_t i = 1; i < pack; ++i) {
        MemoryPlace place =
            memory.locate(tile.layout.getElement({lane, slot + i}));
        if (place.row != first.row || place.element != first.element + i)
          return 1;
      }
    }
  return pack;
}

/// Where unit `number` of the tile is, in units.
MemoryPlace RowAccess::locateUnit(int64_t number) const {
  int64_t columns = type.getShape().back();
  bool packs = memory.getOrder().packed > 1;
  int64_t element = packs ? number / columns * unit * columns + number % columns
                          : number * unit;
  MemoryPlace place = memory.locate(element);
  return {place.row, place.element / unit};
}

Value RowAccess::load() {
  if (hasRowMessages())
    return loadRows();
  if (!style.getTileMemory())
    return loadLanes();
  return hasColumnMessages() ? loadColumns() : loadElements();
}

void RowAccess::store(Value value) {
  if (hasRowMessages())
    storeRows(value);
  else if (style.getTileMemory())
    storeElements(value);
  else
    storeLanes(value);
}

//===----------------------------------------------------------------------===//
// Messages of a row
//===----------------------------------------------------------------------===//

Value RowAccess::loadRows() {
  Tile row = getRowTile();
  SmallVector<Value> rows;
  for (int64_t i = 0; i < memory.getNumRows(); ++i) {
    Value data = style.loadRow(builder, loc, memory.getRow(i), row.carrier);
    rows.push_back(bitcastTo(builder, loc, data, row.carrier));
  }
  Tile image = getUnitTile();
  Value result =
      moveElements(builder, loc, style, rows, row, image, [&](int64_t number) {
        MemoryPlace place = locateUnit(number);
        return ElementSource{place.row, place.element};
      });
  return bitcastTo(builder, loc, result, tile.carrier);
}

void RowAccess::storeRows(Value value) {
  Tile row = getRowTile();
  Tile image = getUnitTile();
  value = bitcastTo(builder, loc, value, image.carrier);
  SmallVector<std::vector<int64_t>> numbers(
      memory.getNumRows(), std::vector<int64_t>(memory.getRowLength() / unit));
  for (int64_t number = 0; number < type.getNumElements() / unit; ++number) {
    MemoryPlace place = locateUnit(number);
    numbers[place.row][place.element] = number;
  }
  for (int64_t i = 0; i < memory.getNumRows(); ++i) {
    Value data = moveElements(
        builder, loc, style, value, image, row,
        [&](int64_t element) { return ElementSource{0, numbers[i][element]}; });
    style.storeRow(builder, loc, memory.getRow(i), data);
  }
}

//===----------------------------------------------------------------------===//
// Lane by lane
//===----------------------------------------------------------------------===//

/// Where each lane has unit `index`.
SmallVector<MemoryPlace> RowAccess::getLanePlaces(int64_t index) const {
  return llvm::map_to_vector(llvm::seq(style.getNumLanes()), [&](int64_t lane) {
    return memory.locate(tile.layout.getElement({lane, index * unit}));
  });
}

/// The units in groups that are side by side in memory, in every lane, and that
/// a lane accesses at once.
SmallVector<SmallVector<int64_t>> RowAccess::getRuns() const {
  int64_t count = tile.getNumSlots() / unit;
  auto places = llvm::map_to_vector(
      llvm::seq(count), [&](int64_t index) { return getLanePlaces(index); });
  auto order = llvm::to_vector(llvm::seq(count));
  llvm::stable_sort(order, [&](int64_t a, int64_t b) {
    return places[a].front() < places[b].front();
  });
  auto follows = [&](int64_t second, int64_t first) {
    return llvm::all_of(
        llvm::zip_equal(places[first], places[second]), [&](auto pair) {
          auto [a, b] = pair;
          return a.row == b.row && a.element + unit == b.element;
        });
  };
  SmallVector<SmallVector<int64_t>> runs;
  for (int64_t index : order) {
    if (runs.empty() || !follows(index, runs.back().back()) ||
        static_cast<int64_t>(runs.back().size()) * bits * unit >= kMaxLaneBits)
      runs.emplace_back();
    runs.back().push_back(index);
  }
  return runs;
}

void RowAccess::loadRun(ArrayRef<int64_t> run, MutableArrayRef<Value> units) {
  SmallVector<MemoryPlace> places = getLanePlaces(run.front());
  // Rows begin at a dword.
  int64_t unitBits = bits * unit, total = unitBits * run.size();
  int64_t wide = std::max<int64_t>(32, unitBits);
  bool inDwords =
      total % wide == 0 && llvm::all_of(places, [&](MemoryPlace place) {
        return place.element * bits % 32 == 0;
      });
  if (run.size() > 1 && !inDwords) {
    for (int64_t index : run)
      loadRun(index, units);
    return;
  }
  int64_t accessed = inDwords ? wide : unitBits;
  Type loaded =
      getVectorType(builder.getIntegerType(accessed), total / accessed);
  Value data = LLVM::LoadOp::create(
      builder, loc, loaded, memory.getLanePointer(places), accessed / 8);
  data = bitcastTo(builder, loc, data,
                   getVectorType(builder.getIntegerType(unitBits), run.size()));
  for (auto [index, value] :
       llvm::zip_equal(run, getElements(builder, loc, data)))
    units[index] = value;
}

Value RowAccess::loadLanes() {
  SmallVector<Value> units(tile.getNumSlots() / unit);
  for (ArrayRef<int64_t> run : getRuns())
    loadRun(run, units);
  Value image = buildVector(builder, loc, units);
  if (unit == tile.layout.getPack())
    return bitcastTo(builder, loc, image, tile.carrier);
  Type slots = getVectorType(tile.slot, tile.getNumSlots());
  return tile.pack(builder, loc, bitcastTo(builder, loc, image, slots));
}

void RowAccess::storeLanes(Value value) {
  SmallVector<Value> slots =
      getElements(builder, loc, tile.unpack(builder, loc, value));
  SmallVector<Value> pointers;
  for (int64_t slot = 0; slot < tile.getNumSlots(); ++slot)
    pointers.push_back(memory.getLanePointer(getLanePlaces(slot)));
  // Columns that several lanes hold are stored by one.
  Value isFirst =
      getLowLanes(builder, loc, style, tile.layout.getNumActiveLanes());
  emitPredicated(builder, loc, isFirst, {}, [&](OpBuilder &inside) {
    for (auto [slot, pointer] : llvm::zip_equal(slots, pointers))
      LLVM::StoreOp::create(inside, loc, slot, pointer);
    return SmallVector<Value>{};
  });
}

//===----------------------------------------------------------------------===//
// All elements at once
//===----------------------------------------------------------------------===//

SmallVector<MemoryPlace> RowAccess::getSlotPlaces() const {
  return llvm::map_to_vector(llvm::seq(tile.getNumSlots()), [&](int64_t slot) {
    return memory.locate(tile.layout.getElement({0, slot}));
  });
}

/// A column in each lane of a message. What the lanes get is the image of an
/// operand B, where dwords pack narrow elements of a column.
Value RowAccess::loadColumns() {
  int64_t wide = std::max<int64_t>(32, bits);
  int64_t perColumn = memory.getRowLength() * bits / wide;
  int64_t atOnce = std::min(perColumn, kMaxLaneBits / wide);
  Type element = builder.getIntegerType(wide);
  SmallVector<Value> pieces;
  for (int64_t column = 0; column < memory.getNumRows(); column += numLanes)
    for (int64_t i = 0; i < perColumn; i += atOnce) {
      auto places = llvm::map_to_vector(llvm::seq(numLanes), [&](int64_t lane) {
        return MemoryPlace{column + lane, i * wide / bits};
      });
      pieces.push_back(style.getTileMemory()->loadVectors(
          builder, loc, memory.getAddresses(places), element, atOnce,
          memory.getAddressSpace()));
    }
  Attribute packed;
  if (bits < wide)
    packed = OperandAttr::get(builder.getContext(), 1);
  Tile source = getTile(type.getShape(), bits, packed);
  Tile image = getTile(type.getShape(), bits, type.getEncoding());
  Value columns = bitcastTo(builder, loc, concatVectors(builder, loc, pieces),
                            source.carrier);
  Value result =
      moveElements(builder, loc, style, columns, source, image,
                   [](int64_t number) { return ElementSource{0, number}; });
  return bitcastTo(builder, loc, result, tile.carrier);
}

Value RowAccess::loadElements() {
  Value data = style.getTileMemory()->load(
      builder, loc, memory.getAddresses(getSlotPlaces()), /*mask=*/Value(),
      /*otherwise=*/Value(), builder.getIntegerType(bits),
      memory.getAddressSpace());
  return bitcastTo(builder, loc, data, tile.carrier);
}

void RowAccess::storeElements(Value value) {
  Type data = getVectorType(builder.getIntegerType(bits), tile.getNumSlots());
  style.getTileMemory()->store(
      builder, loc, memory.getAddresses(getSlotPlaces()), /*mask=*/Value(),
      bitcastTo(builder, loc, value, data), memory.getAddressSpace());
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct LoadRowsPattern : TilePattern<LoadRowsOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(LoadRowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getResult().getType();
    FailureOr<Tile> tile = getTile(type);
    if (failed(tile))
      return failure();
    MemoryRows memory(rewriter, op.getLoc(), style, type, tile->slot,
                      adaptor.getStart(), op.getPitch(),
                      {op.getTransposed(), op.getPacked()});
    rewriter.replaceOp(op, RowAccess(rewriter, op.getLoc(), lowering, converter,
                                     type, *tile, memory)
                               .load());
    return success();
  }
};

struct StoreRowsPattern : TilePattern<StoreRowsOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(StoreRowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getValue().getType();
    FailureOr<Tile> tile = getTile(type);
    if (failed(tile))
      return failure();
    Location loc = op.getLoc();
    MemoryRows memory(rewriter, loc, style, type, tile->slot,
                      adaptor.getStart(), op.getPitch(),
                      {/*transposed=*/false, op.getPacked()});
    Value value = adaptor.getValue();
    if (op.getPacked() > 1) {
      // In the image of operand B, packed rows are in one register.
      type = type.cloneWithEncoding(
          OperandAttr::get(op.getContext(), /*index=*/1));
      Tile packed = *converter.getTile(type);
      value =
          moveElements(rewriter, loc, style, value, *tile, packed,
                       [](int64_t number) { return ElementSource{0, number}; });
      tile = packed;
    }
    RowAccess(rewriter, loc, lowering, converter, type, *tile, memory)
        .store(value);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlt::populateRowPatterns(const PatternArguments &arguments) {
  arguments.add<LoadRowsPattern, StoreRowsPattern>();
}
