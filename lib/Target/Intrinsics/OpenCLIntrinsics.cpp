//===- OpenCLIntrinsics.cpp - mangled OpenCL and SPIR-V built-ins ---------===//
//
// Reads shape, packing and precision out of names like
// `intel_sub_group_2d_block_read_transform_16b_32r16x2c` and checks that the
// mangled parameters are the ones such a built-in has: the device compiler
// resolves by the whole name.
//
//===----------------------------------------------------------------------===//
#include "Support/DeviceFunctions.h"
#include "Target/Intrinsics/Decoder.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mlt;
using xevm::ElemType;

/// Accesses under a condition of each lane, which get a body elsewhere.
static constexpr StringLiteral kPredicatedFunctions[] = {
    "__spirv_PredicatedLoadINTEL", "__spirv_PredicatedStoreINTEL"};

/// Functions that every OpenCL device with sub-groups and the Intel sub-group
/// extension has, the CPU device included; they keep their meaning there.
static constexpr StringLiteral kNativeFunctions[] = {
    // Identification.
    "get_group_id",
    "get_local_id",
    "get_global_id",
    "get_num_groups",
    "get_local_size",
    "get_global_size",
    "get_sub_group_id",
    "get_sub_group_local_id",
    "get_num_sub_groups",
    "get_sub_group_size",
    "get_max_sub_group_size",
    // Synchronisation.
    "barrier",
    "work_group_barrier",
    "sub_group_barrier",
    "__spirv_ControlBarrier",
    "__spirv_MemoryBarrier",
    // Sub-group communication.
    "sub_group_broadcast",
    "sub_group_all",
    "sub_group_any",
    "sub_group_reduce_add",
    "sub_group_reduce_max",
    "sub_group_reduce_min",
    "sub_group_scan_inclusive_add",
    "sub_group_scan_exclusive_add",
    "sub_group_scan_inclusive_max",
    "sub_group_scan_exclusive_max",
    "sub_group_scan_inclusive_min",
    "sub_group_scan_exclusive_min",
    "intel_sub_group_shuffle",
    "intel_sub_group_shuffle_xor",
    "intel_sub_group_shuffle_up",
    "intel_sub_group_shuffle_down",
    "sub_group_shuffle",
    "sub_group_shuffle_xor",
    "__spirv_GroupNonUniformFAdd",
    "__spirv_GroupNonUniformFMax",
    "__spirv_GroupNonUniformFMin",
    "__spirv_GroupNonUniformIAdd",
    "__spirv_GroupNonUniformSMax",
    "__spirv_GroupNonUniformSMin",
    "__spirv_GroupNonUniformUMax",
    "__spirv_GroupNonUniformUMin",
    // Atomics.
    "__spirv_AtomicFAddEXT",
    "__spirv_AtomicFMaxEXT",
    "__spirv_AtomicFMinEXT",
    // Arithmetic.
    "exp",
    "exp2",
    "log",
    "log2",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "tanh",
    "erf",
    "pow",
    "fabs",
    "floor",
    "ceil",
    "fma",
    "fmin",
    "fmax",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cosh",
    "erfc",
    "expm1",
    "log1p",
    "mul_hi",
    "sinh",
    "tan",
    "native_exp2",
    "native_sqrt",
    "native_rsqrt",
    "native_recip",
};

FailureOr<IntrinsicInfo> Decoder::decodeMangled() {
  llvm::Expected<MangledName> name = demangle(getName());
  if (!name) {
    call.emitError() << "unknown device function: "
                     << llvm::toString(name.takeError());
    return failure();
  }
  if (failed(checkSignature(*name)))
    return failure();
  StringRef base = name->base;
  MLIRContext *context = call.getContext();
  if (base.starts_with("intel_sub_group_2d_block_"))
    return decodeBlock2D(*name);
  if (base.starts_with("intel_sub_group_block_"))
    return decodeBlock1D(*name);
  if (base.contains("_matrix_mad_k"))
    return decodeMatrixMad(*name);
  if (base == "__spirv_RoundFToTF32INTEL")
    return decodeConversion(*name, IntrinsicKind::RoundToTF32, "f",
                            Float32Type::get(context));
  if (base == "__spirv_ConvertFToBF16INTEL")
    return decodeConversion(*name, IntrinsicKind::FloatToBF16, "f",
                            IntegerType::get(context, 16));
  if (base == "__spirv_ConvertBF16ToFINTEL")
    return decodeConversion(*name, IntrinsicKind::BF16ToFloat, "s",
                            Float32Type::get(context));
  if (base == "__spirv_ControlBarrierArriveINTEL")
    return IntrinsicInfo{IntrinsicKind::BarrierArrive, {}, {}, {}};
  if (base == "__spirv_ControlBarrierWaitINTEL")
    return IntrinsicInfo{IntrinsicKind::BarrierWait, {}, {}, {}};
  if (llvm::is_contained(kPredicatedFunctions, base))
    return IntrinsicInfo{IntrinsicKind::Native, {}, {}, {}};
  if (llvm::is_contained(kNativeFunctions, base) || findDeviceFunction(base) ||
      base.starts_with("convert_")) {
    for (const MangledType &param : name->params)
      if (!llvm::is_contained({1u, 2u, 3u, 4u, 8u, 16u}, param.lanes)) {
        error() << "OpenCL has no overload for vectors of " << param.lanes;
        return failure();
      }
    return IntrinsicInfo{IntrinsicKind::Native, {}, {}, {}};
  }
  call.emitError() << "unknown device function '" << base << "' (" << getName()
                   << "): it has no meaning on other devices";
  return failure();
}

