//===- VCIntrinsics.cpp - intrinsics of the vector backend ----------------===//
//
// Their operands are whole register images of a warp, so the descriptions that
// come from them are marked flat.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/Decoder.h"
#include "Target/Intrinsics/VC.h"

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;

namespace {
struct VCName {
  StringLiteral stem;
  IntrinsicKind kind;
  unsigned operands;
  /// Of an id: what it counts, and which axis; -1: all three.
  WorkItemQuery query = {};
  MathFunction math = {};
};
} // namespace

static constexpr VCName kVCNames[] = {
    {"lsc.load2d.stateless", IntrinsicKind::BlockRead2D, kVCBlock2DOperands},
    {"lsc.store2d.stateless", IntrinsicKind::BlockWrite2D,
     kVCBlock2DOperands + 1},
    {"lsc.prefetch2d.stateless", IntrinsicKind::BlockPrefetch2D,
     kVCBlock2DOperands},
    {"lsc.load.stateless", IntrinsicKind::Gather, kVCAccessOperands + 1},
    {"lsc.load.slm", IntrinsicKind::Gather, kVCAccessOperands + 1},
    {"lsc.store.stateless", IntrinsicKind::Scatter, kVCAccessOperands + 2},
    {"lsc.store.slm", IntrinsicKind::Scatter, kVCAccessOperands + 2},
    {"lsc.xatomic.stateless", IntrinsicKind::AtomicUpdate,
     kVCAccessOperands + 4},
    {"lsc.xatomic.slm", IntrinsicKind::AtomicUpdate, kVCAccessOperands + 4},
    {"rdregionf", IntrinsicKind::Region, kVCRegionOperands},
    {"rdregioni", IntrinsicKind::Region, kVCRegionOperands},
    {"exp", IntrinsicKind::Math, 1, {}, MathFunction::Exp2},
    {"log", IntrinsicKind::Math, 1, {}, MathFunction::Log2},
    {"sqrt", IntrinsicKind::Math, 1, {}, MathFunction::Sqrt},
    {"rsqrt", IntrinsicKind::Math, 1, {}, MathFunction::RSqrt},
    {"inv", IntrinsicKind::Math, 1, {}, MathFunction::Inverse},
    {"sin", IntrinsicKind::Math, 1, {}, MathFunction::Sin},
    {"cos", IntrinsicKind::Math, 1, {}, MathFunction::Cos},
    {"rndd", IntrinsicKind::Math, 1, {}, MathFunction::Floor},
    {"rndu", IntrinsicKind::Math, 1, {}, MathFunction::Ceil},
    {"rndz", IntrinsicKind::Math, 1, {}, MathFunction::Truncate},
    {"rnde", IntrinsicKind::Math, 1, {}, MathFunction::RoundEven},
    {"fmax", IntrinsicKind::Math, 2, {}, MathFunction::Max},
    {"fmin", IntrinsicKind::Math, 2, {}, MathFunction::Min},
    {"dpas2", IntrinsicKind::Dpas, kVCDpasOperands},
    {"tf32.cvt", IntrinsicKind::RoundToTF32, 1},
    {"bf.cvt", IntrinsicKind::FloatToBF16, 1},
    {"lsc.fence", IntrinsicKind::Fence, 4},
    {"barrier", IntrinsicKind::Barrier, 0},
    {"sbarrier", IntrinsicKind::BarrierWait, 1},
    {"group.id.x", IntrinsicKind::WorkItemId, 0, {"get_group_id", 0}},
    {"group.id.y", IntrinsicKind::WorkItemId, 0, {"get_group_id", 1}},
    {"group.id.z", IntrinsicKind::WorkItemId, 0, {"get_group_id", 2}},
    {"local.id", IntrinsicKind::WorkItemId, 0, {"get_local_id", -1}},
    {"group.count", IntrinsicKind::WorkItemId, 0, {"get_num_groups", -1}},
};

static const VCName *lookupVC(StringRef name) {
  for (const VCName &entry : kVCNames) {
    StringRef rest = name;
    if (rest.consume_front(entry.stem) &&
        (rest.empty() || rest.starts_with(".")))
      return &entry;
  }
  return nullptr;
}

FailureOr<IntrinsicInfo> Decoder::decodeVC() {
  const VCName *entry = lookupVC(getName().drop_front(kVCPrefix.size()));
  if (!entry) {
    call.emitError() << "unknown device function '" << getName()
                     << "': no such intrinsic of the vector backend";
    return failure();
  }
  if (failed(expectOperands(entry->operands)))
    return failure();
  IntrinsicInfo info{entry->kind, {}, {}, {}, entry->query};
  info.math = entry->math;
  switch (entry->kind) {
  case IntrinsicKind::BlockRead2D:
  case IntrinsicKind::BlockWrite2D:
  case IntrinsicKind::BlockPrefetch2D:
    return decodeVCBlock2D(entry->kind);
  case IntrinsicKind::Dpas:
    return decodeVCDpas();
  case IntrinsicKind::Gather:
  case IntrinsicKind::Scatter:
  case IntrinsicKind::AtomicUpdate:
    return decodeVCAddressed(entry->kind);
  case IntrinsicKind::Region:
    return decodeVCRegion();
  case IntrinsicKind::Math:
    return checkVCMath(info);
  case IntrinsicKind::BarrierWait: {
    FailureOr<int64_t> signal = getConstant(0, "signal");
    if (failed(signal))
      return failure();
    if (*signal)
      info.kind = IntrinsicKind::BarrierArrive;
    return info;
  }
  case IntrinsicKind::WorkItemId:
    return checkVCId(info);
  case IntrinsicKind::RoundToTF32:
  case IntrinsicKind::FloatToBF16:
    return checkVCConversion(info);
  default:
    return info;
  }
}

