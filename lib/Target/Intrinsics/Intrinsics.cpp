//===- Intrinsics.cpp - what the name of a device intrinsic means ---------===//
//
// Dispatch over the families of names, and the checks that hold for all of
// them: a 2-D block message has to be one that the hardware has, its data one
// lane's share of the block, a dot's operands the registers that it reads.
// Compilers of both generations skip these checks for GenISA names.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/Intrinsics.h"
#include "Target/Description/TargetDescription.h"
#include "Target/Intrinsics/Decoder.h"
#include "Target/Intrinsics/VC.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::mlt;

unsigned mlt::getLaneElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

Type mlt::getScalarType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

static StringRef stringify(BlockPacking packing) {
  switch (packing) {
  case BlockPacking::Plain:
    return "plain";
  case BlockPacking::Vnni:
    return "vnni";
  case BlockPacking::Transposed:
    return "transposed";
  }
  return "";
}

std::string Block2DMessage::describe() const {
  return llvm::formatv("{0}b {1}r{2}x{3} {4}", elementBits, rows, columns,
                       blocks, stringify(packing));
}

unsigned Block2DMessage::getBlockBytes(unsigned alignment) const {
  unsigned elementBytes = elementBits / 8;
  unsigned bytes = 0;
  switch (packing) {
  case BlockPacking::Plain:
    bytes = rows * llvm::PowerOf2Ceil(columns) * elementBytes;
    break;
  case BlockPacking::Vnni:
    bytes = llvm::divideCeil(rows, getPackedRows()) *
            llvm::PowerOf2Ceil(columns) * 4;
    break;
  case BlockPacking::Transposed:
    bytes = columns * llvm::PowerOf2Ceil(rows) * elementBytes;
    break;
  }
  return llvm::alignTo(bytes, alignment);
}

unsigned DpasMessage::getElementsPerDword() const {
  switch (a) {
  case xevm::ElemType::F16:
  case xevm::ElemType::BF16:
    return 2;
  case xevm::ElemType::S8:
  case xevm::ElemType::U8:
    return 4;
  default:
    return 1;
  }
}

bool mlt::isBlock1D(const IntrinsicInfo &info) {
  if (info.kind == IntrinsicKind::BlockRead1D ||
      info.kind == IntrinsicKind::BlockWrite1D)
    return info.block1D.addressSpace == 1;
  return (info.kind == IntrinsicKind::Gather ||
          info.kind == IntrinsicKind::Scatter) &&
         info.addressed.consecutive && !info.addressed.shared;
}

bool mlt::isDeviceFunctionName(StringRef name) {
  return name.starts_with("_Z") || name.starts_with(kVCPrefix) ||
         name.starts_with("__builtin_IB_");
}

/// Whether a function of this kind may return something.
static bool hasResult(const IntrinsicInfo &info) {
  switch (info.kind) {
  case IntrinsicKind::Native:
  case IntrinsicKind::BlockRead1D:
  case IntrinsicKind::Dpas:
  case IntrinsicKind::RoundToTF32:
  case IntrinsicKind::FloatToBF16:
  case IntrinsicKind::BF16ToFloat:
  case IntrinsicKind::WorkItemId:
  case IntrinsicKind::PrefetchAddress:
  case IntrinsicKind::Gather:
  case IntrinsicKind::AtomicUpdate:
  case IntrinsicKind::Region:
  case IntrinsicKind::Math:
    return true;
  case IntrinsicKind::BlockRead2D:
    return !info.block2D.dataInMemory;
  default:
    return false;
  }
}

FailureOr<IntrinsicInfo>
mlt::decodeIntrinsic(LLVM::CallOp call,
                     std::optional<GenISAGeneration> generation) {
  return Decoder(call, generation).decode();
}

FailureOr<IntrinsicInfo> Decoder::decode() {
  FailureOr<IntrinsicInfo> info = decodeName();
  if (failed(info) || !getResultType() || hasResult(*info))
    return info;
  error() << "expected no result, got " << getResultType();
  return failure();
}