FailureOr<IntrinsicInfo> Decoder::decodeConversion(const MangledName &name,
                                                   IntrinsicKind kind,
                                                   StringRef from, Type to) {
  if (name.params.size() != 1 || name.params[0].isPointer ||
      name.params[0].code != from) {
    error() << "expected one parameter of scalar code '" << from << "'";
    return failure();
  }
  Type result = getResultType();
  if (!result || getScalarType(result) != to ||
      getLaneElements(result) != name.params[0].lanes) {
    error() << "expected a result of " << name.params[0].lanes << " x " << to;
    return failure();
  }
  return IntrinsicInfo{kind, {}, {}, {}};
}

//===----------------------------------------------------------------------===//
// Block messages
//===----------------------------------------------------------------------===//

/// Parses "<bits>b_<rows>r<columns>x<blocks>c".
static bool parseShape(StringRef text, Block2DMessage &message) {
  return !text.consumeInteger(10, message.elementBits) &&
         text.consume_front("b_") && !text.consumeInteger(10, message.rows) &&
         text.consume_front("r") && !text.consumeInteger(10, message.columns) &&
         text.consume_front("x") && !text.consumeInteger(10, message.blocks) &&
         text == "c";
}

/// Unsigned integer code of the data that a built-in moves per lane: a row's
/// share for plain blocks, dwords for packed ones.
static StringRef getDataCode(const Block2DMessage &message) {
  unsigned bits = message.elementBits;
  if (message.packing != BlockPacking::Plain)
    bits = std::max(32u, bits);
  else if (message.columns > 16)
    bits = bits * message.columns / 16;
  return llvm::StringSwitch<StringRef>(std::to_string(bits))
      .Case("8", "h")
      .Case("16", "t")
      .Case("32", "j")
      .Case("64", "m")
      .Default("");
}

static unsigned getCodeBits(StringRef code) {
  return llvm::StringSwitch<unsigned>(code)
      .Case("h", 8)
      .Case("t", 16)
      .Case("j", 32)
      .Case("m", 64)
      .Default(0);
}

FailureOr<IntrinsicInfo> Decoder::decodeBlock2D(const MangledName &name) {
  IntrinsicInfo info{IntrinsicKind::BlockRead2D, {}, {}, {}};
  Block2DMessage &message = info.block2D;
  message.vectorCoordinates = true;
  StringRef rest = name.base;
  rest.consume_front("intel_sub_group_2d_block_");
  if (rest.consume_front("read_transform_"))
    message.packing = BlockPacking::Vnni;
  else if (rest.consume_front("read_transpose_"))
    message.packing = BlockPacking::Transposed;
  else if (rest.consume_front("write_"))
    info.kind = IntrinsicKind::BlockWrite2D;
  else if (rest.consume_front("prefetch_"))
    info.kind = IntrinsicKind::BlockPrefetch2D;
  else if (!rest.consume_front("read_"))
    rest = "";
  if (!parseShape(rest, message)) {
    error() << "expected read[_transform|_transpose], write or prefetch and "
               "then <bits>b_<rows>r<columns>x<blocks>c";
    return failure();
  }

  bool hasData = info.kind != IntrinsicKind::BlockPrefetch2D;
  SmallVector<MangledType, 6> params = {
      MangledType::pointer(1, false, "v"), MangledType::scalar("i"),
      MangledType::scalar("i"), MangledType::scalar("i"),
      MangledType::vector(2, "i")};
  if (hasData)
    params.push_back(MangledType::pointer(0, false, getDataCode(message)));
  std::string expected = mangle(name.base, params);
  if (getDataCode(message).empty() || expected != getName()) {
    error() << "expected the parameters of '" << expected << "'";
    return failure();
  }
  if (hasData) {
    unsigned bits = getCodeBits(params.back().code);
    message.dataOperand = 5;
    message.dataInMemory = true;
    // One element for each 16 of the block: the sub-group size of the ABI.
    unsigned elementBytes = 16 * bits / 8;
    message.dataType = VectorType::get(
        {message.blocks * message.getBlockBytes(elementBytes) / elementBytes},
        IntegerType::get(call.getContext(), bits));
  }
  if (failed(checkBlock2D(info)))
    return failure();
  return info;
}

