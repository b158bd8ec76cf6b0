//===- ExchangeBits.cpp - transposes between lanes and registers ----------===//
//
// A transpose moves every element to another lane. Taken slot by slot that is a
// broadcast and a selection per lane: 256 of each for 16x16 elements. But what
// it does is to exchange bits of the lane number with bits of the slot number,
// and one such exchange is one shuffle for two slots: four times 8 shuffles.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/ExchangeBits.h"
#include "Conversion/TritonGPUToLLVM/MoveElements.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// A bit of a place's number: of its lane or of its slot.
struct PlaceBits {
  uint64_t lane = 0, slot = 0;
};

/// How a lane bit of the result comes about.
struct Exchange {
  unsigned laneBit;
  /// The source's slot bit that it is.
  unsigned slotBit;
  /// The source has the same element in lanes that differ in this bit: lanes
  /// choose between slots, nothing moves.
  bool chooses;
};

class BitExchanger {
public:
  BitExchanger(OpBuilder &builder, Location loc, const CodeGenStyle &style,
               ArrayRef<Value> slots)
      : builder(builder), loc(loc), style(style), current(slots),
        laneBits(llvm::Log2_64(style.getNumLanes())),
        sourceSlotBits(llvm::Log2_64(slots.size())) {}

  /// Finds out what to exchange. `placeOf` says where a place of the result
  /// finds its element, in the lowest lane that has it; lanes that differ in
  /// the bits `free` have the same elements.
  LogicalResult analyze(int64_t numResults, uint64_t free,
                        function_ref<Place(Place)> placeOf);
  SmallVector<Value> run();

private:
  LogicalResult readColumns(int64_t numResults, uint64_t free,
                            function_ref<Place(Place)> placeOf);
  LogicalResult planLaneBit(unsigned bit, uint64_t free);
  Value hasBit(unsigned laneBit) {
    Value &mask = masks[laneBit];
    if (!mask) {
      uint64_t lanes = 0;
      for (int64_t lane : llvm::seq<int64_t>(0, style.getNumLanes()))
        lanes |= static_cast<uint64_t>(lane >> laneBit & 1) << lane;
      mask = getLaneMask(builder, loc, style, lanes);
    }
    return mask;
  }
  Value select(unsigned laneBit, Value whenSet, Value whenClear) {
    if (whenSet == whenClear)
      return whenSet;
    return LLVM::SelectOp::create(builder, loc, hasBit(laneBit), whenSet,
                                  whenClear);
  }
  void apply(const Exchange &exchange);

  OpBuilder &builder;
  Location loc;
  const CodeGenStyle &style;
  SmallVector<Value> current;
  unsigned laneBits, sourceSlotBits;

  /// What each bit of a result's lane and slot adds to the source's place.
  SmallVector<PlaceBits> ofLaneBit, ofSlotBit;
  SmallVector<Exchange> exchanges;
  /// The slot bit of the source's values, after all exchanges, that each slot
  /// bit of the result is.
  SmallVector<unsigned> resultBits;
  llvm::SmallDenseMap<unsigned, Value> masks;
  /// Slot bits that are gone, because lanes have chosen.
  int64_t chosen = 0;
};
} // namespace

LogicalResult BitExchanger::readColumns(int64_t numResults, uint64_t free,
                                        function_ref<Place(Place)> placeOf) {
  auto locate = [&](int64_t lane, int64_t slot) -> PlaceBits {
    Place place = placeOf({lane, slot});
    return {static_cast<uint64_t>(place.lane) |
                (static_cast<uint64_t>(lane) & free),
            static_cast<uint64_t>(place.slot)};
  };
  for (unsigned bit : llvm::seq(laneBits))
    ofLaneBit.push_back(locate(int64_t(1) << bit, 0));
  for (unsigned bit : llvm::seq<unsigned>(0, llvm::Log2_64(numResults)))
    ofSlotBit.push_back(locate(0, int64_t(1) << bit));
  // Every place has to be the sum of its bits.
  for (int64_t slot : llvm::seq<int64_t>(0, numResults))
    for (int64_t lane : llvm::seq<int64_t>(0, style.getNumLanes())) {
      PlaceBits expected;
      auto add = [&](int64_t number, ArrayRef<PlaceBits> bits) {
        for (auto [index, bit] : llvm::enumerate(bits))
          if (number >> index & 1) {
            expected.lane ^= bit.lane;
            expected.slot ^= bit.slot;
          }
      };
      add(lane, ofLaneBit);
      add(slot, ofSlotBit);
      PlaceBits actual = locate(lane, slot);
      if (actual.lane != expected.lane || actual.slot != expected.slot)
        return failure();
    }
  return success();
}

