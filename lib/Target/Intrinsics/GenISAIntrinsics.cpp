//===- GenISAIntrinsics.cpp - IGC's internal intrinsics -------------------===//
//
// Their names carry nothing but the operation: shape, packing and precision are
// constant operands, in codes that depend on the compiler generation. Also the
// un-mangled `__builtin_IB_*` functions of IGC's own library.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/Decoder.h"

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;

namespace {
struct GenISAName {
  StringLiteral stem;
  IntrinsicKind kind;
  unsigned operands;
};
} // namespace

/// Longer stems first: a type suffix after a dot is not part of the name.
static constexpr GenISAName kGenISANames[] = {
    {"LSC2DBlockRead", IntrinsicKind::BlockRead2D, 13},
    {"LSC2DBlockWrite", IntrinsicKind::BlockWrite2D, 14},
    {"LSC2DBlockPrefetch", IntrinsicKind::BlockPrefetch2D, 13},
    {"LSC2DBlockCreateAddrPayload", IntrinsicKind::PrefetchAddress, 9},
    {"LSC2DBlockSetAddrPayloadField", IntrinsicKind::Prefetch, 4},
    {"LSC2DBlockPrefetchAddrPayload", IntrinsicKind::Prefetch, 10},
    {"sub.group.dpas", IntrinsicKind::Dpas, 8},
    {"ftotf32", IntrinsicKind::RoundToTF32, 1},
    {"LSCPrefetch", IntrinsicKind::Prefetch, 5},
    {"LSCFence", IntrinsicKind::Fence, 3},
    {"threadgroupbarrier.signal", IntrinsicKind::BarrierArrive, 0},
    {"threadgroupbarrier.wait", IntrinsicKind::BarrierWait, 0},
    {"threadgroupbarrier", IntrinsicKind::Barrier, 0},
};

static const GenISAName *lookupGenISA(StringRef name) {
  for (const GenISAName &entry : kGenISANames) {
    StringRef rest = name;
    if (rest.consume_front(entry.stem) &&
        (rest.empty() || rest.starts_with(".")))
      return &entry;
  }
  return nullptr;
}

FailureOr<IntrinsicInfo> Decoder::decodeGenISA() {
  const GenISAName *entry =
      lookupGenISA(getName().drop_front(kGenISAPrefix.size()));
  if (!entry) {
    call.emitError() << "unknown device function '" << getName()
                     << "': no such GenISA intrinsic";
    return failure();
  }
  if (failed(expectOperands(entry->operands)))
    return failure();
  switch (entry->kind) {
  case IntrinsicKind::BlockRead2D:
  case IntrinsicKind::BlockWrite2D:
  case IntrinsicKind::BlockPrefetch2D:
    return decodeGenISABlock2D(entry->kind);
  case IntrinsicKind::Dpas:
    return decodeGenISADpas();
  case IntrinsicKind::RoundToTF32:
    if (!getOperandType(0).isF32() || !getResultType() ||
        !getResultType().isInteger(32)) {
      error() << "expected f32 and a result of i32";
      return failure();
    }
    break;
  case IntrinsicKind::PrefetchAddress:
    if (!isa_and_present<LLVM::LLVMPointerType>(getResultType())) {
      error() << "expected a pointer as result";
      return failure();
    }
    break;
  default:
    break;
  }
  return IntrinsicInfo{entry->kind, {}, {}, {}};
}

/// `type` as a vector of integers or floats, nullopt for anything else.
static std::optional<VectorType> getDataType(Type type) {
  if (!type || !getScalarType(type).isIntOrFloat())
    return std::nullopt;
  return VectorType::get({int64_t(getLaneElements(type))}, getScalarType(type));
}

FailureOr<IntrinsicInfo> Decoder::decodeGenISABlock2D(IntrinsicKind kind) {
  if (generation == GenISAGeneration::Old &&
      kind != IntrinsicKind::BlockRead2D) {
    error() << "does not exist in this compiler generation, which would take "
               "it for a read";
    return failure();
  }
  if (!getOperandType(0).isInteger(64)) {
    error() << "expected i64 as argument 0 (base), got " << getOperandType(0);
    return failure();
  }
  for (unsigned i = 1; i < 6; ++i)
    if (!getOperandType(i).isInteger(32)) {
      error() << "expected i32 as argument " << i << ", got "
              << getOperandType(i);
      return failure();
    }

  IntrinsicInfo info{kind, {}, {}, {}};
  Block2DMessage &message = info.block2D;
  message.sizesMinusOne = true;
  message.integerBase = true;
  static constexpr StringLiteral meanings[] = {"element bits", "tile width",
                                               "tile height",  "blocks",
                                               "transpose",    "vnni"};
  int64_t values[6];
  for (unsigned i = 0; i < 6; ++i) {
    FailureOr<int64_t> value = getConstant(6 + i, meanings[i]);
    if (failed(value))
      return failure();
    values[i] = *value;
  }
  for (unsigned i = 0; i < 4; ++i)
    if (values[i] < 1 || values[i] > 64) {
      error() << "expected 1 to 64 as argument " << 6 + i << " (" << meanings[i]
              << "), got " << values[i];
      return failure();
    }
  message.elementBits = values[0];
  message.columns = values[1];
  message.rows = values[2];
  message.blocks = values[3];
  if (values[4] && values[5]) {
    error() << "transpose and vnni exclude each other";
    return failure();
  }
  if (values[4])
    message.packing = BlockPacking::Transposed;
  else if (values[5])
    message.packing = BlockPacking::Vnni;

  if (kind != IntrinsicKind::BlockPrefetch2D) {
    bool isWrite = kind == IntrinsicKind::BlockWrite2D;
    std::optional<VectorType> type =
        getDataType(isWrite ? getOperandType(13) : getResultType());
    if (!type) {
      error() << "expected data of integers or floats";
      return failure();
    }
    message.dataType = *type;
    if (isWrite)
      message.dataOperand = 13;
  }
  if (failed(checkBlock2D(info)))
    return failure();
  return info;
}

