//===- Intrinsics.h - what the name of a device intrinsic means -----------===//
//
// Decodes a call to a device function into a description of what the hardware
// will do. Everything (shape, packing, precision, units of the arguments) comes
// from the name that the native side hands to the device compiler, or from
// constant operands where the name does not carry it. Whoever executes such a
// call elsewhere therefore executes what was really emitted.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TARGET_INTRINSICS_INTRINSICS_H
#define MLTC_TARGET_INTRINSICS_INTRINSICS_H

#include "Target/Intrinsics/GenISA.h"
#include "Target/Intrinsics/VC.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::mlt {

/// Attribute of a kernel that holds its record for the manifest.
inline constexpr StringLiteral kKernelAttr = "mlt.kernel";

/// Order of the elements of a 2-D block in registers.
enum class BlockPacking { Plain, Vnni, Transposed };

/// A 2-D block message. Operand numbers refer to the call.
struct Block2DMessage {
  unsigned elementBits;
  unsigned rows;
  unsigned columns;
  unsigned blocks = 1;
  BlockPacking packing = BlockPacking::Plain;
  /// The data is the whole register image, not one lane's share.
  bool flat = false;
  /// Operand that holds the base; width, height, pitch and coordinates follow.
  unsigned surfaceOperand = 0;
  /// Surface width, height and pitch are passed minus one.
  bool sizesMinusOne = false;
  /// The base is an integer (not a pointer to global memory).
  bool integerBase = false;
  /// x and y are the two elements of one vector operand (else two operands).
  bool vectorCoordinates = false;
  /// Operand that holds the data, if it is not the result: a pointer to private
  /// memory when `dataInMemory`, else the value.
  std::optional<unsigned> dataOperand;
  bool dataInMemory = false;
  /// Type of the data of one lane, or of all when flat.
  VectorType dataType;

  /// Bytes of one block in registers. Rows (columns of a transposed block) are
  /// padded to a power of two, blocks to `alignment`.
  unsigned getBlockBytes(unsigned alignment) const;
  /// Rows that one dword of a VNNI block packs; 1 for other packings.
  unsigned getPackedRows() const {
    return packing == BlockPacking::Vnni ? 32 / elementBits : 1;
  }
  /// "16b 32r16x2 vnni", for messages.
  std::string describe() const;
};

/// A 1-D block message: element k of lane l is element 16 k + l in memory.
struct Block1DMessage {
  unsigned elementBits;
  unsigned count;
  unsigned addressSpace;
};

/// A dot (dpas) instruction of `rows` x 16 with eight dwords along K.
struct DpasMessage {
  xevm::ElemType a, b;
  /// F32, F16, BF16 or S32.
  xevm::ElemType accumulator;
  unsigned rows;
  unsigned aOperand, bOperand, accOperand;
  /// Operands are whole register images, not one lane's share.
  bool flat = false;

  /// Elements of A or B in a dword: 1, 2 or 4.
  unsigned getElementsPerDword() const;
  unsigned getK() const { return 8 * getElementsPerDword(); }
};

/// A load, store or atomic update of `count` elements at an address each, or
/// of `perAddress` consecutive ones: the data has the first of all addresses,
/// then the second of all.
struct AddressedMessage {
  /// The operation of an atomic update.
  std::optional<VCAtomicOp> update;
  bool shared;
  unsigned elementBits;
  unsigned count;
  unsigned perAddress = 1;
  /// A message with one address only, for consecutive elements.
  bool consecutive = false;
};

/// A region of a vector: element i is element
/// offset + i / width * rowStride + i % width * stride.
struct RegionMessage {
  int64_t offset, rowStride, width, stride;
};

/// Functions of one element at a time: of the math unit, roundings to integers,
/// and the larger and the smaller of two numbers, which is the other one where
/// one is NaN.
enum class MathFunction {
  Exp2,
  Log2,
  Sqrt,
  RSqrt,
  Inverse,
  Sin,
  Cos,
  Floor,
  Ceil,
  Truncate,
  RoundEven,
  Max,
  Min
};

/// A number of the work-item or of the launch.
struct WorkItemQuery {
  /// The OpenCL function of the axis.
  StringLiteral function = "";
  /// -1: a vector of all three.
  int axis = 0;
};

enum class IntrinsicKind {
  /// Known on every OpenCL device with sub-groups; stays a call.
  Native,
  BlockRead2D,
  BlockWrite2D,
  BlockPrefetch2D,
  BlockRead1D,
  BlockWrite1D,
  Dpas,
  RoundToTF32,
  FloatToBF16,
  BF16ToFloat,
  /// A hint without result.
  Prefetch,
  /// The address of prefetches in a register, to which only they refer.
  PrefetchAddress,
  /// A work-group barrier without a memory fence.
  Barrier,
  BarrierArrive,
  BarrierWait,
  Fence,
  WorkItemId,
  Gather,
  Scatter,
  AtomicUpdate,
  Region,
  Math,
};

struct IntrinsicInfo {
  IntrinsicKind kind;
  /// Valid for the kinds with a message of that type.
  Block2DMessage block2D;
  Block1DMessage block1D;
  DpasMessage dpas;
  WorkItemQuery query = {};
  AddressedMessage addressed = {};
  RegionMessage region = {};
  MathFunction math = {};
};

/// True for a message of consecutive elements of global memory from one address
/// on, whose address is that of all.
bool isBlock1D(const IntrinsicInfo &info);

/// True when `name` belongs to a device function that has to be decoded: a
/// mangled OpenCL or SPIR-V built-in, an intrinsic of IGC, or a
/// compiler-internal built-in.
bool isDeviceFunctionName(StringRef name);

/// Decodes `call` to a declared device function. Returns failure after an error
/// at the call when the name is unknown, a signature does not fit the name, an
/// operand that selects the operation is not a constant, or the hardware has no
/// such operation. `generation` selects the GenISA codes; nullopt is an error
/// only where it matters.
FailureOr<IntrinsicInfo>
decodeIntrinsic(LLVM::CallOp call, std::optional<GenISAGeneration> generation);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_INTRINSICS_H
