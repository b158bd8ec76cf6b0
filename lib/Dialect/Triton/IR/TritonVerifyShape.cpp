//===- TritonVerifyShape.cpp - verifiers of casts and shape operations ----===//
//
// Encodings are not looked at here: whoever assigns them owns their rules.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/Triton.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tt;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Sizes or dimensions as they are written in an array attribute.
static std::string asList(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(values, stream << "[");
  stream << "]";
  return text;
}

static LogicalResult expectShape(Operation *op, ArrayRef<int64_t> expected,
                                 ArrayRef<int64_t> got) {
  if (expected == got)
    return success();
  return op->emitOpError("expected a result of shape ")
         << asList(expected) << ", got " << asList(got);
}

//===----------------------------------------------------------------------===//
// Casts and opaque elementwise operations
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  Type from = getElementTypeOrSelf(getSrc().getType());
  Type to = getElementTypeOrSelf(getResult().getType());
  auto fromPointer = dyn_cast<PointerType>(from);
  auto toPointer = dyn_cast<PointerType>(to);
  if (!fromPointer != !toPointer)
    return emitOpError("expected two pointers or none, got ")
           << from << " and " << to;
  if (fromPointer &&
      fromPointer.getAddressSpace() != toPointer.getAddressSpace())
    return emitOpError("expected pointers of the same address space, got ")
           << from << " and " << to;
  if (getElementBitWidth(from) != getElementBitWidth(to))
    return emitOpError("expected types of the same width, got ")
           << from << " and " << to;
  return success();
}

LogicalResult FpToFpOp::verify() {
  unsigned from = getElementBitWidth(getSrc().getType());
  unsigned to = getElementBitWidth(getResult().getType());
  if (to < from && !getRounding())
    return emitOpError("expected a rounding mode for the conversion of ")
           << getElementTypeOrSelf(getSrc().getType()) << " to the narrower "
           << getElementTypeOrSelf(getResult().getType());
  return success();
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  int64_t packed = static_cast<int32_t>(getPackedElement());
  if (packed < 1)
    return emitOpError("expected packed_element of at least 1, got ") << packed;
  for (Value arg : getArgs()) {
    auto tensor = dyn_cast<RankedTensorType>(arg.getType());
    if (tensor && tensor.getNumElements() % packed != 0)
      return emitOpError("expected a number of elements divisible by "
                         "packed_element, got ")
             << tensor << " and " << packed;
  }
  return success();
}

LogicalResult MapElementwiseOp::verify() {
  int64_t pack = static_cast<int32_t>(getPack());
  if (pack < 1)
    return emitOpError("expected pack of at least 1, got ") << pack;
  if (getSrcs().empty())
    return emitOpError("expected at least one operand");
  auto tensor = cast<RankedTensorType>(getSrcs().front().getType());
  if (tensor.getNumElements() % pack != 0)
    return emitOpError("expected a number of elements divisible by pack, got ")
           << tensor << " and " << pack;
  return success();
}

/// `types` are the elements of `tensors`, each `pack` times.
static bool areElementsOf(TypeRange types, TypeRange tensors, uint64_t pack) {
  if (types.size() != tensors.size() * pack)
    return false;
  for (auto [index, type] : llvm::enumerate(types))
    if (type != getElementTypeOrSelf(tensors[index / pack]))
      return false;
  return true;
}