FailureOr<IntrinsicInfo> Decoder::decodeGenISADpas() {
  if (!generation) {
    error() << "the codes of its operands depend on the compiler generation: "
               "expected a module attribute '"
            << kGenISAGenerationAttr << "' of \"old\" or \"current\"";
    return failure();
  }
  static constexpr StringLiteral meanings[] = {
      "precision of A", "precision of B", "depth", "rows", "dpasw"};
  int64_t values[5];
  for (unsigned i = 0; i < 5; ++i) {
    FailureOr<int64_t> value = getConstant(3 + i, meanings[i]);
    if (failed(value))
      return failure();
    values[i] = *value;
  }
  std::optional<ElemType> a = getDpasPrecision(*generation, values[0]);
  std::optional<ElemType> b = getDpasPrecision(*generation, values[1]);
  if (!a || !b) {
    error() << "precision code " << (a ? values[1] : values[0])
            << " means nothing to the '"
            << stringifyGenISAGeneration(*generation) << "' generation";
    return failure();
  }
  if (values[2] != 8 || values[4] != 0) {
    error() << "expected depth 8 and no dpasw";
    return failure();
  }
  std::optional<ElemType> acc = getResultAccumulator();
  if (!acc)
    return failure();
  if (values[3] < 1 || values[3] > 8) {
    error() << "expected 1 to 8 rows, got " << values[3];
    return failure();
  }
  IntrinsicInfo info{IntrinsicKind::Dpas, {}, {}, {}};
  info.dpas = {*a, *b, *acc, static_cast<unsigned>(values[3]), 1, 2, 0};
  if (failed(checkDpas(info.dpas)))
    return failure();
  return info;
}

//===----------------------------------------------------------------------===//
// Functions of IGC's library
//===----------------------------------------------------------------------===//

static std::optional<ElemType> symbolizeInternalType(StringRef name) {
  return llvm::StringSwitch<std::optional<ElemType>>(name)
      .Case("f", ElemType::F32)
      .Case("hf", ElemType::F16)
      .Case("bf", ElemType::BF16)
      .Case("tf32", ElemType::TF32)
      .Case("s8", ElemType::S8)
      .Case("u8", ElemType::U8)
      .Default(std::nullopt);
}

/// Parses "fdpas_<d>_<acc>_<a>_<b>_8_<rows>" and "idpas_<a>_<b>_8_<rows>".
static std::optional<DpasMessage> parseInternalDpas(StringRef text) {
  bool isFloat = text.consume_front("fdpas_");
  if (!isFloat && !text.consume_front("idpas_"))
    return std::nullopt;
  SmallVector<StringRef, 6> parts;
  text.split(parts, '_');
  if (parts.size() != (isFloat ? 6u : 4u))
    return std::nullopt;
  ElemType acc = ElemType::S32;
  if (isFloat) {
    std::optional<ElemType> type = symbolizeInternalType(parts[1]);
    if (!type || parts[0] != parts[1])
      return std::nullopt;
    acc = *type;
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  std::optional<ElemType> a = symbolizeInternalType(parts[0]);
  std::optional<ElemType> b = symbolizeInternalType(parts[1]);
  unsigned rows;
  if (!a || !b || parts[2] != "8" || parts[3].getAsInteger(10, rows))
    return std::nullopt;
  return DpasMessage{*a, *b, acc, rows, 1, 2, 0};
}

FailureOr<IntrinsicInfo> Decoder::decodeInternal() {
  StringRef rest = getName();
  if (rest.consume_front("__builtin_IB_sub_group16_")) {
    std::optional<DpasMessage> message = parseInternalDpas(rest);
    if (!message || call.getArgOperands().size() != 3) {
      error() << "expected fdpas_<d>_<acc>_<a>_<b>_8_<rows> or "
                 "idpas_<a>_<b>_8_<rows> and three arguments";
      return failure();
    }
    if (failed(checkDpas(*message)))
      return failure();
    IntrinsicInfo info{IntrinsicKind::Dpas, {}, {}, {}};
    info.dpas = *message;
    return info;
  }
  if (rest.starts_with("__builtin_IB_lsc_prefetch_global_"))
    return IntrinsicInfo{IntrinsicKind::Prefetch, {}, {}, {}};
  call.emitError() << "unknown device function '" << getName()
                   << "': it has no meaning on other devices";
  return failure();
}
