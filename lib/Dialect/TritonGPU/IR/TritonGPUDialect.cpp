//===- TritonGPUDialect.cpp - layout encodings of ML-Triton ---------------===//
//
// Implements the mapping rules of the paper's Table 3: every encoding answers
// with its equivalent blocked encoding, evaluated for the shape of the tensor
// that carries it. Warp coordinates exist in the root encoding only, so slices
// of dot operands of slices compose without special cases.
//
//===----------------------------------------------------------------------===//
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "Dialect/TritonGPU/IR/TritonGPUAttrInterfaces.cpp.inc"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Dialect/TritonGPU/IR/TritonGPUAttrs.cpp.inc"

using namespace mlir;
using namespace mlir::ttg;

namespace {
/// Prints encodings as #blocked, #slice and #dot<operand, operand of parent..>:
/// #dot10 is operand B of a dot whose result is operand A of another.
struct EncodingAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<BlockedEncodingAttr>(attr)) {
      os << "blocked";
      return AliasResult::FinalAlias;
    }
    if (isa<SliceEncodingAttr>(attr)) {
      os << "slice";
      return AliasResult::FinalAlias;
    }
    if (!isa<DotOperandEncodingAttr>(attr))
      return AliasResult::NoAlias;
    os << "dot";
    while (auto operand = dyn_cast<DotOperandEncodingAttr>(attr)) {
      os << operand.getOpIdx();
      attr = operand.getParent();
    }
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TritonGPUDialect::initialize() {
  addInterfaces<EncodingAliases>();
  registerOps();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/TritonGPU/IR/TritonGPUAttrs.cpp.inc"
      >();
}

LogicalResult TritonGPUDialect::verifyOperationAttribute(Operation *op,
                                                         NamedAttribute attr) {
  if (attr.getName() != kNumWarpsAttr && attr.getName() != kThreadsPerWarpAttr)
    return success();
  if (!isa<ModuleOp>(op))
    return op->emitError() << "expected '" << attr.getName().getValue()
                           << "' on a module, found it on '" << op->getName()
                           << "'";
  auto value = dyn_cast<IntegerAttr>(attr.getValue());
  if (!value || !value.getType().isInteger(32))
    return op->emitError() << "expected '" << attr.getName().getValue()
                           << "' to be an i32, got " << attr.getValue();
  if (attr.getName() == kNumWarpsAttr && !isLegalWarpCount(value.getInt()))
    return op->emitError() << "expected a number of warps that is a power of "
                              "two from 1 to "
                           << kMaxWarps << ", got " << value.getInt();
  return success();
}

//===----------------------------------------------------------------------===//
// blocked
//===----------------------------------------------------------------------===//

LogicalResult BlockedEncodingAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> sizePerWarp,
    ArrayRef<int64_t> warpsPerCTA, ArrayRef<int64_t> order) {
  size_t rank = sizePerWarp.size();
  if (rank == 0 || warpsPerCTA.size() != rank || order.size() != rank)
    return emitError() << "expected sizePerWarp, warpsPerCTA and order of one "
                          "length of at least 1, got "
                       << rank << ", " << warpsPerCTA.size() << " and "
                       << order.size();
  auto isPowerOf2 = [](int64_t n) { return n > 0 && llvm::isPowerOf2_64(n); };
  if (!llvm::all_of(sizePerWarp, isPowerOf2) ||
      !llvm::all_of(warpsPerCTA, isPowerOf2))
    return emitError() << "expected powers of two in sizePerWarp and "
                          "warpsPerCTA";
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, rank)))
    return emitError() << "expected order to be a permutation of 0.."
                       << rank - 1;
  return success();
}

Attribute BlockedEncodingAttr::getRoot() const { return *this; }

unsigned BlockedEncodingAttr::getRank() const {
  return getSizePerWarp().size();
}

SmallVector<std::optional<unsigned>> BlockedEncodingAttr::getRootDims() const {
  return llvm::to_vector(
      llvm::map_range(llvm::seq<unsigned>(0, getRank()), [](unsigned dim) {
        return std::optional<unsigned>(dim);
      }));
}

SmallVector<int64_t>
BlockedEncodingAttr::getSizePerWarp(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> size;
  for (auto [perWarp, extent] : llvm::zip_equal(getSizePerWarp(), shape))
    size.push_back(std::min(perWarp, extent));
  return size;
}

//===----------------------------------------------------------------------===//
// dot_op
//===----------------------------------------------------------------------===//

LogicalResult
DotOperandEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               unsigned opIdx, Attribute parent) {
  if (opIdx > 1)
    return emitError() << "expected opIdx 0 or 1, got " << opIdx;
  auto encoding = dyn_cast<WarpEncodingAttr>(parent);
  if (!encoding)
    return emitError() << "expected a layout encoding as parent, got "
                       << parent;
  if (encoding.getRank() < 2)
    return emitError() << "expected a parent of rank 2 or more, got rank "
                       << encoding.getRank();
  return success();
}

Attribute DotOperandEncodingAttr::getRoot() const {
  return cast<WarpEncodingAttr>(getParent()).getRoot();
}