FailureOr<IntrinsicInfo> Decoder::decodeName() {
  if (getName().starts_with("_Z"))
    return decodeMangled();
  if (getName().starts_with(kGenISAPrefix))
    return decodeGenISA();
  if (getName().starts_with(kVCPrefix))
    return decodeVC();
  return decodeInternal();
}

InFlightDiagnostic Decoder::error() {
  return call.emitError() << "device function '" << getName() << "': ";
}

Type Decoder::getResultType() {
  return call.getNumResults() ? call.getResult().getType() : Type();
}

LogicalResult Decoder::expectOperands(unsigned count) {
  if (call.getArgOperands().size() == count)
    return success();
  return error() << "expected " << count << " arguments, got "
                 << call.getArgOperands().size();
}

std::optional<xevm::ElemType> Decoder::getResultAccumulator() {
  Type result = getResultType();
  Type element = result ? getScalarType(result) : Type();
  if (element && element.isF32())
    return xevm::ElemType::F32;
  if (element && element.isF16())
    return xevm::ElemType::F16;
  if (element && element.isInteger(16))
    return xevm::ElemType::BF16;
  if (element && element.isInteger(32))
    return xevm::ElemType::S32;
  error() << "expected a result of f32, f16, i16 (bf16) or i32";
  return std::nullopt;
}

FailureOr<int64_t> Decoder::getConstant(unsigned operand, StringRef meaning) {
  APInt value;
  if (matchPattern(call.getArgOperands()[operand], m_ConstantInt(&value)))
    return value.getBitWidth() == 1 ? value.getZExtValue()
                                    : value.getSExtValue();
  error() << "expected a constant as argument " << operand << " (" << meaning
          << ")";
  return failure();
}

LogicalResult Decoder::checkSignature(const MangledName &name) {
  if (failed(expectOperands(name.params.size())))
    return failure();
  for (auto [index, param] : llvm::enumerate(name.params))
    if (!param.accepts(getOperandType(index)))
      return error() << "argument " << index << " of type "
                     << getOperandType(index)
                     << " does not fit the parameter in the name";
  return success();
}

//===----------------------------------------------------------------------===//
// Checks against the hardware
//===----------------------------------------------------------------------===//

/// Largest height among `forms`.
template <typename Forms> static int64_t getMaxHeight(const Forms &forms) {
  int64_t height = 0;
  for (const auto &form : forms)
    height = std::max(height, form.maxHeight);
  return height;
}

/// Largest number of rows that one message covers.
static int64_t getMaxRows(const TargetDescription &target, bool isWrite) {
  return isWrite ? getMaxHeight(target.stores) : getMaxHeight(target.loads);
}

static bool isLegalPacking(const Block2DMessage &message, bool isRead) {
  switch (message.packing) {
  case BlockPacking::Plain:
    return true;
  case BlockPacking::Vnni:
    return isRead && message.elementBits <= 16;
  case BlockPacking::Transposed:
    return isRead && message.elementBits >= 32 && message.blocks == 1;
  }
  return false;
}

LogicalResult Decoder::checkBlock2D(const IntrinsicInfo &info) {
  const Block2DMessage &message = info.block2D;
  const TargetDescription *target = TargetDescription::get(call);
  if (!target)
    return failure();
  bool isWrite = info.kind == IntrinsicKind::BlockWrite2D;
  bool isRead = info.kind == IntrinsicKind::BlockRead2D;
  auto refuse = [&](const Twine &why) {
    return error() << "the hardware has no block of " << message.describe()
                   << ": " << why;
  };
  unsigned bytes = message.elementBits / 8;
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, message.elementBits))
    return refuse("elements are 8, 16, 32 or 64 bits wide");
  int64_t maxRows = getMaxRows(*target, isWrite);
  if (message.rows == 0 || message.rows > maxRows)
    return refuse("expected 1 to " + Twine(maxRows) + " rows");
  int64_t rowBytes = int64_t(message.columns) * message.blocks * bytes;
  if (rowBytes == 0 || rowBytes > target->block2D.maxRowBytes)
    return refuse("expected 1 to " + Twine(target->block2D.maxRowBytes) +
                  " bytes in a row of all blocks");
  if (rowBytes * message.rows > target->block2D.maxBytes)
    return refuse("more than " + Twine(target->block2D.maxBytes) + " bytes");
  if (isWrite && message.blocks != 1)
    return refuse("a write has one block");
  if (!isLegalPacking(message, isRead))
    return refuse("this packing is not available for these elements");
  if (info.kind == IntrinsicKind::BlockPrefetch2D)
    return success();

  unsigned dataBytes = message.dataType.getElementTypeBitWidth() / 8;
  if (dataBytes < bytes)
    return refuse("its elements do not fit the data type");
  // A new block starts at a new element of the data of every lane, or at a new
  // register.
  int64_t elementBytes =
      message.flat ? dataBytes : target->subGroupSize * dataBytes;
  int64_t alignment = message.flat ? kVCRegisterBytes : elementBytes;
  int64_t expected =
      message.blocks * message.getBlockBytes(alignment) / elementBytes;
  if (message.dataType.getNumElements() != expected)
    return error() << "expected data of " << expected << " x "
                   << message.dataType.getElementType() << " for "
                   << message.describe() << ", got " << message.dataType;
  return success();
}

