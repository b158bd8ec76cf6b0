//===- VCBuilder.cpp - calls of the vector backend's intrinsics -----------===//
//
// Operand orders as both generations of the compiler want them; VC.h names the
// operands for those who read the calls.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/VCBuilder.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"

using namespace mlir;
using namespace mlir::mlt;

Value VCBuilder::call(StringRef stem, TypeRange overloads, Type result,
                      ValueRange args, DeviceEffects effects) const {
  std::string name = getOverloadedName((kVCPrefix + stem).str(), overloads);
  FailureOr<LLVM::CallOp> call = createDeviceCall(
      builder, loc, name, result, args, effects, /*convergent=*/false);
  if (!result)
    return Value();
  // Fails, after an error, only if the kernel itself has the intrinsic's name.
  if (failed(call))
    return LLVM::PoisonOp::create(builder, loc, result);
  return call->getResult();
}

Value VCBuilder::constant(unsigned bits, int64_t value) const {
  return createConstant(builder, loc, builder.getIntegerType(bits), value);
}

Value VCBuilder::getTrue(int64_t count) const {
  auto type = VectorType::get({count}, builder.getI1Type());
  return LLVM::ConstantOp::create(builder, loc, type,
                                  DenseElementsAttr::get(type, /*value=*/true));
}

void VCBuilder::fence(VCPort port, VCFenceOp op, VCScope scope) const {
  Value predicate = getTrue();
  auto code = [&](auto value) {
    return constant(8, static_cast<int64_t>(value));
  };
  call("lsc.fence", predicate.getType(), {},
       {predicate, code(port), code(op), code(scope)},
       DeviceEffects::ReadWriteMemory);
}

//===----------------------------------------------------------------------===//
// Messages with an address per element
//===----------------------------------------------------------------------===//

/// "lsc.load" + ".stateless" or ".slm".
static std::string getStem(StringRef stem, VCPort port) {
  return (stem + (port == VCPort::Shared ? ".slm" : ".stateless")).str();
}

SmallVector<Value> VCBuilder::getAddressedArgs(int64_t op, unsigned elementBits,
                                               Value addresses, Value predicate,
                                               int64_t perAddress,
                                               int64_t order) const {
  if (!predicate)
    predicate = getTrue(getVectorLength(addresses.getType()));
  return {predicate,
          constant(8, op),
          constant(8, kVCCacheDefault),
          constant(8, kVCCacheDefault),
          constant(16, /*address scale=*/1),
          constant(32, /*offset=*/0),
          constant(8, getVCElementSize(elementBits)),
          constant(8, *getVCVectorSize(perAddress)),
          constant(8, order),
          constant(8, /*channel mask=*/0),
          addresses};
}

Value VCBuilder::load(VCPort port, unsigned elementBits, Value addresses,
                      Value predicate, Type data, int64_t perAddress) const {
  SmallVector<Value> args = getAddressedArgs(kVCOpLoad, elementBits, addresses,
                                             predicate, perAddress);
  TypeRange types = ValueRange(args).getTypes();
  std::array<Type, 3> overloads = {data, types.front(), types.back()};
  args.push_back(constant(32, /*surface=*/0));
  return call(getStem("lsc.load", port), overloads, data, args,
              DeviceEffects::ReadMemory);
}

void VCBuilder::store(VCPort port, unsigned elementBits, Value addresses,
                      Value predicate, Value data) const {
  SmallVector<Value> args =
      getAddressedArgs(kVCOpStore, elementBits, addresses, predicate);
  std::array<Type, 3> overloads = {args.front().getType(), addresses.getType(),
                                   data.getType()};
  args.append({data, constant(32, /*surface=*/0)});
  call(getStem("lsc.store", port), overloads, {}, args,
       DeviceEffects::ReadWriteMemory);
}

Value VCBuilder::atomic(VCPort port, VCAtomicOp op, unsigned elementBits,
                        Value addresses, Value predicate, ValueRange operands,
                        Type data) const {
  SmallVector<Value> args = getAddressedArgs(static_cast<int64_t>(op),
                                             elementBits, addresses, predicate);
  std::array<Type, 3> overloads = {data, args.front().getType(),
                                   addresses.getType()};
  Value none = LLVM::UndefOp::create(builder, loc, data);
  for (unsigned i = 0; i < 2; ++i)
    args.push_back(i < operands.size() ? operands[i] : none);
  args.append({constant(32, /*surface=*/0), none});
  return call(getStem("lsc.xatomic", port), overloads, data, args,
              DeviceEffects::ReadWriteMemory);
}

