//===- VCRawSends.cpp - 2-D block messages as raw sends -------------------===//
//
// The descriptor of a message and the register with its address, built and
// taken apart by the same tables.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/VCBlock2D.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Names and operands
//===----------------------------------------------------------------------===//

namespace {
/// What differs between the three kinds of message. Operands: two modifiers, a
/// predicate, registers of the payload, registers of the data, unit, extended
/// descriptor, descriptor, payload, data or what a masked read keeps.
struct RawSendForm {
  IntrinsicKind kind;
  StringLiteral stem;
  /// Operation code in the descriptor.
  uint32_t code;
  bool hasData;
};
} // namespace

static constexpr RawSendForm kForms[] = {
    {IntrinsicKind::BlockRead2D, "raw.send2", 3, true},
    {IntrinsicKind::BlockWrite2D, "raw.sends2.noresult", 7, true},
    {IntrinsicKind::BlockPrefetch2D, "raw.send2.noresult", 3, false},
};

/// The unit of global memory.
static constexpr int64_t kGlobalMemoryUnit = 15;

static const RawSendForm &getForm(IntrinsicKind kind) {
  return *llvm::find_if(
      kForms, [&](const RawSendForm &form) { return form.kind == kind; });
}

bool mlt::isRawSend(LLVM::CallOp call) {
  StringRef name = call.getCallee().value_or("");
  return name.consume_front(kVCPrefix) && name.starts_with("raw.send");
}

//===----------------------------------------------------------------------===//
// The descriptor
//===----------------------------------------------------------------------===//

namespace {
/// A field of the descriptor.
struct Bits {
  unsigned low, count;
  uint32_t get(uint32_t word) const {
    return word >> low & llvm::maskTrailingOnes<uint32_t>(count);
  }
  uint32_t place(uint32_t value) const { return value << low; }
};

/// Cache codes of the two levels, in the order of the hardware's numbers.
struct CachePair {
  int64_t l1, l3;
  bool operator==(const CachePair &other) const {
    return l1 == other.l1 && l3 == other.l3;
  }
};
} // namespace

static constexpr Bits kOperation{0, 6}, kVnni{7, 1}, kElementSize{9, 3},
    kTranspose{15, 1}, kCache{17, 3}, kResultRegisters{20, 5},
    kPayloadRegisters{25, 4};

// 0 default, 1 uncached, 2 cached, 3 written back, 4 written through,
// 5 streaming, 6 invalidated when read.
static constexpr CachePair kLoadCache[] = {{0, 0}, {1, 1}, {1, 2}, {2, 1},
                                           {2, 2}, {5, 1}, {5, 2}, {6, 2}};
static constexpr CachePair kStoreCache[] = {{0, 0}, {1, 1}, {1, 3}, {4, 1},
                                            {4, 3}, {5, 1}, {5, 3}, {3, 3}};

static ArrayRef<CachePair> getCachePairs(IntrinsicKind kind) {
  return kind == IntrinsicKind::BlockWrite2D ? ArrayRef(kStoreCache)
                                             : ArrayRef(kLoadCache);
}

static int64_t getNumRegisters(Type type) {
  auto vector = cast<VectorType>(type);
  return vector.getNumElements() * vector.getElementTypeBitWidth() / 8 /
         kVCRegisterBytes;
}

/// A result of 32 registers is written as 31.
static uint32_t getResultRegisters(const VCBlock2D &block) {
  return block.type ? std::min<int64_t>(getNumRegisters(block.type), 31) : 0;
}

static std::optional<uint32_t> getDescriptor(const VCBlock2D &block) {
  ArrayRef<CachePair> pairs = getCachePairs(block.kind);
  const auto *cache =
      llvm::find(pairs, CachePair{block.cacheL1, block.cacheL3});
  if (cache == pairs.end())
    return std::nullopt;
  return kOperation.place(getForm(block.kind).code) |
         kVnni.place(block.packing == BlockPacking::Vnni) |
         kElementSize.place(getVCDataSize(block.elementBits) - 1) |
         kTranspose.place(block.packing == BlockPacking::Transposed) |
         kCache.place(cache - pairs.begin()) |
         kResultRegisters.place(getResultRegisters(block)) |
         kPayloadRegisters.place(1);
}