FailureOr<IntrinsicInfo> Decoder::decodeBlock1D(const MangledName &name) {
  StringRef rest = name.base;
  rest.consume_front("intel_sub_group_block_");
  bool isWrite = rest.consume_front("write");
  if (!isWrite && !rest.consume_front("read"))
    rest = "?";
  StringRef code = "j";
  if (rest.consume_front("_uc"))
    code = "h";
  else if (rest.consume_front("_us"))
    code = "t";
  else if (rest.consume_front("_ul"))
    code = "m";
  unsigned count = 1;
  if (!rest.empty() && (rest.consumeInteger(10, count) || !rest.empty()))
    count = 0;
  unsigned maxCount = code == "h" || code == "t" ? 16 : 8;
  if (count == 0 || count > maxCount || !llvm::isPowerOf2_32(count)) {
    error() << "expected read or write, _uc, _us, _ul or nothing, and a power "
               "of two up to "
            << maxCount;
    return failure();
  }
  unsigned addressSpace = name.params.empty() ? 0 : name.params[0].addressSpace;
  SmallVector<MangledType, 2> params = {
      MangledType::pointer(addressSpace, !isWrite, code)};
  if (isWrite)
    params.push_back(MangledType::vector(count, code));
  std::string expected = mangle(name.base, params);
  if (expected != getName() || (addressSpace != 1 && addressSpace != 3)) {
    error() << "expected the parameters of '" << expected
            << "' with global or local memory";
    return failure();
  }
  unsigned bits = getCodeBits(code);
  if (!isWrite &&
      (!getResultType() ||
       !MangledType::vector(count, code).accepts(getResultType()))) {
    error() << "expected a result of " << count << " x i" << bits;
    return failure();
  }
  return IntrinsicInfo{isWrite ? IntrinsicKind::BlockWrite1D
                               : IntrinsicKind::BlockRead1D,
                       {},
                       {bits, count, addressSpace},
                       {}};
}

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

static std::optional<ElemType> consumeInputType(StringRef &text) {
  static constexpr std::pair<StringLiteral, ElemType> kTypes[] = {
      {"f16_", ElemType::F16},
      {"bf16_", ElemType::BF16},
      {"tf32_", ElemType::TF32},
      {"i8_", ElemType::S8},
      {"u8_", ElemType::U8}};
  for (auto [name, type] : kTypes)
    if (text.consume_front(name))
      return type;
  return std::nullopt;
}

/// Accumulator type of a parameter with Itanium code `code`.
static std::optional<ElemType> getAccumulator(ElemType input, StringRef code) {
  if (code == "f")
    return ElemType::F32;
  if (code == "i")
    return ElemType::S32;
  if (code == "Dh")
    return ElemType::F16;
  if (code == "s" && input == ElemType::BF16)
    return ElemType::BF16;
  return std::nullopt;
}

FailureOr<IntrinsicInfo> Decoder::decodeMatrixMad(const MangledName &name) {
  StringRef rest = name.base;
  rest.consume_front("intel_sub_group_");
  std::optional<ElemType> a = consumeInputType(rest);
  std::optional<ElemType> b = consumeInputType(rest);
  unsigned k;
  if (!a || !b || !rest.consume_front("matrix_mad_k") ||
      rest.consumeInteger(10, k) || !rest.empty() || name.params.size() != 3) {
    error() << "expected intel_sub_group_<a>_<b>_matrix_mad_k<K> and three "
               "parameters";
    return failure();
  }
  std::optional<ElemType> acc = getAccumulator(*a, name.params[2].code);
  if (!acc) {
    error() << "no dot of these inputs accumulates in code '"
            << name.params[2].code << "'";
    return failure();
  }
  IntrinsicInfo info{IntrinsicKind::Dpas, {}, {}, {}};
  info.dpas = {*a, *b, *acc, name.params[2].lanes, 0, 1, 2};
  if (failed(checkDpas(info.dpas)))
    return failure();
  // Unsigned inputs are passed as unsigned types, and K follows from them.
  bool tf32 = *a == ElemType::TF32;
  StringRef aCode = tf32 ? "f" : *a == ElemType::U8 ? "t" : "s";
  StringRef bCode = tf32 ? "f" : *b == ElemType::U8 ? "j" : "i";
  if (name.params[0].code != aCode || name.params[1].code != bCode ||
      k != info.dpas.getK()) {
    error() << "expected K = " << info.dpas.getK()
            << " and parameters of scalar codes '" << aCode << "' and '"
            << bCode << "'";
    return failure();
  }
  // The name has to be spelled with the substitutions of the ABI.
  std::string expected = mangle(name.base, name.params);
  if (expected != getName()) {
    error() << "expected the name to be spelled '" << expected << "'";
    return failure();
  }
  return info;
}
