//===- VCMemoryIntrinsics.cpp - element-wise messages, regions and math ---===//
//
// Intrinsics of the vector backend that treat every element of their vectors
// alike: accesses with an address each, selections of registers, functions.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/Decoder.h"
#include "Target/Intrinsics/VC.h"

using namespace mlir;
using namespace mlir::mlt;

static bool isIntegerVector(Type type, unsigned bits, unsigned count) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getNumElements() == count &&
         vector.getElementType().isInteger(bits);
}

LogicalResult Decoder::checkVCAddressed(const IntrinsicInfo &info) {
  const AddressedMessage &message = info.addressed;
  unsigned addressBits = message.shared ? 32 : 64;
  if (!isIntegerVector(getOperandType(kVCAccessPredicate), 1, message.count) ||
      !isIntegerVector(getOperandType(kVCAccessAddresses), addressBits,
                       message.count))
    return error() << "expected as many predicates as addresses of i"
                   << addressBits;
  auto isData = [&](Type type) {
    unsigned bits = std::max(32u, message.elementBits);
    return type &&
           getLaneElements(type) == message.count * message.perAddress &&
           isa<VectorType>(type) && getScalarType(type).isIntOrFloat() &&
           getScalarType(type).getIntOrFloatBitWidth() == bits;
  };
  bool isStore = info.kind == IntrinsicKind::Scatter;
  bool fits = isStore ? isData(getOperandType(kVCAccessOperands))
                      : isData(getResultType());
  // Two operands, the surface, and what elements without predicate keep.
  if (info.kind == IntrinsicKind::AtomicUpdate)
    for (unsigned i : {0, 1, 3})
      fits &= getOperandType(kVCAccessOperands + i) == getResultType();
  if (fits)
    return success();
  return error() << "expected data of " << message.count * message.perAddress
                 << " elements of " << std::max(32u, message.elementBits)
                 << " bits";
}

static std::optional<VCAtomicOp> getAtomicOp(int64_t code) {
  static constexpr VCAtomicOp known[] = {VCAtomicOp::Exchange,
                                         VCAtomicOp::Add,
                                         VCAtomicOp::Min,
                                         VCAtomicOp::Max,
                                         VCAtomicOp::UMin,
                                         VCAtomicOp::UMax,
                                         VCAtomicOp::CompareExchange,
                                         VCAtomicOp::FAdd,
                                         VCAtomicOp::FMin,
                                         VCAtomicOp::FMax,
                                         VCAtomicOp::And,
                                         VCAtomicOp::Or,
                                         VCAtomicOp::Xor};
  for (VCAtomicOp op : known)
    if (static_cast<int64_t>(op) == code)
      return op;
  return std::nullopt;
}

/// Elements per address, in one of the forms in which they lie in registers
/// without gaps.
LogicalResult Decoder::decodeVCVector(IntrinsicInfo &info) {
  AddressedMessage &message = info.addressed;
  FailureOr<int64_t> code =
      getConstant(kVCAccessVector, "elements per address");
  FailureOr<int64_t> order = getConstant(kVCAccessOrder, "order");
  if (failed(code) || failed(order))
    return failure();
  message.perAddress = getVCVectorLength(*code).value_or(0);
  bool single = message.perAddress == 1 && *order == kVCOrderPlain;
  bool wide = info.kind != IntrinsicKind::AtomicUpdate &&
              message.elementBits >= 32 && message.perAddress >= 1;
  bool vectors = wide && *order == kVCOrderPlain &&
                 message.count == kVCVectorAddresses &&
                 message.perAddress <= kVCMaxPerAddress;
  message.consecutive =
      wide && *order == kVCOrderTransposed && message.count == 1;
  if (single || vectors || message.consecutive)
    return success();
  return error() << "expected one element per address, or dwords or qwords: up "
                    "to "
                 << kVCMaxPerAddress << " at each of " << kVCVectorAddresses
                 << " addresses in plain order or up to " << kVCMaxConsecutive
                 << " at one in transposed order, got code " << *code
                 << " at each of " << message.count << " in order " << *order;
}