/// Sets what the descriptor says of `block`, whose kind and type are known.
/// Fails when it says anything else than `getDescriptor` would.
static LogicalResult readDescriptor(uint32_t descriptor, VCBlock2D &block) {
  const CachePair &cache = getCachePairs(block.kind)[kCache.get(descriptor)];
  block.cacheL1 = cache.l1;
  block.cacheL3 = cache.l3;
  block.elementBits = 8 << kElementSize.get(descriptor);
  block.packing = kVnni.get(descriptor)        ? BlockPacking::Vnni
                  : kTranspose.get(descriptor) ? BlockPacking::Transposed
                                               : BlockPacking::Plain;
  return success(getDescriptor(block) == descriptor);
}

//===----------------------------------------------------------------------===//
// The payload
//===----------------------------------------------------------------------===//

int32_t mlt::getPayloadShape(const VCBlock2D &block) {
  return (block.columns - 1) | (block.rows - 1) << 8 | (block.blocks - 1) << 16;
}

/// The constant that is element `index` of `payload` on all ways to it, which
/// lead through insertions and branches.
static std::optional<int64_t> findConstant(Value payload, int64_t index) {
  SmallVector<Value> worklist = {payload};
  llvm::DenseSet<Value> seen;
  std::optional<int64_t> found;
  auto add = [&](Value element) {
    APInt bits;
    if (!matchPattern(element, m_ConstantInt(&bits)))
      return false;
    bool agrees = !found || *found == bits.getSExtValue();
    found = bits.getSExtValue();
    return agrees;
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    APInt position;
    if (auto insert = value.getDefiningOp<LLVM::InsertElementOp>()) {
      if (!matchPattern(insert.getPosition(), m_ConstantInt(&position)))
        return std::nullopt;
      if (position != index)
        worklist.push_back(insert.getVector());
      else if (!add(insert.getValue()))
        return std::nullopt;
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner()->isEntryBlock())
      return std::nullopt;
    Block *block = argument.getOwner();
    for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      Value operand = branch
                          ? branch.getSuccessorOperands(
                                it.getSuccessorIndex())[argument.getArgNumber()]
                          : Value();
      if (!operand)
        return std::nullopt;
      worklist.push_back(operand);
    }
  }
  return found;
}

static void readPayload(OpBuilder &builder, Location loc, Value payload,
                        VCBlock2D &block) {
  Type i64 = builder.getI64Type();
  auto get = [&](int64_t field) -> Value {
    return LLVM::ExtractElementOp::create(
        builder, loc, payload,
        createInt(builder, loc, builder.getI32Type(), field));
  };
  auto widen = [&](Value value) -> Value {
    return LLVM::ZExtOp::create(builder, loc, i64, value);
  };
  Value high = LLVM::ShlOp::create(builder, loc, widen(get(kVCPayloadBase + 1)),
                                   createInt(builder, loc, i64, 32));
  block.base =
      LLVM::OrOp::create(builder, loc, high, widen(get(kVCPayloadBase)));
  block.width = get(kVCPayloadWidth);
  block.height = get(kVCPayloadHeight);
  block.pitch = get(kVCPayloadPitch);
  block.x = get(kVCPayloadX);
  block.y = get(kVCPayloadY);
}

//===----------------------------------------------------------------------===//
// Both together
//===----------------------------------------------------------------------===//