Value VCBuilder::toUnitVector(Value scalar) const {
  Value poison = LLVM::PoisonOp::create(builder, loc,
                                        VectorType::get({1}, scalar.getType()));
  return LLVM::InsertElementOp::create(builder, loc, poison, scalar,
                                       constant(32, 0));
}

Value VCBuilder::loadConsecutive(VCPort port, Value address,
                                 int64_t dwords) const {
  Type data = VectorType::get({dwords}, builder.getI32Type());
  SmallVector<Value> args =
      getAddressedArgs(kVCOpLoad, 32, toUnitVector(address),
                       /*predicate=*/Value(), dwords, kVCOrderTransposed);
  std::array<Type, 3> overloads = {data, args.front().getType(),
                                   args.back().getType()};
  args.push_back(constant(32, /*surface=*/0));
  return call(getStem("lsc.load", port), overloads, data, args,
              DeviceEffects::ReadMemory);
}

void VCBuilder::storeConsecutive(VCPort port, Value address, Value data) const {
  SmallVector<Value> args = getAddressedArgs(
      kVCOpStore, 32, toUnitVector(address), /*predicate=*/Value(),
      getVectorLength(data.getType()), kVCOrderTransposed);
  std::array<Type, 3> overloads = {args.front().getType(),
                                   args.back().getType(), data.getType()};
  args.append({data, constant(32, /*surface=*/0)});
  call(getStem("lsc.store", port), overloads, {}, args,
       DeviceEffects::ReadWriteMemory);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {
/// Rows of `width` elements `stride` apart, `rowStride` from one row to the
/// next.
struct Region2D {
  int64_t offset, rowStride, width, stride;

  int64_t getIndex(int64_t i) const {
    return offset + i / width * rowStride + i % width * stride;
  }
};
} // namespace

/// The region that `indices` are, with rows of a power of two; nullopt when
/// they are none.
static std::optional<Region2D> findRegion(ArrayRef<int64_t> indices) {
  int64_t count = indices.size();
  for (int64_t width = count; width >= 1; width /= 2) {
    Region2D region{indices[0], width < count ? indices[width] - indices[0] : 0,
                    width, width > 1 ? indices[1] - indices[0] : 0};
    bool fits = region.rowStride >= 0 && region.stride >= 0;
    for (int64_t i = 0; fits && i < count; ++i)
      fits = region.getIndex(i) == indices[i];
    if (fits)
      return region;
  }
  return std::nullopt;
}

/// Predicates live in flag registers, of which only aligned parts can be taken.
static bool isFlagPart(ArrayRef<int64_t> indices) {
  constexpr int64_t flagBits = 16;
  if (indices[0] % flagBits != 0 || indices.size() % flagBits != 0)
    return false;
  return llvm::all_of(llvm::enumerate(indices), [&](const auto &entry) {
    return entry.value() == indices[0] + static_cast<int64_t>(entry.index());
  });
}

Value VCBuilder::select(Value vector, ArrayRef<int64_t> indices) const {
  auto type = dyn_cast<VectorType>(vector.getType());
  unsigned bits = type ? type.getElementTypeBitWidth() : 1;
  if (type && bits == 1 && indices.size() > 1 && !isFlagPart(indices)) {
    Type words = VectorType::get(type.getShape(), builder.getI16Type());
    Value selected =
        select(LLVM::ZExtOp::create(builder, loc, words, vector), indices);
    Value zero = createConstant(builder, loc, selected.getType(), 0);
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, selected,
                                zero);
  }
  std::optional<Region2D> region;
  if (type && indices.size() > 1 && bits > 1 &&
      llvm::isPowerOf2_64(indices.size()))
    region = findRegion(indices);
  // Consecutive elements are a slice, which folds better as a shuffle.
  bool isSlice = region && region->width > 1 && region->stride == 1 &&
                 region->width == static_cast<int64_t>(indices.size());
  if (!region || isSlice ||
      region->offset * bits / 8 > std::numeric_limits<int16_t>::max())
    return selectElements(builder, loc, vector, indices);
  Type result = VectorType::get({static_cast<int64_t>(indices.size())},
                                type.getElementType());
  StringRef stem =
      isa<FloatType>(type.getElementType()) ? "rdregionf" : "rdregioni";
  Value offset = constant(16, region->offset * bits / 8);
  return call(stem, TypeRange{result, type, offset.getType()}, result,
              {vector, constant(32, region->rowStride),
               constant(32, region->width), constant(32, region->stride),
               offset,
               LLVM::UndefOp::create(builder, loc, builder.getI32Type())},
              DeviceEffects::None);
}