LogicalResult MapElementwiseOp::verifyRegions() {
  Region &region = getScalarOp();
  if (region.empty())
    return emitOpError("expected a region with a body");
  if (!areElementsOf(region.getArgumentTypes(), getOperandTypes(), getPack()))
    return emitOpError("expected a region that takes ")
           << getPack() << " elements of each operand";
  for (Block &block : region) {
    Operation *terminator = block.getTerminator();
    if (terminator->getNumSuccessors() != 0)
      continue;
    auto returnOp = dyn_cast<MapElementwiseReturnOp>(terminator);
    if (!returnOp)
      return terminator->emitOpError(
          "expected tt.map_elementwise.return to end the region");
    if (!areElementsOf(returnOp.getOperandTypes(), getResultTypes(), getPack()))
      return returnOp.emitOpError("expected ")
             << getPack() << " elements of each result";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  RankedTensorType type = getType();
  if (!type.getElementType().isInteger(32))
    return emitOpError("expected a tensor of i32, got ") << type;
  if (type.getRank() != 1)
    return emitOpError("expected a tensor of rank 1, got ") << type;
  if (start >= end)
    return emitOpError("expected start below end, got ")
           << start << " and " << end;
  if (end - start != type.getDimSize(0))
    return emitOpError("expected ")
           << end - start << " elements, got " << type.getDimSize(0);
  return success();
}

LogicalResult SplatOp::verify() {
  if (isa<RankedTensorType>(getSrc().getType()))
    return emitOpError("expected a scalar to splat, got ")
           << getSrc().getType();
  return success();
}

LogicalResult UnsplatOp::verify() {
  if (getSrc().getType().getNumElements() != 1)
    return emitOpError("expected a tensor of one element, got ")
           << getSrc().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Changing shapes
//===----------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> expected(shapeOf(getSrc()));
  if (getAxis() > expected.size())
    return emitOpError("expected an axis from 0 to ")
           << expected.size() << ", got " << getAxisAttr().getInt();
  expected.insert(expected.begin() + getAxis(), 1);
  return expectShape(*this, expected, shapeOf(getResult()));
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc()), to = shapeOf(getResult());
  if (from.size() != to.size())
    return emitOpError("expected a result of rank ")
           << from.size() << ", got rank " << to.size();
  for (auto [index, sizes] : llvm::enumerate(llvm::zip(from, to))) {
    auto [fromSize, toSize] = sizes;
    if (fromSize != 1 && fromSize != toSize)
      return emitOpError("expected dimension ")
             << index << " to keep its size " << fromSize << ", got " << toSize;
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  int64_t from = getSrc().getType().getNumElements();
  int64_t to = getType().getNumElements();
  if (from != to)
    return emitOpError("expected a result of ")
           << from << " elements, got " << to;
  return success();
}

LogicalResult TransOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc());
  SmallVector<int64_t> order(getOrder());
  if (order.size() != from.size() || !isPermutationVector(order))
    return emitOpError("expected order to be a permutation of ")
           << from.size() << " dimensions, got " << asList(order);
  return expectShape(*this, applyPermutation(from, order),
                     shapeOf(getResult()));
}

LogicalResult JoinOp::verify() {
  SmallVector<int64_t> expected(shapeOf(getLhs()));
  expected.push_back(2);
  return expectShape(*this, expected, shapeOf(getResult()));
}

LogicalResult SplitOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc());
  if (from.empty() || from.back() != 2)
    return emitOpError("expected a last dimension of size 2, got ")
           << getSrc().getType();
  if (getElementTypeOrSelf(getSrc()) != getElementTypeOrSelf(getOutLHS()))
    return emitOpError("expected results of element type ")
           << getElementTypeOrSelf(getSrc()) << ", got "
           << getElementTypeOrSelf(getOutLHS());
  return expectShape(*this, from.drop_back(), shapeOf(getOutLHS()));
}

LogicalResult CatOp::verify() {
  int64_t expected = 2 * getLhs().getType().getNumElements();
  if (getType().getNumElements() != expected)
    return emitOpError("expected a result of ")
           << expected << " elements, got " << getType().getNumElements();
  return success();
}

LogicalResult GatherOp::verify() {
  ArrayRef<int64_t> from = shapeOf(getSrc()), indices = shapeOf(getIndices());
  if (getElementTypeOrSelf(getSrc()) != getElementTypeOrSelf(getResult()))
    return emitOpError("expected a result of element type ")
           << getElementTypeOrSelf(getSrc()) << ", got "
           << getElementTypeOrSelf(getResult());
  if (failed(expectShape(*this, indices, shapeOf(getResult()))))
    return failure();
  if (from.size() != indices.size())
    return emitOpError("expected indices of rank ")
           << from.size() << ", got rank " << indices.size();
  if (getAxis() >= from.size())
    return emitOpError("expected an axis below ")
           << from.size() << ", got " << getAxisAttr().getInt();
  for (size_t dim = 0; dim < from.size(); ++dim)
    if (dim != getAxis() && from[dim] != indices[dim])
      return emitOpError("expected indices of size ")
             << from[dim] << " in dimension " << dim << ", got "
             << indices[dim];
  return success();
}