unsigned DotOperandEncodingAttr::getRank() const {
  return cast<WarpEncodingAttr>(getParent()).getRank();
}

/// The reduction dimension of the dot (K): last for A, last but one for B.
static unsigned getReductionDim(DotOperandEncodingAttr encoding) {
  return encoding.getRank() - 1 - encoding.getOpIdx();
}

SmallVector<std::optional<unsigned>>
DotOperandEncodingAttr::getRootDims() const {
  auto dims = cast<WarpEncodingAttr>(getParent()).getRootDims();
  dims[getReductionDim(*this)] = std::nullopt;
  return dims;
}

SmallVector<int64_t>
DotOperandEncodingAttr::getSizePerWarp(ArrayRef<int64_t> shape) const {
  auto size = cast<WarpEncodingAttr>(getParent()).getSizePerWarp(shape);
  unsigned k = getReductionDim(*this);
  size[k] = shape[k];
  return size;
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

LogicalResult
SliceEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          unsigned dim, Attribute parent) {
  auto encoding = dyn_cast<WarpEncodingAttr>(parent);
  if (!encoding)
    return emitError() << "expected a layout encoding as parent, got "
                       << parent;
  if (dim >= encoding.getRank())
    return emitError() << "expected dim below the parent's rank "
                       << encoding.getRank() << ", got " << dim;
  if (encoding.getRank() < 2)
    return emitError() << "expected a parent of rank 2 or more";
  return success();
}

Attribute SliceEncodingAttr::getRoot() const {
  return cast<WarpEncodingAttr>(getParent()).getRoot();
}

unsigned SliceEncodingAttr::getRank() const {
  return cast<WarpEncodingAttr>(getParent()).getRank() - 1;
}

SmallVector<std::optional<unsigned>> SliceEncodingAttr::getRootDims() const {
  auto dims = cast<WarpEncodingAttr>(getParent()).getRootDims();
  dims.erase(dims.begin() + getDim());
  return dims;
}

SmallVector<int64_t>
SliceEncodingAttr::getSizePerWarp(ArrayRef<int64_t> shape) const {
  // The erased extent does not matter: its entry is erased again.
  SmallVector<int64_t> parentShape(shape);
  parentShape.insert(parentShape.begin() + getDim(), 1);
  auto size = cast<WarpEncodingAttr>(getParent()).getSizePerWarp(parentShape);
  size.erase(size.begin() + getDim());
  return size;
}

//===----------------------------------------------------------------------===//
// Distribution over warps
//===----------------------------------------------------------------------===//

SmallVector<std::pair<unsigned, int64_t>>
WarpDistribution::getReplication() const {
  SmallVector<std::pair<unsigned, int64_t>> replicated;
  for (auto [rootDim, warps] : llvm::enumerate(root.getWarpsPerCTA())) {
    int64_t tiles = 1;
    for (auto [dim, source] : llvm::enumerate(rootDims))
      if (source == static_cast<unsigned>(rootDim))
        tiles = numTiles[dim];
    if (tiles < warps)
      replicated.emplace_back(rootDim, tiles);
  }
  return replicated;
}

BlockedEncodingAttr ttg::getRootEncoding(WarpEncodingAttr encoding) {
  return cast<BlockedEncodingAttr>(encoding.getRoot());
}

std::optional<WarpDistribution>
ttg::getWarpDistribution(RankedTensorType type) {
  auto encoding = dyn_cast_if_present<WarpEncodingAttr>(type.getEncoding());
  if (!encoding)
    return std::nullopt;
  WarpDistribution result;
  result.root = getRootEncoding(encoding);
  result.sizePerWarp = encoding.getSizePerWarp(type.getShape());
  result.rootDims = encoding.getRootDims();
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    result.numTiles.push_back(
        result.rootDims[dim] ? extent / result.sizePerWarp[dim] : 1);
  return result;
}

RankedTensorType ttg::getWarpType(RankedTensorType type) {
  std::optional<WarpDistribution> distribution = getWarpDistribution(type);
  if (!distribution)
    return type;
  return RankedTensorType::get(distribution->sizePerWarp,
                               type.getElementType());
}

SmallVector<int64_t> ttg::getWarpCoordinates(BlockedEncodingAttr root,
                                             int64_t warp) {
  ArrayRef<int64_t> warps = root.getWarpsPerCTA();
  SmallVector<int64_t> coordinates(warps.size());
  for (unsigned dim = warps.size(); dim-- > 0;) {
    coordinates[dim] = warp % warps[dim];
    warp /= warps[dim];
  }
  return coordinates;
}

std::optional<int64_t> ttg::lookupNumWarps(ModuleOp module) {
  auto attr =
      module->getAttrOfType<IntegerAttr>(TritonGPUDialect::kNumWarpsAttr);
  if (!attr)
    return std::nullopt;
  return attr.getInt();
}

bool ttg::isLegalWarpCount(int64_t numWarps) {
  return numWarps >= 1 && numWarps <= kMaxWarps &&
         llvm::isPowerOf2_64(numWarps);
}