FailureOr<IntrinsicInfo> Decoder::decodeVCAddressed(IntrinsicKind kind) {
  static constexpr struct {
    unsigned operand;
    StringLiteral meaning;
    int64_t expected;
  } fixed[] = {{kVCAccessScale, "address scale", 1},
               {kVCAccessOffset, "offset", 0}};
  for (const auto &operand : fixed) {
    FailureOr<int64_t> value = getConstant(operand.operand, operand.meaning);
    if (failed(value))
      return failure();
    if (*value == operand.expected)
      continue;
    error() << "expected " << operand.expected << " as argument "
            << operand.operand << " (" << operand.meaning << "), got "
            << *value;
    return failure();
  }
  FailureOr<int64_t> op = getConstant(kVCAccessOp, "operation");
  FailureOr<int64_t> size = getConstant(kVCAccessSize, "element size");
  if (failed(op) || failed(size))
    return failure();
  std::optional<unsigned> bits = getVCElementBits(*size);
  IntrinsicInfo info{kind, {}, {}, {}, {}};
  info.addressed.update = getAtomicOp(*op);
  int64_t plain = kind == IntrinsicKind::Gather ? kVCOpLoad : kVCOpStore;
  bool known = kind == IntrinsicKind::AtomicUpdate
                   ? info.addressed.update.has_value()
                   : *op == plain;
  if (!bits || !known) {
    error() << "expected an element size of 3 to 6 and an operation that all "
               "compilers know, got "
            << *size << " and " << *op;
    return failure();
  }
  info.addressed.shared = getName().contains(".slm");
  info.addressed.elementBits = *bits;
  info.addressed.count = getLaneElements(getOperandType(kVCAccessAddresses));
  if (failed(decodeVCVector(info)) || failed(checkVCAddressed(info)))
    return failure();
  return info;
}

FailureOr<IntrinsicInfo> Decoder::decodeVCRegion() {
  auto from = dyn_cast<VectorType>(getOperandType(0));
  auto to = dyn_cast_if_present<VectorType>(getResultType());
  if (!from || !to || from.getElementType() != to.getElementType() ||
      !from.getElementType().isIntOrFloat() ||
      from.getElementTypeBitWidth() < 8) {
    error() << "expected vectors with the same elements of whole bytes";
    return failure();
  }
  static constexpr StringLiteral meanings[] = {"row stride", "width", "stride",
                                               "offset"};
  int64_t values[4];
  for (auto [index, meaning] : llvm::enumerate(meanings)) {
    FailureOr<int64_t> value = getConstant(index + 1, meaning);
    if (failed(value))
      return failure();
    values[index] = *value;
  }
  IntrinsicInfo info{IntrinsicKind::Region, {}, {}, {}, {}};
  int64_t bytes = from.getElementTypeBitWidth() / 8;
  info.region = {values[3] / bytes, values[0], values[1], values[2]};
  int64_t count = to.getNumElements();
  bool valid = values[3] % bytes == 0 && values[1] > 0 &&
               count % values[1] == 0 &&
               llvm::all_of(values, [](int64_t value) { return value >= 0; });
  int64_t last = info.region.offset +
                 (count / std::max<int64_t>(values[1], 1) - 1) * values[0] +
                 (values[1] - 1) * values[2];
  if (valid && last < from.getNumElements())
    return info;
  error() << "expected a region of " << count << " elements within "
          << from.getNumElements();
  return failure();
}

FailureOr<IntrinsicInfo> Decoder::checkVCMath(const IntrinsicInfo &info) {
  Type type = getOperandType(0);
  if (type == getResultType() && isa<FloatType>(getScalarType(type)))
    return info;
  error() << "expected floats and a result of the same type";
  return failure();
}
