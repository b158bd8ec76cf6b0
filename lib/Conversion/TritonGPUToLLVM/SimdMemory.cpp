//===- SimdMemory.cpp - messages with an address per element --------------===//
//
// Tiles of pointers in style simd: one message accesses 16 elements, predicated
// by the mask. Registers hold narrow elements as dwords. Shared local memory is
// addressed from 0 in 32 bits.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "Conversion/TritonGPUToLLVM/Predication.h"
#include "Conversion/TritonGPUToLLVM/VCBuilder.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/MLT/IR/SharedMemory.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
class SimdMemory : public TileMemory {
public:
  Value load(OpBuilder &builder, Location loc, Value addresses, Value mask,
             Value otherwise, Type element,
             unsigned addressSpace) const override;
  void store(OpBuilder &builder, Location loc, Value addresses, Value mask,
             Value data, unsigned addressSpace) const override;
  Value loadVectors(OpBuilder &builder, Location loc, Value addresses,
                    Type element, int64_t count,
                    unsigned addressSpace) const override;
  bool hasAtomic(const AtomicMessage &message, Type element) const override;
  Value atomic(OpBuilder &builder, Location loc, const AtomicMessage &message,
               Value addresses, Value mask, ValueRange operands,
               unsigned addressSpace) const override;
};

/// The parts of an access that one message handles, as the vectors it takes.
class Access {
public:
  Access(OpBuilder &builder, Location loc, Value addresses, Value mask,
         unsigned addressSpace)
      : builder(builder), loc(loc), count(getVectorLength(addresses.getType())),
        port(addressSpace == kLocalSpace ? VCPort::Shared : VCPort::Global) {
    for (Value piece : split(addresses))
      this->addresses.push_back(toMessageAddress(piece));
    masks = mask ? split(mask)
                 : SmallVector<Value>(this->addresses.size(), Value());
  }

  int64_t getNumMessages() const { return addresses.size(); }
  /// Vectors, also of one element.
  SmallVector<Value> split(Value value) const {
    SmallVector<Value> pieces =
        splitVector(builder, loc, value, kMaxCallVector);
    for (Value &piece : pieces)
      if (!isa<VectorType>(piece.getType()))
        piece = toUnitVector(piece);
    return pieces;
  }
  /// The inverse.
  Value join(ArrayRef<Value> pieces) const {
    if (count == 1)
      return getElement(builder, loc, pieces.front(), 0);
    return concatVectors(builder, loc, pieces);
  }
  /// The type of `element` in the registers of a message.
  VectorType getDataType(Type element) const {
    unsigned bits = std::max(32u, element.getIntOrFloatBitWidth());
    return VectorType::get({std::min(count, kMaxCallVector)},
                           builder.getIntegerType(bits));
  }

  OpBuilder &builder;
  Location loc;
  int64_t count;
  VCPort port;
  SmallVector<Value> addresses, masks;

private:
  Value toUnitVector(Value scalar) const {
    auto type = VectorType::get({1}, scalar.getType());
    Value poison = LLVM::PoisonOp::create(builder, loc, type);
    return LLVM::InsertElementOp::create(
        builder, loc, poison, scalar,
        createConstant(builder, loc, builder.getI32Type(), 0));
  }
  Value toMessageAddress(Value piece) const {
    if (port == VCPort::Global)
      return piece;
    auto type = cast<VectorType>(piece.getType());
    return LLVM::TruncOp::create(
        builder, loc, VectorType::get(type.getShape(), builder.getI32Type()),
        piece);
  }
};
} // namespace

/// `data` (i32 or i64) as a vector of `element`.
static Value toElements(OpBuilder &builder, Location loc, Value data,
                        Type element) {
  auto type = cast<VectorType>(data.getType());
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits < type.getElementTypeBitWidth())
    data = LLVM::TruncOp::create(
        builder, loc,
        VectorType::get(type.getShape(), builder.getIntegerType(bits)), data);
  return bitcastTo(builder, loc, data,
                   VectorType::get(type.getShape(), element));
}

/// The inverse.
static Value toData(OpBuilder &builder, Location loc, Value elements,
                    VectorType data) {
  auto type = cast<VectorType>(elements.getType());
  unsigned bits = type.getElementTypeBitWidth();
  elements =
      bitcastTo(builder, loc, elements,
                VectorType::get(type.getShape(), builder.getIntegerType(bits)));
  if (elements.getType() == data)
    return elements;
  return LLVM::ZExtOp::create(builder, loc, data, elements);
}

Value SimdMemory::load(OpBuilder &builder, Location loc, Value addresses,
                       Value mask, Value otherwise, Type element,
                       unsigned addressSpace) const {
  Access access(builder, loc, addresses, mask, addressSpace);
  VectorType data = access.getDataType(element);
  SmallVector<Value> others, results;
  if (mask)
    others = access.split(otherwise);
  for (int64_t i = 0; i < access.getNumMessages(); ++i) {
    Value raw = VCBuilder(builder, loc)
                    .load(access.port, element.getIntOrFloatBitWidth(),
                          access.addresses[i], access.masks[i], data);
    Value result = toElements(builder, loc, raw, element);
    // Registers of elements that are masked off are not written.
    if (mask)
      result = LLVM::SelectOp::create(builder, loc, access.masks[i], result,
                                      others[i]);
    results.push_back(result);
  }
  return access.join(results);
}

