//===- TritonTypes.cpp - types of the tt dialect --------------------------===//
//
// The textual forms of pointers and tensor descriptors in all versions that are
// read, and the small functions that relate pointers to what they point to.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/TritonTypes.h"
#include "Dialect/Triton/IR/TritonDialect.h"
#include "Dialect/Triton/IR/TritonRelease.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;

#define GET_TYPEDEF_CLASSES
#include "Dialect/Triton/IR/TritonTypes.cpp.inc"

static constexpr int kGlobalAddressSpace = 1;

void TritonDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Dialect/Triton/IR/TritonTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// PointerType
//===----------------------------------------------------------------------===//

Type PointerType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type pointeeType;
  int addressSpace = kGlobalAddressSpace;
  if (parser.parseLess() || parser.parseType(pointeeType))
    return Type();
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseInteger(addressSpace))
    return Type();
  if (parser.parseGreater())
    return Type();
  return parser.getChecked<PointerType>(loc, parser.getContext(), pointeeType,
                                        addressSpace);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  if (getAddressSpace() != kGlobalAddressSpace)
    printer << ", " << getAddressSpace();
  printer << ">";
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type pointeeType, int addressSpace) {
  if (addressSpace < 0)
    return emitError() << "expected an address space of at least 0, got "
                       << addressSpace;
  if (auto tensor = dyn_cast<RankedTensorType>(pointeeType)) {
    if (!tensor.hasStaticShape())
      return emitError() << "expected a block of static shape, got " << tensor;
    return success();
  }
  if (!isa<IntegerType, FloatType, PointerType>(pointeeType))
    return emitError() << "expected an integer, floating-point, pointer or "
                          "ranked tensor type to point to, got "
                       << pointeeType;
  return success();
}

//===----------------------------------------------------------------------===//
// TensorDescType
//===----------------------------------------------------------------------===//

/// Accepts `<128x64xf16>`, `<tensor<128x64xf16>>` and either with a layout
/// attribute after a comma.
Type TensorDescType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  Attribute layout;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return Type();
  if (auto tensor = dyn_cast<RankedTensorType>(element);
      tensor && shape.empty()) {
    llvm::append_range(shape, tensor.getShape());
    element = tensor.getElementType();
    layout = tensor.getEncoding();
  }
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
    return Type();
  if (parser.parseGreater())
    return Type();
  return parser.getChecked<TensorDescType>(loc, parser.getContext(), shape,
                                           element, layout);
}

void TensorDescType::print(AsmPrinter &printer) const {
  if (getPrintedRelease(getContext()) < TritonRelease::V3_9) {
    printer << "<" << getBlockType() << ">";
    return;
  }
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType();
  if (getLayout())
    printer << ", " << getLayout();
  printer << ">";
}

LogicalResult
TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                       ArrayRef<int64_t> shape, Type elementType, Attribute) {
  if (shape.empty())
    return emitError() << "expected a tensor descriptor of rank 1 or more";
  if (!elementType.isIntOrFloat())
    return emitError() << "expected an integer or floating-point element type "
                          "of a tensor descriptor, got "
                       << elementType;
  for (int64_t size : shape)
    if (size <= 0)
      return emitError() << "expected static positive sizes of the block, got "
                         << size;
  return success();
}

RankedTensorType TensorDescType::getBlockType() const {
  return RankedTensorType::get(getShape(), getElementType(), getLayout());
}

RankedTensorType TensorDescType::getSignlessBlockType() const {
  Type element = getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(getContext(), integer.getWidth());
  return RankedTensorType::get(getShape(), element, getLayout());
}

//===----------------------------------------------------------------------===//
// Relations between types
//===----------------------------------------------------------------------===//

Type tt::cloneWithElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), element,
                                 tensor.getEncoding());
  return element;
}

Type tt::getPointeeType(Type type) {
  auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(type));
  if (!pointer)
    return type;
  return cloneWithElementType(type, pointer.getPointeeType());
}

Type tt::getMaskTypeOfShape(Type type) {
  return cloneWithElementType(type, IntegerType::get(type.getContext(), 1));
}

Type tt::getMaskType(Type type) {
  return getMaskTypeOfShape(getPointeeType(type));
}

Type tt::getElementPointerType(Type blockPointer) {
  auto pointer = dyn_cast<PointerType>(blockPointer);
  if (!pointer)
    return blockPointer;
  return PointerType::get(getElementTypeOrSelf(pointer.getPointeeType()),
                          pointer.getAddressSpace());
}

bool tt::isBlockPointer(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

unsigned tt::getElementBitWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<PointerType>(element))
    return 64;
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}
