//===- MoveElements.cpp - moves elements between lanes and registers ------===//
//
// Extracting pieces, broadcasting, transposing, reshaping and converting to the
// register image of an operand are all the same thing: every place of the
// result names the element it holds, the lane table names the place where the
// source has it. This routine does the move, so that each of those lowerings is
// a map between element numbers.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "Conversion/TritonGPUToLLVM/ExchangeBits.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <map>

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Values that depend on the lane
//===----------------------------------------------------------------------===//

Value mlt::getLowLanes(OpBuilder &builder, Location loc,
                       const CodeGenStyle &style, int64_t count) {
  if (count >= style.getNumLanes())
    return Value();
  Value lane = style.getLaneId(builder, loc);
  Value bound = createConstant(builder, loc, lane.getType(), count);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, lane,
                              bound);
}

Value mlt::getLaneMask(OpBuilder &builder, Location loc,
                       const CodeGenStyle &style, uint64_t lanes) {
  int64_t numLanes = style.getNumLanes();
  if (lanes == llvm::maskTrailingOnes<uint64_t>(numLanes))
    return Value();
  if (llvm::isMask_64(lanes))
    return getLowLanes(builder, loc, style, llvm::countr_one(lanes));
  Value lane = style.getLaneId(builder, loc);
  Type type = lane.getType();
  auto isSet = [&](Value value, int64_t bit) -> Value {
    Value mask = createConstant(builder, loc, type, bit);
    Value masked = LLVM::AndOp::create(builder, loc, value, mask);
    Value zero = createConstant(builder, loc, type, 0);
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, masked,
                                zero);
  };
  // Lanes in which one bit of the lane id is set.
  for (int64_t bit = 1; bit < numLanes; bit *= 2) {
    uint64_t expected = 0;
    for (int64_t l = 0; l < numLanes; ++l)
      expected |= static_cast<uint64_t>((l & bit) != 0) << l;
    if (lanes == expected)
      return isSet(lane, bit);
  }
  Value table = createConstant(builder, loc, type, lanes);
  Value shifted = LLVM::LShrOp::create(builder, loc, table, lane);
  return isSet(shifted, 1);
}