Value SimdMemory::loadVectors(OpBuilder &builder, Location loc, Value addresses,
                              Type element, int64_t count,
                              unsigned addressSpace) const {
  Access access(builder, loc, addresses, /*mask=*/Value(), addressSpace);
  VectorType data =
      VectorType::get({count * getVectorLength(addresses.getType())}, element);
  assert(access.getNumMessages() == 1 && "expected addresses of one message");
  return VCBuilder(builder, loc)
      .load(access.port, element.getIntOrFloatBitWidth(),
            access.addresses.front(), /*predicate=*/Value(), data, count);
}

void SimdMemory::store(OpBuilder &builder, Location loc, Value addresses,
                       Value mask, Value data, unsigned addressSpace) const {
  Access access(builder, loc, addresses, mask, addressSpace);
  Type element = getUnitType(data.getType());
  VectorType type = access.getDataType(element);
  for (auto [i, piece] : llvm::enumerate(access.split(data)))
    VCBuilder(builder, loc)
        .store(access.port, element.getIntOrFloatBitWidth(),
               access.addresses[i], access.masks[i],
               toData(builder, loc, piece, type));
}

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

namespace {
struct AtomicCode {
  tt::RMWOp kind;
  VCAtomicOp code;
  bool onFloats;
};
} // namespace

static constexpr AtomicCode kAtomicCodes[] = {
    {tt::RMWOp::AND, VCAtomicOp::And, false},
    {tt::RMWOp::OR, VCAtomicOp::Or, false},
    {tt::RMWOp::XOR, VCAtomicOp::Xor, false},
    {tt::RMWOp::ADD, VCAtomicOp::Add, false},
    {tt::RMWOp::MAX, VCAtomicOp::Max, false},
    {tt::RMWOp::MIN, VCAtomicOp::Min, false},
    {tt::RMWOp::UMAX, VCAtomicOp::UMax, false},
    {tt::RMWOp::UMIN, VCAtomicOp::UMin, false},
    {tt::RMWOp::XCHG, VCAtomicOp::Exchange, false},
    {tt::RMWOp::XCHG, VCAtomicOp::Exchange, true},
    {tt::RMWOp::FADD, VCAtomicOp::FAdd, true},
    {tt::RMWOp::MAX, VCAtomicOp::FMax, true},
    {tt::RMWOp::MIN, VCAtomicOp::FMin, true},
};

static std::optional<VCAtomicOp> getCode(const AtomicMessage &message,
                                         Type element) {
  if (!message.kind)
    return VCAtomicOp::CompareExchange;
  for (const AtomicCode &entry : kAtomicCodes)
    if (entry.kind == *message.kind &&
        entry.onFloats == isa<FloatType>(element))
      return entry.code;
  return std::nullopt;
}

bool SimdMemory::hasAtomic(const AtomicMessage &message, Type element) const {
  unsigned bits = element.getIntOrFloatBitWidth();
  std::optional<VCAtomicOp> code = getCode(message, element);
  if (!code || (bits != 32 && bits != 64))
    return false;
  // Of doubles, memory can only add.
  return bits == 32 || isa<IntegerType>(element) || *code == VCAtomicOp::FAdd ||
         *code == VCAtomicOp::Exchange || *code == VCAtomicOp::CompareExchange;
}

static VCScope getScope(tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::CTA:
    return VCScope::Workgroup;
  case tt::MemSyncScope::SYSTEM:
    return VCScope::System;
  case tt::MemSyncScope::GPU:
    break;
  }
  return VCScope::Device;
}

/// Orders what this warp accesses before and after. Beyond the workgroup, the
/// caches of the core are given up.
static void fenceFor(OpBuilder &builder, Location loc,
                     const AtomicMessage &message) {
  VCScope scope = getScope(message.scope);
  VCBuilder(builder, loc)
      .fence(VCPort::Global,
             scope == VCScope::Workgroup ? VCFenceOp::None : VCFenceOp::Evict,
             scope);
}

Value SimdMemory::atomic(OpBuilder &builder, Location loc,
                         const AtomicMessage &message, Value addresses,
                         Value mask, ValueRange operands,
                         unsigned addressSpace) const {
  using tt::MemSemantic;
  Access access(builder, loc, addresses, mask, addressSpace);
  Type element = getUnitType(operands.front().getType());
  VectorType data = access.getDataType(element);
  bool releases = llvm::is_contained(
      {MemSemantic::RELEASE, MemSemantic::ACQUIRE_RELEASE}, message.semantic);
  bool acquires = llvm::is_contained(
      {MemSemantic::ACQUIRE, MemSemantic::ACQUIRE_RELEASE}, message.semantic);
  bool isGlobal = access.port == VCPort::Global;
  if (releases && isGlobal)
    fenceFor(builder, loc, message);

  // The type of the data selects between the forms for floats and integers.
  VectorType type = VectorType::get(data.getShape(), element);
  SmallVector<SmallVector<Value>> pieces;
  for (Value operand : operands)
    pieces.push_back(access.split(operand));
  SmallVector<Value> results;
  for (int64_t i = 0; i < access.getNumMessages(); ++i) {
    auto arguments = llvm::map_to_vector(
        pieces, [&](ArrayRef<Value> all) { return all[i]; });
    Value old =
        VCBuilder(builder, loc)
            .atomic(access.port, *getCode(message, element),
                    element.getIntOrFloatBitWidth(), access.addresses[i],
                    access.masks[i], arguments, type);
    if (mask)
      old = LLVM::SelectOp::create(builder, loc, access.masks[i], old,
                                   createConstant(builder, loc, type, 0));
    results.push_back(old);
  }
  if (acquires && isGlobal)
    fenceFor(builder, loc, message);
  return access.join(results);
}

std::unique_ptr<TileMemory> mlt::createSimdMemory() {
  return std::make_unique<SimdMemory>();
}