FailureOr<IntrinsicInfo> Decoder::checkVCId(const IntrinsicInfo &info) {
  Type result = getResultType();
  unsigned count = info.query.axis < 0 ? 3 : 1;
  if (result && getLaneElements(result) == count &&
      getScalarType(result).isInteger(32))
    return info;
  error() << "expected a result of " << count << " x i32";
  return failure();
}

FailureOr<IntrinsicInfo> Decoder::checkVCConversion(const IntrinsicInfo &info) {
  Type from = getOperandType(0), to = getResultType();
  unsigned bits = info.kind == IntrinsicKind::RoundToTF32 ? 32 : 16;
  if (to && getScalarType(from).isF32() && getScalarType(to).isIntOrFloat() &&
      getScalarType(to).getIntOrFloatBitWidth() == bits &&
      getLaneElements(from) == getLaneElements(to))
    return info;
  error() << "expected f32 and a result of as many elements of " << bits
          << " bits";
  return failure();
}

/// True for the constant true, alone or in a vector.
static bool isTrue(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  if (auto dense = dyn_cast<DenseIntElementsAttr>(attr))
    return dense.isSplat() && dense.getSplatValue<APInt>().isOne();
  auto integer = dyn_cast<IntegerAttr>(attr);
  return integer && integer.getValue().isOne();
}

LogicalResult Decoder::checkVCSurface() {
  if (!isTrue(call.getArgOperands()[kVCPredicate]))
    return error() << "expected a predicate that is constant and true";
  for (unsigned i = 0; i < 6; ++i) {
    unsigned bits = i == 0 ? 64 : 32;
    if (!getOperandType(kVCSurface + i).isInteger(bits))
      return error() << "expected i" << bits << " as argument "
                     << kVCSurface + i << ", got "
                     << getOperandType(kVCSurface + i);
  }
  return success();
}

FailureOr<IntrinsicInfo> Decoder::decodeVCBlock2D(IntrinsicKind kind) {
  static constexpr struct {
    unsigned operand;
    StringLiteral meaning;
    int64_t low, high;
  } codes[] = {{kVCDataSize, "element size", 1, 4}, {kVCOrder, "order", 1, 2},
               {kVCBlocks, "blocks", 1, 4},         {kVCWidth, "width", 1, 64},
               {kVCHeight, "height", 1, 32},        {kVCVnni, "vnni", 0, 1}};
  int64_t values[std::size(codes)];
  if (failed(checkVCSurface()))
    return failure();
  for (auto [index, code] : llvm::enumerate(codes)) {
    FailureOr<int64_t> value = getConstant(code.operand, code.meaning);
    if (failed(value))
      return failure();
    if (*value < code.low || *value > code.high) {
      error() << "expected " << code.low << " to " << code.high
              << " as argument " << code.operand << " (" << code.meaning
              << "), got " << *value;
      return failure();
    }
    values[index] = *value;
  }
  IntrinsicInfo info{kind, {}, {}, {}, {}};
  Block2DMessage &message = info.block2D;
  message.flat = message.sizesMinusOne = message.integerBase = true;
  message.surfaceOperand = kVCSurface;
  message.elementBits = 4u << values[0];
  message.blocks = values[2];
  message.columns = values[3];
  message.rows = values[4];
  bool transposed = values[1] == kVCOrderTransposed;
  if (transposed && values[5]) {
    error() << "transpose and vnni exclude each other";
    return failure();
  }
  if (transposed)
    message.packing = BlockPacking::Transposed;
  else if (values[5])
    message.packing = BlockPacking::Vnni;
  if (kind != IntrinsicKind::BlockPrefetch2D) {
    bool isWrite = kind == IntrinsicKind::BlockWrite2D;
    Type data = isWrite ? getOperandType(kVCBlock2DOperands) : getResultType();
    auto type = dyn_cast_if_present<VectorType>(data);
    if (!type || !type.getElementType().isIntOrFloat()) {
      error() << "expected a vector of integers or floats as data";
      return failure();
    }
    message.dataType = type;
    if (isWrite)
      message.dataOperand = kVCBlock2DOperands;
  }
  if (failed(checkBlock2D(info)))
    return failure();
  return info;
}

FailureOr<IntrinsicInfo> Decoder::decodeVCDpas() {
  static constexpr StringLiteral meanings[] = {
      "precision of B", "precision of A", "depth", "rows"};
  int64_t values[4];
  for (unsigned i = 0; i < 4; ++i) {
    FailureOr<int64_t> value = getConstant(kVCDpasPrecisionB + i, meanings[i]);
    if (failed(value))
      return failure();
    values[i] = *value;
  }
  std::optional<ElemType> b = getVCPrecision(values[0]);
  std::optional<ElemType> a = getVCPrecision(values[1]);
  if (!a || !b) {
    error() << "precision code " << (a ? values[0] : values[1])
            << " is not known to mean the same to all compilers";
    return failure();
  }
  if (values[2] != 8 || values[3] < 1 || values[3] > 8) {
    error() << "expected depth 8 and 1 to 8 rows";
    return failure();
  }
  std::optional<ElemType> acc = getResultAccumulator();
  if (!acc)
    return failure();
  IntrinsicInfo info{IntrinsicKind::Dpas, {}, {}, {}, {}};
  info.dpas = {*a,       *b,       *acc,       static_cast<unsigned>(values[3]),
               kVCDpasA, kVCDpasB, kVCDpasAcc, /*flat=*/true};
  if (failed(checkDpas(info.dpas)))
    return failure();
  return info;
}