Value mlt::getLaneTable(OpBuilder &builder, Location loc,
                        const CodeGenStyle &style, ArrayRef<int64_t> values,
                        Type type) {
  if (llvm::all_equal(values))
    return createConstant(builder, loc, type, values.front());
  Value lane = style.getLaneId(builder, loc);
  unsigned width = type.getIntOrFloatBitWidth();
  // An affine function of the lane id, if only after wrapping around.
  uint64_t first = values[0], step = static_cast<uint64_t>(values[1]) - first;
  bool affine = true;
  for (auto [index, value] : llvm::enumerate(values))
    affine &= static_cast<uint64_t>(value) == first + index * step;
  if (affine && width > 4) {
    if (width < 32)
      lane = LLVM::TruncOp::create(builder, loc, type, lane);
    else if (width > 32)
      lane = LLVM::ZExtOp::create(builder, loc, type, lane);
    if (step != 1)
      lane = LLVM::MulOp::create(builder, loc, lane,
                                 createConstant(builder, loc, type, step));
    if (values[0] == 0)
      return lane;
    return LLVM::AddOp::create(builder, loc, lane,
                               createConstant(builder, loc, type, values[0]));
  }
  // Numbers below 16: nibbles of one constant.
  Type i64 = builder.getI64Type();
  bool nibbles = values.size() <= 16 && llvm::all_of(values, [](int64_t v) {
                   return v >= 0 && v < 16;
                 });
  if (nibbles && width == 32) {
    uint64_t packed = 0;
    for (auto [index, value] : llvm::enumerate(values))
      packed |= static_cast<uint64_t>(value) << (4 * index);
    Value table = createConstant(builder, loc, i64, packed);
    Value wide = LLVM::ZExtOp::create(builder, loc, i64, lane);
    Value shift = LLVM::ShlOp::create(builder, loc, wide,
                                      createConstant(builder, loc, i64, 2));
    Value shifted = LLVM::LShrOp::create(builder, loc, table, shift);
    Value low = LLVM::TruncOp::create(builder, loc, type, shifted);
    return LLVM::AndOp::create(builder, loc, low,
                               createConstant(builder, loc, type, 15));
  }
  Value result;
  std::map<int64_t, uint64_t> lanesOf;
  for (auto [index, value] : llvm::enumerate(values))
    lanesOf[value] |= uint64_t(1) << index;
  for (auto [value, lanes] : lanesOf) {
    Value constant = createConstant(builder, loc, type, value);
    result = result ? LLVM::SelectOp::create(
                          builder, loc, getLaneMask(builder, loc, style, lanes),
                          constant, result)
                          .getResult()
                    : constant;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

namespace {
/// For each slot of the result, where each lane finds its element.
using SlotSources = SmallVector<Place, 16>;

class ElementMover {
public:
  ElementMover(OpBuilder &builder, Location loc, const CodeGenStyle &style,
               ArrayRef<Value> slots)
      : builder(builder), loc(loc), style(style), slots(slots) {}

  Value gather(const SlotSources &sources);

private:
  /// Slot `slot`, moved so that lane l of the result has lane `lanes[l]` of the
  /// source; -1: does not matter.
  Value move(int64_t slot, ArrayRef<int64_t> lanes);
  Value moveUncached(Value value, ArrayRef<int64_t> lanes);
  /// `sources` by one regrouping of two slots; null when they are none.
  Value regroup(const SlotSources &sources);

  OpBuilder &builder;
  Location loc;
  const CodeGenStyle &style;
  ArrayRef<Value> slots;
  std::map<std::pair<int64_t, std::vector<int64_t>>, Value> moved;
  /// By first slot, second slot and width.
  std::map<std::array<int64_t, 3>, std::pair<Value, Value>> regrouped;
};
} // namespace

Value ElementMover::moveUncached(Value value, ArrayRef<int64_t> lanes) {
  bool stays = true;
  int64_t single = -1, mask = -1;
  bool isSingle = true, isXor = true;
  for (auto [index, from] : llvm::enumerate(lanes)) {
    if (from < 0)
      continue;
    int64_t lane = index;
    stays &= from == lane;
    isSingle &= single < 0 || single == from;
    single = from;
    isXor &= mask < 0 || mask == (from ^ lane);
    mask = from ^ lane;
  }
  if (stays)
    return value;
  if (isSingle)
    return style.broadcast(builder, loc, value, single);
  if (isXor)
    return style.shuffleXor(builder, loc, value, mask);
  auto table = llvm::map_to_vector(
      lanes, [](int64_t lane) { return std::max<int64_t>(lane, 0); });
  Value index = getLaneTable(builder, loc, style, table, builder.getI32Type());
  return style.shuffle(builder, loc, value, index);
}

Value ElementMover::move(int64_t slot, ArrayRef<int64_t> lanes) {
  auto [it, isNew] = moved.try_emplace({slot, lanes.vec()});
  if (isNew)
    it->second = moveUncached(slots[slot], lanes);
  return it->second;
}

Value ElementMover::regroup(const SlotSources &sources) {
  int64_t numLanes = sources.size(), first = sources.front().slot,
          second = sources.back().slot;
  if (first == second || !style.canRegroup(slots[first].getType()))
    return Value();
  auto matches = [&](int64_t width, bool odd) {
    return llvm::all_of(llvm::enumerate(sources), [&](const auto &entry) {
      int64_t lane = entry.index();
      int64_t from = (2 * (lane / width) + odd) * width + lane % width;
      return entry.value() ==
             Place{from % numLanes, from < numLanes ? first : second};
    });
  };
  for (int64_t width = 1; width < numLanes; width *= 2)
    for (bool odd : {false, true}) {
      if (!matches(width, odd))
        continue;
      auto [it, isNew] = regrouped.try_emplace({first, second, width});
      if (isNew)
        it->second =
            *style.regroup(builder, loc, slots[first], slots[second], width);
      return odd ? it->second.second : it->second.first;
    }
  return Value();
}

Value ElementMover::gather(const SlotSources &sources) {
  if (Value value = regroup(sources))
    return value;
  SmallVector<int64_t> slotsUsed;
  for (Place place : sources)
    if (!llvm::is_contained(slotsUsed, place.slot))
      slotsUsed.push_back(place.slot);
  Value result;
  for (int64_t slot : slotsUsed) {
    SmallVector<int64_t> lanes;
    uint64_t users = 0;
    for (auto [index, place] : llvm::enumerate(sources)) {
      lanes.push_back(place.slot == slot ? place.lane : -1);
      users |= static_cast<uint64_t>(place.slot == slot) << index;
    }
    Value value = move(slot, lanes);
    result = result ? LLVM::SelectOp::create(
                          builder, loc, getLaneMask(builder, loc, style, users),
                          value, result)
                          .getResult()
                    : value;
  }
  return result;
}

/// Where the lanes find the elements of `slot` of the result: all in their own
/// lane if they can, else in the lowest lane that has it, so that lanes with
/// the same element ask the same lane. Slots of several sources are numbered
/// one after another.
static SlotSources
getSlotSources(int64_t numLanes, const Tile &from, const Tile &to, int64_t slot,
               function_ref<ElementSource(int64_t)> sourceOf) {
  SlotSources own, lowest;
  bool allStay = true;
  for (int64_t lane = 0; lane < numLanes; ++lane) {
    ElementSource source = sourceOf(to.layout.getElement({lane, slot}));
    int64_t firstSlot = source.tile * from.getNumSlots();
    for (auto *places : {&own, &lowest}) {
      int64_t preferred = places == &own ? lane : 0;
      Place place = from.layout.getPlace(source.element, preferred);
      places->push_back({place.lane, place.slot + firstSlot});
    }
    allStay &= own.back().lane == lane;
  }
  return allStay ? own : lowest;
}

/// The source slot of every slot of the result when no element changes lanes
/// and all lanes agree; nullopt otherwise.
static std::optional<SmallVector<int64_t>>
getSlotPermutation(ArrayRef<SlotSources> sources) {
  SmallVector<int64_t> result;
  for (const SlotSources &places : sources) {
    for (auto [lane, place] : llvm::enumerate(places))
      if (place.lane != static_cast<int64_t>(lane) ||
          place.slot != places.front().slot)
        return std::nullopt;
    result.push_back(places.front().slot);
  }
  return result;
}

/// The permutation of registers that a permutation of slots amounts to, or
/// nullopt when registers are taken apart.
static std::optional<SmallVector<int64_t>>
getRegisterPermutation(ArrayRef<int64_t> slots, int64_t pack) {
  SmallVector<int64_t> result;
  for (size_t begin = 0; begin < slots.size(); begin += pack) {
    if (slots[begin] % pack != 0)
      return std::nullopt;
    for (int64_t i = 0; i < pack; ++i)
      if (slots[begin + i] != slots[begin] + i)
        return std::nullopt;
    result.push_back(slots[begin] / pack);
  }
  return result;
}

/// Elements `indices` of `sources` where slices of them alternate in dwords, as
/// the rows of an operand B do; null elsewhere.
static Value interleaveFrom(OpBuilder &builder, Location loc,
                            const CodeGenStyle &style, ArrayRef<Value> sources,
                            ArrayRef<int64_t> indices) {
  constexpr int64_t width = 16;
  Type type = sources.front().getType();
  int64_t length = getVectorLength(type);
  unsigned bits = getUnitType(type).getIntOrFloatBitWidth();
  if (bits != 8 && bits != 16)
    return Value();
  int64_t ways = 32 / bits, group = ways * width, count = indices.size();
  if (count % group != 0)
    return Value();
  for (int64_t i = 0; i < count; ++i) {
    int64_t first = indices[i / group * group + i % ways];
    if (indices[i] != first + i % group / ways ||
        indices[i] / length != first / length)
      return Value();
  }
  SmallVector<Value> pieces;
  for (int64_t begin = 0; begin < count; begin += group) {
    auto parts =
        llvm::map_to_vector(indices.slice(begin, ways), [&](int64_t first) {
          auto slice = llvm::to_vector(
              llvm::seq(first % length, first % length + width));
          return style.select(builder, loc, sources[first / length], slice);
        });
    Value piece = style.interleave(builder, loc, parts);
    if (!piece)
      return Value();
    pieces.push_back(piece);
  }
  return concatVectors(builder, loc, pieces);
}

/// Elements `indices` of `sources` one after another, all of one type. Whole
/// tiles take runs that lie in one source from it alone, so that no large
/// vector is built only to be taken apart.
static Value selectFrom(OpBuilder &builder, Location loc,
                        const CodeGenStyle &style, ArrayRef<Value> sources,
                        ArrayRef<int64_t> indices) {
  if (Value result = interleaveFrom(builder, loc, style, sources, indices))
    return result;
  int64_t length = getVectorLength(sources.front().getType());
  int64_t run = indices.size();
  auto isInOne = [&](int64_t begin) {
    return llvm::all_of(indices.slice(begin, run), [&](int64_t index) {
      return index / length == indices[begin] / length;
    });
  };
  auto runs = [&] { return llvm::seq<int64_t>(0, indices.size() / run); };
  while (run > 1 && run % 2 == 0 &&
         !llvm::all_of(runs(), [&](int64_t i) { return isInOne(i * run); }))
    run /= 2;
  if (style.getNumLanes() > 1 || (run == 1 && indices.size() > 1))
    return style.select(builder, loc, concatVectors(builder, loc, sources),
                        indices);
  SmallVector<Value> pieces;
  for (int64_t i : runs()) {
    auto local =
        llvm::map_to_vector(indices.slice(i * run, run),
                            [&](int64_t index) { return index % length; });
    pieces.push_back(
        style.select(builder, loc, sources[indices[i * run] / length], local));
  }
  return concatVectors(builder, loc, pieces);
}

Value mlt::moveElements(OpBuilder &builder, Location loc,
                        const CodeGenStyle &style, ArrayRef<Value> sources,
                        const Tile &from, const Tile &to,
                        function_ref<ElementSource(int64_t)> sourceOf) {
  std::vector<SlotSources> places(to.getNumSlots());
  for (auto [slot, lanes] : llvm::enumerate(places))
    lanes = getSlotSources(style.getNumLanes(), from, to, slot, sourceOf);

  int64_t pack = to.layout.getPack();
  if (auto slots = getSlotPermutation(places)) {
    if (from.layout.getPack() == pack)
      if (auto registers = getRegisterPermutation(*slots, pack))
        return selectFrom(builder, loc, style, sources, *registers);
    auto unpacked = llvm::map_to_vector(sources, [&](Value source) {
      return from.unpack(builder, loc, source);
    });
    return to.pack(builder, loc,
                   selectFrom(builder, loc, style, unpacked, *slots));
  }

  SmallVector<Value> slots;
  for (Value source : sources)
    llvm::append_range(
        slots, getElements(builder, loc, from.unpack(builder, loc, source)));
  auto lowestPlace = [&](Place place) {
    ElementSource source = sourceOf(to.layout.getElement(place));
    Place found = from.layout.getPlace(source.element, 0);
    return Place{found.lane, found.slot + source.tile * from.getNumSlots()};
  };
  if (auto results = exchangeBits(builder, loc, style, slots, from,
                                  to.getNumSlots(), lowestPlace))
    return to.pack(builder, loc, buildVector(builder, loc, *results));
  ElementMover mover(builder, loc, style, slots);
  SmallVector<Value> results;
  for (const SlotSources &lanes : places)
    results.push_back(mover.gather(lanes));
  return to.pack(builder, loc, buildVector(builder, loc, results));
}
