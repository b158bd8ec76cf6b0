//===- VC.cpp - intrinsics of the vector backend --------------------------===//
//
// The tables behind VC.h.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/VC.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;

namespace {
struct PrecisionCode {
  ElemType type;
  int32_t code;
};
} // namespace

static constexpr PrecisionCode kPrecisionCodes[] = {
    {ElemType::U8, 7},   {ElemType::S8, 8},    {ElemType::BF16, 9},
    {ElemType::F16, 10}, {ElemType::TF32, 12},
};

std::optional<int32_t> mlt::getVCPrecisionCode(ElemType type) {
  for (const PrecisionCode &entry : kPrecisionCodes)
    if (entry.type == type)
      return entry.code;
  return std::nullopt;
}

std::optional<ElemType> mlt::getVCPrecision(int64_t code) {
  for (const PrecisionCode &entry : kPrecisionCodes)
    if (entry.code == code)
      return entry.type;
  return std::nullopt;
}

int64_t mlt::getVCDataSize(int64_t bits) { return llvm::Log2_64(bits) - 2; }

namespace {
struct ElementSize {
  unsigned bits;
  int64_t code;
};
} // namespace

static constexpr ElementSize kElementSizes[] = {
    {8, 5}, {16, 6}, {32, 3}, {64, 4}};

int64_t mlt::getVCElementSize(int64_t bits) {
  return llvm::find_if(kElementSizes,
                       [&](ElementSize size) { return size.bits == bits; })
      ->code;
}

std::optional<unsigned> mlt::getVCElementBits(int64_t code) {
  for (ElementSize size : kElementSizes)
    if (size.code == code)
      return size.bits;
  return std::nullopt;
}

/// Elements per address by code.
static constexpr unsigned kVectorLengths[] = {0, 1, 2, 3, 4, 8, 16, 32, 64};

std::optional<int64_t> mlt::getVCVectorSize(int64_t count) {
  const unsigned *found = std::find(std::begin(kVectorLengths) + 1,
                                    std::end(kVectorLengths), count);
  if (found == std::end(kVectorLengths))
    return std::nullopt;
  return found - std::begin(kVectorLengths);
}

std::optional<unsigned> mlt::getVCVectorLength(int64_t code) {
  if (code < 1 || code >= static_cast<int64_t>(std::size(kVectorLengths)))
    return std::nullopt;
  return kVectorLengths[code];
}

int64_t mlt::getSharedBytes(LLVM::LLVMFuncOp kernel) {
  int64_t bytes = 0;
  for (Attribute attr : kernel.getPassthroughAttr()
                            ? kernel.getPassthroughAttr().getValue()
                            : ArrayRef<Attribute>()) {
    auto pair = dyn_cast<ArrayAttr>(attr);
    auto name =
        pair && pair.size() == 2 ? dyn_cast<StringAttr>(pair[0]) : StringAttr();
    auto value = name ? dyn_cast<StringAttr>(pair[1]) : StringAttr();
    if (value && name.getValue() == kVCSharedAttr)
      (void)value.getValue().getAsInteger(10, bytes);
  }
  return bytes;
}

bool mlt::usesVectorCompute(ModuleOp module) {
  return llvm::any_of(
      module.getOps<LLVM::LLVMFuncOp>(), [](LLVM::LLVMFuncOp function) {
        ArrayAttr attributes = function.getPassthroughAttr();
        return attributes && llvm::any_of(attributes, [](Attribute attr) {
                 auto name = dyn_cast<StringAttr>(attr);
                 return name && name.getValue() == kVCFunctionAttr;
               });
      });
}