LogicalResult BitExchanger::planLaneBit(unsigned bit, uint64_t free) {
  PlaceBits source = ofLaneBit[bit];
  uint64_t own = uint64_t(1) << bit;
  if (source.slot == 0 && source.lane == own)
    return success();
  bool chooses = (free & own) != 0;
  if (chooses ? source.lane != own || !llvm::isPowerOf2_64(source.slot)
              : source.lane != 0)
    return failure();
  if (chooses) {
    exchanges.push_back({bit, llvm::Log2_64(source.slot), true});
    return success();
  }
  auto taker = llvm::find_if(ofSlotBit, [&](const PlaceBits &slotBit) {
    return slotBit.slot == 0 && slotBit.lane == own;
  });
  if (taker == ofSlotBit.end())
    return failure();
  unsigned slotBit = llvm::Log2_64(current.size());
  if (llvm::isPowerOf2_64(source.slot))
    slotBit = llvm::Log2_64(source.slot);
  else if (source.slot == 0) // Lanes of the result hold the same: a new bit.
    current.append(SmallVector<Value>(current));
  else
    return failure();
  exchanges.push_back({bit, slotBit, false});
  resultBits[taker - ofSlotBit.begin()] = slotBit;
  return success();
}

LogicalResult BitExchanger::analyze(int64_t numResults, uint64_t free,
                                    function_ref<Place(Place)> placeOf) {
  if (!llvm::isPowerOf2_64(current.size()) ||
      !llvm::isPowerOf2_64(numResults) ||
      failed(readColumns(numResults, free, placeOf)))
    return failure();
  resultBits.assign(ofSlotBit.size(), ~0u);
  for (auto [result, source] : llvm::zip_equal(resultBits, ofSlotBit))
    if (source.lane == 0 && llvm::isPowerOf2_64(source.slot))
      result = llvm::Log2_64(source.slot);
  for (unsigned bit : llvm::seq(laneBits))
    if (failed(planLaneBit(bit, free)))
      return failure();
  // A slot that takes from one slot or two is better served by itself.
  if (llvm::count_if(exchanges, [&](const Exchange &exchange) {
        return exchange.slotBit < sourceSlotBits;
      }) < 2)
    return failure();
  // Each bit of the source goes to one place.
  uint64_t used = 0;
  auto use = [&](unsigned bit) {
    bool isNew = bit < 64 && (used >> bit & 1) == 0;
    used |= bit < 64 ? uint64_t(1) << bit : 0;
    return isNew;
  };
  for (const Exchange &exchange : exchanges)
    if (exchange.chooses && !use(exchange.slotBit))
      return failure();
  return success(llvm::all_of(resultBits, use));
}

void BitExchanger::apply(const Exchange &exchange) {
  int64_t step = int64_t(1) << exchange.slotBit;
  for (int64_t low : llvm::seq<int64_t>(0, current.size())) {
    if (low & (step | chosen))
      continue;
    Value &first = current[low], &second = current[low | step];
    if (exchange.chooses) {
      first = select(exchange.laneBit, second, first);
      continue;
    }
    // Every lane sends what the other one takes.
    Value sent = select(exchange.laneBit, first, second);
    Value received =
        style.shuffleXor(builder, loc, sent, int64_t(1) << exchange.laneBit);
    Value newFirst = select(exchange.laneBit, received, first);
    second = select(exchange.laneBit, second, received);
    first = newFirst;
  }
  if (exchange.chooses)
    chosen |= step;
}

SmallVector<Value> BitExchanger::run() {
  // Choices first: they halve what is left to move.
  llvm::stable_sort(exchanges, [](const Exchange &a, const Exchange &b) {
    return a.chooses > b.chooses;
  });
  for (const Exchange &exchange : exchanges)
    apply(exchange);
  SmallVector<Value> results;
  for (int64_t slot : llvm::seq<int64_t>(0, int64_t(1) << resultBits.size())) {
    int64_t index = 0;
    for (auto [bit, source] : llvm::enumerate(resultBits))
      index |= (slot >> bit & 1) << source;
    results.push_back(current[index]);
  }
  return results;
}

/// Bits of the lane number that make no difference to what a lane holds.
static uint64_t getFreeLaneBits(int64_t numLanes, const Tile &tile) {
  uint64_t free = 0;
  for (int64_t bit = 1; bit < numLanes; bit *= 2) {
    bool same = true;
    for (int64_t slot : llvm::seq<int64_t>(0, tile.getNumSlots()))
      for (int64_t lane : llvm::seq<int64_t>(0, numLanes))
        same &= tile.layout.getElement({lane, slot}) ==
                tile.layout.getElement({lane ^ bit, slot});
    free |= same ? bit : 0;
  }
  return free;
}

std::optional<SmallVector<Value>>
mlt::exchangeBits(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                  ArrayRef<Value> slots, const Tile &from, int64_t numResults,
                  function_ref<Place(Place)> placeOf) {
  BitExchanger exchanger(builder, loc, style, slots);
  if (failed(exchanger.analyze(
          numResults, getFreeLaneBits(style.getNumLanes(), from), placeOf)))
    return std::nullopt;
  return exchanger.run();
}