/// True for element types that may meet in one dot instruction.
static bool isLegalPair(xevm::ElemType a, xevm::ElemType b) {
  auto isByte = [](xevm::ElemType type) {
    return type == xevm::ElemType::S8 || type == xevm::ElemType::U8;
  };
  auto isFloat = [](xevm::ElemType type) {
    return type == xevm::ElemType::F16 || type == xevm::ElemType::BF16 ||
           type == xevm::ElemType::TF32;
  };
  return (isByte(a) && isByte(b)) || (a == b && isFloat(a));
}

static bool isLegalAccumulator(xevm::ElemType input, xevm::ElemType acc) {
  switch (acc) {
  case xevm::ElemType::F32:
    return input != xevm::ElemType::S8 && input != xevm::ElemType::U8;
  case xevm::ElemType::S32:
    return input == xevm::ElemType::S8 || input == xevm::ElemType::U8;
  default:
    return input == acc;
  }
}

LogicalResult Decoder::checkDpas(const DpasMessage &message) {
  const TargetDescription *target = TargetDescription::get(call);
  if (!target)
    return failure();
  if (!llvm::is_contained(target->dotM, message.rows))
    return error() << "the hardware has no dot of " << message.rows << " rows";
  if (!isLegalPair(message.a, message.b))
    return error() << "no dot of " << xevm::stringifyElemType(message.a)
                   << " and " << xevm::stringifyElemType(message.b);
  if (!isLegalAccumulator(message.a, message.accumulator))
    return error() << "a dot of " << xevm::stringifyElemType(message.a)
                   << " cannot accumulate in "
                   << xevm::stringifyElemType(message.accumulator);

  bool isTF32 = message.a == xevm::ElemType::TF32;
  Type i16 = IntegerType::get(call.getContext(), 16);
  Type i32 = IntegerType::get(call.getContext(), 32);
  Type f32 = Float32Type::get(call.getContext());
  unsigned aCount = isTF32 ? std::max(1u, message.rows / 2) : message.rows;
  unsigned bCount = 8, accCount = message.rows;
  if (message.flat) {
    aCount = 8 * message.rows;
    bCount *= target->dotN;
    accCount *= target->dotN;
    isTF32 = false; // Operands are dwords whatever is in them.
  }
  auto check = [&](unsigned operand, StringRef what, unsigned count,
                   Type element) -> LogicalResult {
    Type type = getOperandType(operand);
    if (getLaneElements(type) == count && getScalarType(type) == element)
      return success();
    return error() << "expected " << count << " x " << element << " as operand "
                   << what << ", got " << type;
  };
  Type aType = message.flat ? i32 : isTF32 ? f32 : i16;
  if (failed(check(message.aOperand, "A", aCount, aType)) ||
      failed(check(message.bOperand, "B", bCount, isTF32 ? f32 : i32)))
    return failure();
  if (getOperandType(message.accOperand) != getResultType() ||
      getLaneElements(getResultType()) != accCount)
    return error() << "expected an accumulator and a result of " << message.rows
                   << " rows";
  return success();
}