FailureOr<LLVM::CallOp> mlt::createRawSend(OpBuilder &builder, Location loc,
                                           const VCBlock2D &block,
                                           Value payload) {
  std::optional<uint32_t> descriptor = getDescriptor(block);
  if (!descriptor) {
    emitError(loc) << "expected cache options that the hardware has for a 2-D "
                      "block message, got "
                   << block.cacheL1 << " and " << block.cacheL3;
    return failure();
  }
  const RawSendForm &form = getForm(block.kind);
  auto constant = [&](unsigned bits, int64_t value) {
    return createInt(builder, loc, builder.getIntegerType(bits), value);
  };
  Value data = block.data;
  if (block.type)
    data = LLVM::UndefOp::create(builder, loc, block.type);
  SmallVector<Value> args = {constant(8, 0), constant(8, 0), constant(1, 1),
                             constant(8, 1)};
  if (data)
    args.push_back(constant(8, getNumRegisters(data.getType())));
  args.append({constant(8, kGlobalMemoryUnit), constant(32, 0),
               constant(32, static_cast<int32_t>(*descriptor)), payload});
  SmallVector<Type> overloads = {builder.getI1Type(), payload.getType()};
  if (block.type)
    overloads.insert(overloads.begin(), block.type);
  else if (data)
    overloads.push_back(data.getType());
  if (data)
    args.push_back(data);
  return createDeviceCall(
      builder, loc, getOverloadedName((kVCPrefix + form.stem).str(), overloads),
      block.type, args,
      block.type ? DeviceEffects::ReadMemory : DeviceEffects::ReadWriteMemory,
      /*convergent=*/false);
}

FailureOr<VCBlock2D> mlt::readRawSend(OpBuilder &builder, LLVM::CallOp call) {
  auto error = [&]() -> InFlightDiagnostic {
    return call.emitError()
           << "device function '" << *call.getCallee() << "': ";
  };
  StringRef name = call.getCallee()->drop_front(kVCPrefix.size());
  // The longest stem that fits.
  const RawSendForm *form = nullptr;
  for (const RawSendForm &candidate : kForms)
    if (name.starts_with((candidate.stem + ".").str()) &&
        (!form || candidate.stem.size() > form->stem.size()))
      form = &candidate;
  OperandRange operands = call.getArgOperands();
  unsigned count = form && form->hasData ? 10 : 8;
  if (!form || operands.size() != count) {
    error() << "expected a raw send of a 2-D block message";
    return failure();
  }
  auto payloadType = VectorType::get({kVCPayloadLength}, builder.getI32Type());
  unsigned payloadAt = form->hasData ? count - 2 : count - 1;
  Value payload = operands[payloadAt];
  auto isImage = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getElementType().isIntOrFloat() &&
           vector.getNumElements() * vector.getElementTypeBitWidth() %
                   (8 * kVCRegisterBytes) ==
               0;
  };
  if (payload.getType() != payloadType ||
      (form->hasData && !isImage(operands.back().getType()))) {
    error() << "expected " << payloadType << " as payload and whole registers "
            << "as data";
    return failure();
  }
  VCBlock2D block{form->kind};
  if (form->kind == IntrinsicKind::BlockRead2D)
    block.type = cast<VectorType>(operands.back().getType());
  if (form->kind == IntrinsicKind::BlockWrite2D)
    block.data = operands.back();
  APInt descriptor;
  if (!matchPattern(operands[payloadAt - 1], m_ConstantInt(&descriptor)) ||
      failed(readDescriptor(descriptor.getZExtValue(), block))) {
    error() << "expected a constant descriptor of a 2-D block message";
    return failure();
  }
  std::optional<int64_t> shape = findConstant(payload, kVCPayloadShape);
  if (!shape) {
    error() << "expected one constant shape of the block in its payload";
    return failure();
  }
  block.columns = (*shape & 0xff) + 1;
  block.rows = (*shape >> 8 & 0xff) + 1;
  block.blocks = (*shape >> 16 & 0xff) + 1;
  readPayload(builder, call.getLoc(), payload, block);
  return block;
}
