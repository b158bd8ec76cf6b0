//===- TritonVerifyCompute.cpp - verifiers of dots, reductions, scans -----===//
#include "Dialect/Triton/IR/Triton.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tt;

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// Sizes of a dot whose operands may hold several elements in one: a is
/// [batch.., m / packM, k / packA], b is [batch.., k / packB, n / packN].
struct DotPacking {
  int64_t m = 1, n = 1, a = 1, b = 1;
};

static LogicalResult verifyDotShapes(Operation *op, RankedTensorType a,
                                     RankedTensorType b, RankedTensorType c,
                                     const DotPacking &pack) {
  int64_t rank = a.getRank();
  if (rank != 2 && rank != 3)
    return op->emitOpError("expected operands of rank 2 or 3, got ") << a;
  if (b.getRank() != rank || c.getRank() != rank)
    return op->emitOpError("expected operands of the same rank, got ")
           << a << ", " << b << " and " << c;
  ArrayRef<int64_t> aShape = a.getShape(), bShape = b.getShape();
  if (rank == 3 && (aShape[0] != bShape[0] || aShape[0] != c.getDimSize(0)))
    return op->emitOpError("expected the same batch size, got ")
           << a << ", " << b << " and " << c;
  int64_t k = aShape[rank - 1] * pack.a;
  if (k != bShape[rank - 2] * pack.b)
    return op->emitOpError("expected ")
           << k << " rows of b, one per column of a, got "
           << bShape[rank - 2] * pack.b;
  int64_t m = aShape[rank - 2] * pack.m, n = bShape[rank - 1] * pack.n;
  if (c.getDimSize(rank - 2) != m || c.getDimSize(rank - 1) != n)
    return op->emitOpError("expected an accumulator of ")
           << m << "x" << n << ", got " << c;
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(),
                   c = getC().getType();
  if (failed(verifyDotShapes(*this, a, b, c, DotPacking())))
    return failure();
  Type aElement = a.getElementType(), bElement = b.getElementType();
  if (aElement.getIntOrFloatBitWidth() != bElement.getIntOrFloatBitWidth())
    return emitOpError("expected operands of the same element width, got ")
           << aElement << " and " << bElement;
  bool isFloat = isa<FloatType>(aElement);
  if (isFloat != isa<FloatType>(bElement) ||
      isFloat != isa<FloatType>(c.getElementType()))
    return emitOpError("expected all floating-point or all integer elements, "
                       "got ")
           << aElement << ", " << bElement << " and " << c.getElementType();
  return success();
}

/// Whether elements of `format` come in tensors of `element`.
static bool holdsFormat(Type element, ScaleDotElemType format) {
  switch (format) {
  case ScaleDotElemType::BF16:
    return element.isBF16();
  case ScaleDotElemType::FP16:
    return element.isF16();
  case ScaleDotElemType::E4M3:
    return element.isInteger(8) || isa<Float8E4M3FNType>(element);
  case ScaleDotElemType::E5M2:
    return element.isInteger(8) || isa<Float8E5M2Type>(element);
  case ScaleDotElemType::E2M1:
  case ScaleDotElemType::E2M3:
  case ScaleDotElemType::E3M2:
    return element.isInteger(8);
  }
  return false;
}

/// A scale holds one value per `rows` and per group of 16 or 32 along k;
/// returns the size of the group, or 0 without a scale.
static FailureOr<int64_t> verifyScale(Operation *op, Value scale, int64_t rows,
                                      int64_t k, StringRef name) {
  if (!scale)
    return 0;
  auto type = cast<RankedTensorType>(scale.getType());
  int64_t rank = type.getRank();
  if (rank < 2 || type.getDimSize(rank - 2) != rows)
    return op->emitOpError("expected ")
           << name << " to have " << rows << " rows, got " << type;
  int64_t group = k / type.getDimSize(rank - 1);
  if (group != 16 && group != 32)
    return op->emitOpError("expected ")
           << name << " to have a column per 16 or 32 elements of " << k
           << ", got " << type;
  return group;
}

