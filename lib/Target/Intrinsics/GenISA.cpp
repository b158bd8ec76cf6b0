//===- GenISA.cpp - codes of IGC's internal intrinsics --------------------===//
//
// The tables behind GenISA.h. Integer precisions agree between generations,
// float precisions do not; code 9 alone means bf16 on one and f64 on the other.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/GenISA.h"

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;
using xevm::LoadCacheControl;
using xevm::StoreCacheControl;

namespace {
struct PrecisionCode {
  ElemType type;
  int32_t old;
  int32_t current;
};
} // namespace

static constexpr PrecisionCode kPrecisionCodes[] = {
    {ElemType::U8, 1, 1},    {ElemType::U4, 2, 2},    {ElemType::S8, 4, 4},
    {ElemType::S4, 5, 5},    {ElemType::TF32, 8, 10}, {ElemType::BF16, 9, 11},
    {ElemType::F16, 10, 12},
};

std::optional<GenISAGeneration> mlt::symbolizeGenISAGeneration(StringRef name) {
  return llvm::StringSwitch<std::optional<GenISAGeneration>>(name)
      .Case("old", GenISAGeneration::Old)
      .Case("current", GenISAGeneration::Current)
      .Default(std::nullopt);
}

StringRef mlt::stringifyGenISAGeneration(GenISAGeneration generation) {
  return generation == GenISAGeneration::Old ? "old" : "current";
}

std::optional<GenISAGeneration> mlt::lookupGenISAGeneration(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(kGenISAGenerationAttr);
  return name ? symbolizeGenISAGeneration(name.getValue()) : std::nullopt;
}

static int32_t getCode(GenISAGeneration generation,
                       const PrecisionCode &entry) {
  return generation == GenISAGeneration::Old ? entry.old : entry.current;
}

std::optional<int32_t> mlt::getDpasPrecisionCode(GenISAGeneration generation,
                                                 ElemType type) {
  for (const PrecisionCode &entry : kPrecisionCodes)
    if (entry.type == type)
      return getCode(generation, entry);
  return std::nullopt;
}

std::optional<ElemType> mlt::getDpasPrecision(GenISAGeneration generation,
                                              int64_t code) {
  for (const PrecisionCode &entry : kPrecisionCodes)
    if (getCode(generation, entry) == code)
      return entry.type;
  return std::nullopt;
}

std::optional<int32_t>
mlt::getCacheCode(std::optional<LoadCacheControl> control) {
  if (!control)
    return 0;
  // L2 of the enumeration does not exist in LSC messages.
  switch (*control) {
  case LoadCacheControl::L1UC_L2UC_L3UC:
  case LoadCacheControl::L1UC_L2C_L3UC:
    return 1;
  case LoadCacheControl::L1UC_L2UC_L3C:
  case LoadCacheControl::L1UC_L2C_L3C:
    return 2;
  case LoadCacheControl::L1C_L2UC_L3UC:
  case LoadCacheControl::L1C_L2C_L3UC:
    return 3;
  case LoadCacheControl::L1C_L2UC_L3C:
  case LoadCacheControl::L1C_L2C_L3C:
    return 4;
  case LoadCacheControl::L1S_L2UC_L3UC:
  case LoadCacheControl::L1S_L2C_L3UC:
    return 5;
  case LoadCacheControl::L1S_L2UC_L3C:
  case LoadCacheControl::L1S_L2C_L3C:
    return 6;
  case LoadCacheControl::INVALIDATE_READ:
    return 7;
  }
  return std::nullopt;
}

std::optional<int32_t>
mlt::getCacheCode(std::optional<StoreCacheControl> control) {
  if (!control)
    return 0;
  switch (*control) {
  case StoreCacheControl::L1UC_L2UC_L3UC:
  case StoreCacheControl::L1UC_L2WB_L3UC:
    return 1;
  case StoreCacheControl::L1UC_L2UC_L3WB:
  case StoreCacheControl::L1UC_L2WB_L3WB:
    return 2;
  case StoreCacheControl::L1WT_L2UC_L3UC:
  case StoreCacheControl::L1WT_L2WB_L3UC:
    return 3;
  case StoreCacheControl::L1WT_L2UC_L3WB:
  case StoreCacheControl::L1WT_L2WB_L3WB:
    return 4;
  case StoreCacheControl::L1S_L2UC_L3UC:
  case StoreCacheControl::L1S_L2WB_L3UC:
    return 5;
  case StoreCacheControl::L1S_L2UC_L3WB:
  case StoreCacheControl::L1S_L2WB_L3WB:
    return 6;
  case StoreCacheControl::L1WB_L2UC_L3WB:
    return 7;
  case StoreCacheControl::L1WB_L2UC_L3UC:
  case StoreCacheControl::L1WB_L2WB_L3UC:
    return std::nullopt;
  }
  return std::nullopt;
}