LogicalResult DotScaledOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(),
                   c = getC().getType();
  if (!holdsFormat(a.getElementType(), getAElemType()))
    return emitOpError("expected lhs elements that hold ")
           << stringifyScaleDotElemType(getAElemType()) << ", got " << a;
  if (!holdsFormat(b.getElementType(), getBElemType()))
    return emitOpError("expected rhs elements that hold ")
           << stringifyScaleDotElemType(getBElemType()) << ", got " << b;
  if (getC().getType() != getD().getType())
    return emitOpError("expected a result of type ")
           << c << ", got " << getD().getType();
  DotPacking pack;
  if (getAElemType() == ScaleDotElemType::E2M1)
    (getLhsKPack() ? pack.a : pack.m) = 2;
  if (getBElemType() == ScaleDotElemType::E2M1)
    (getRhsKPack() ? pack.b : pack.n) = 2;
  if (failed(verifyDotShapes(*this, a, b, c, pack)))
    return failure();
  int64_t rank = c.getRank();
  int64_t k = a.getDimSize(rank - 1) * pack.a;
  FailureOr<int64_t> aGroup =
      verifyScale(*this, getAScale(), c.getDimSize(rank - 2), k, "a_scale");
  FailureOr<int64_t> bGroup =
      verifyScale(*this, getBScale(), c.getDimSize(rank - 1), k, "b_scale");
  if (failed(aGroup) || failed(bGroup))
    return failure();
  if (*aGroup && *bGroup && *aGroup != *bGroup)
    return emitOpError("expected scales of groups of the same size, got ")
           << *aGroup << " and " << *bGroup;
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

static LogicalResult verifyAxis(Operation *op, IntegerAttr axis, int64_t rank) {
  if (axis.getInt() >= 0 && axis.getInt() < rank)
    return success();
  return op->emitOpError("expected an axis from 0 to ")
         << rank - 1 << ", got " << axis.getInt();
}

static LogicalResult verifyResultCount(Operation *op) {
  if (op->getNumResults() == op->getNumOperands())
    return success();
  return op->emitOpError("expected ")
         << op->getNumOperands() << " results, one per operand, got "
         << op->getNumResults();
}

/// The combining region takes two sets of elements and returns one.
template <typename ReturnOpTy>
static LogicalResult verifyCombineRegion(Operation *op, Region &region,
                                         ArrayRef<Type> elements) {
  Block &block = region.front();
  SmallVector<Type> expected(elements);
  llvm::append_range(expected, elements);
  if (!llvm::equal(block.getArgumentTypes(), expected)) {
    InFlightDiagnostic diag = op->emitOpError("expected a region that takes (");
    llvm::interleaveComma(expected, diag);
    diag << "), got (";
    llvm::interleaveComma(block.getArgumentTypes(), diag);
    return diag << ")";
  }
  if (block.empty() || !isa<ReturnOpTy>(block.back()))
    return op->emitOpError("expected a region that ends with '")
           << ReturnOpTy::getOperationName() << "'";
  Operation &terminator = block.back();
  if (llvm::equal(terminator.getOperandTypes(), elements))
    return success();
  InFlightDiagnostic diag = terminator.emitOpError("expected operands (");
  llvm::interleaveComma(elements, diag);
  diag << "), got (";
  llvm::interleaveComma(terminator.getOperandTypes(), diag);
  return diag << ")";
}

LogicalResult ReduceOp::verify() {
  SmallVector<RankedTensorType> inputs = getInputTypes();
  if (failed(verifyAxis(*this, getAxisAttr(), inputs.front().getRank())) ||
      failed(verifyResultCount(*this)))
    return failure();
  SmallVector<int64_t> shape(inputs.front().getShape());
  shape.erase(shape.begin() + getAxis());
  for (auto [input, result] : llvm::zip(inputs, getResultTypes())) {
    Type element = input.getElementType();
    auto tensor = dyn_cast<RankedTensorType>(result);
    bool matches = shape.empty()
                       ? result == element
                       : tensor && tensor.getShape() == ArrayRef(shape) &&
                             tensor.getElementType() == element;
    if (matches)
      continue;
    Type expected =
        shape.empty() ? element : RankedTensorType::get(shape, element);
    return emitOpError("expected a result of type ")
           << expected << ", got " << result;
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyCombineRegion<ReduceReturnOp>(*this, getCombineOp(),
                                             getElementTypes());
}

LogicalResult ScanOp::verify() {
  SmallVector<RankedTensorType> inputs = getInputTypes();
  if (failed(verifyAxis(*this, getAxisAttr(), inputs.front().getRank())) ||
      failed(verifyResultCount(*this)))
    return failure();
  for (auto [input, result] : llvm::zip(inputs, getResultTypes()))
    if (input != result)
      return emitOpError("expected a result of type ")
             << input << ", got " << result;
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  return verifyCombineRegion<ScanReturnOp>(*this, getCombineOp(),
                                           getElementTypes());
}

LogicalResult HistogramOp::verify() {
  if (getSrc().getType().getRank() != 1 || getType().getRank() != 1)
    return emitOpError("expected tensors of rank 1, got ")
           << getSrc().getType() << " and " << getType();
  return success();
}
