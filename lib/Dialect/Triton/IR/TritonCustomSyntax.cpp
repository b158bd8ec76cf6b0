//===- TritonCustomSyntax.cpp - syntax that TableGen cannot express -------===//
//
// Also the place where the generated operation classes are compiled, because
// they call the directives below.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/TritonCustomSyntax.h"
#include "Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tt;

#define GET_OP_CLASSES
#include "Dialect/Triton/IR/TritonOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Operand lists
//===----------------------------------------------------------------------===//

static ParseResult parseNextList(OpAsmParser &parser, size_t expected,
                                 UnresolvedOperands &list) {
  if (parser.parseComma())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(list, OpAsmParser::Delimiter::Square))
    return failure();
  if (list.size() != expected)
    return parser.emitError(loc, "expected a list of ")
           << expected << " operands, got " << list.size();
  return success();
}

static void printList(OpAsmPrinter &printer, OperandRange list) {
  printer << "[" << list << "]";
}

ParseResult tt::parseOperandLists(OpAsmParser &parser,
                                  UnresolvedOperands &first,
                                  UnresolvedOperands &second) {
  return failure(
      parser.parseOperandList(first, OpAsmParser::Delimiter::Square) ||
      parseNextList(parser, first.size(), second));
}

ParseResult tt::parseOperandLists(OpAsmParser &parser,
                                  UnresolvedOperands &first,
                                  UnresolvedOperands &second,
                                  UnresolvedOperands &third) {
  return failure(parseOperandLists(parser, first, second) ||
                 parseNextList(parser, first.size(), third));
}

void tt::printOperandLists(OpAsmPrinter &printer, Operation *,
                           OperandRange first, OperandRange second) {
  printList(printer, first);
  printer << ", ";
  printList(printer, second);
}

void tt::printOperandLists(OpAsmPrinter &printer, Operation *op,
                           OperandRange first, OperandRange second,
                           OperandRange third) {
  printOperandLists(printer, op, first, second);
  printer << ", ";
  printList(printer, third);
}

//===----------------------------------------------------------------------===//
// DotScaledOp
//===----------------------------------------------------------------------===//

namespace {

/// The operands of a scaled dot as written.
struct ScaledOperands {
  OpAsmParser::UnresolvedOperand a, b, c;
  std::optional<OpAsmParser::UnresolvedOperand> aScale, bScale;
};

} // namespace

/// `a (scale s)?, b (scale s)?, c`, or as 3.2 wrote it `a, s, b (, s)?, c`.
static ParseResult parseScaledOperands(OpAsmParser &parser,
                                       ScaledOperands &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> list;
  SmallVector<std::optional<OpAsmParser::UnresolvedOperand>> scales;
  auto parseItem = [&]() -> ParseResult {
    if (parser.parseOperand(list.emplace_back()))
      return failure();
    scales.emplace_back();
    if (failed(parser.parseOptionalKeyword("scale")))
      return success();
    return parser.parseOperand(scales.back().emplace());
  };
  if (parser.parseCommaSeparatedList(parseItem))
    return failure();
  bool scaled = llvm::any_of(scales, [](auto &scale) { return !!scale; });
  if (list.size() == 3 && !scales[2]) {
    result = {list[0], list[1], list[2], scales[0], scales[1]};
    return success();
  }
  if (list.size() == 4 && !scaled) {
    result = {list[0], list[2], list[3], list[1], std::nullopt};
    return success();
  }
  if (list.size() == 5 && !scaled) {
    result = {list[0], list[2], list[4], list[1], list[3]};
    return success();
  }
  return parser.emitError(loc, "expected two operands, each with or without a "
                               "scale, and an accumulator");
}

static ParseResult parseElemType(OpAsmParser &parser, StringRef side,
                                 ScaleDotElemTypeAttr &result) {
  if (parser.parseKeyword(side) || parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<ScaleDotElemType> type = symbolizeScaleDotElemType(name);
  if (!type)
    return parser.emitError(loc, "expected an element format such as e4m3, "
                                 "e5m2, e2m1, bf16 or fp16, got '")
           << name << "'";
  result = ScaleDotElemTypeAttr::get(parser.getContext(), *type);
  return success();
}

/// The type of an operand, and after a comma that of its scale.
static ParseResult
parseScaledType(OpAsmParser &parser, OperationState &result,
                const OpAsmParser::UnresolvedOperand &operand,
                const std::optional<OpAsmParser::UnresolvedOperand> &scale,
                SmallVectorImpl<Value> &resolvedScale) {
  Type type;
  if (parser.parseType(type) ||
      parser.resolveOperand(operand, type, result.operands))
    return failure();
  if (!scale)
    return success();
  Type scaleType;
  return failure(parser.parseComma() || parser.parseType(scaleType) ||
                 parser.resolveOperand(*scale, scaleType, resolvedScale));
}

ParseResult DotScaledOp::parse(OpAsmParser &parser, OperationState &result) {
  ScaledOperands operands;
  auto &properties = result.getOrAddProperties<Properties>();
  SmallVector<Value> scales;
  Type type;
  if (parseScaledOperands(parser, operands) ||
      parseElemType(parser, "lhs", properties.a_elem_type) ||
      parseElemType(parser, "rhs", properties.b_elem_type))
    return failure();
  SMLoc attrLoc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto emitError = [&]() {
    return parser.emitError(attrLoc)
           << "'" << result.name.getStringRef() << "' op ";
  };
  if (failed(verifyInherentAttrs(result.name, result.attributes, emitError)))
    return failure();
  if (parser.parseColon() ||
      parseScaledType(parser, result, operands.a, operands.aScale, scales) ||
      parser.parseStar() ||
      parseScaledType(parser, result, operands.b, operands.bScale, scales) ||
      parser.parseArrow() || parser.parseType(type) ||
      parser.resolveOperand(operands.c, type, result.operands))
    return failure();
  result.addOperands(scales);
  result.addTypes(type);
  llvm::copy(ArrayRef<int32_t>{1, 1, 1, operands.aScale ? 1 : 0,
                               operands.bScale ? 1 : 0},
             properties.operandSegmentSizes.begin());
  return success();
}

void DotScaledOp::print(OpAsmPrinter &printer) {
  printer << " " << getA();
  if (getAScale())
    printer << " scale " << getAScale();
  printer << ", " << getB();
  if (getBScale())
    printer << " scale " << getBScale();
  printer << ", " << getC()
          << " lhs = " << stringifyScaleDotElemType(getAElemType())
          << " rhs = " << stringifyScaleDotElemType(getBElemType());
  SmallVector<StringRef> elided = {getOperandSegmentSizesAttrName(),
                                   getAElemTypeAttrName(),
                                   getBElemTypeAttrName()};
  if (getLhsKPack())
    elided.push_back(getLhsKPackAttrName());
  if (getRhsKPack())
    elided.push_back(getRhsKPackAttrName());
  printer.printOptionalAttrDict((*this)->getAttrs(), elided);
  printer << " : " << getA().getType();
  if (getAScale())
    printer << ", " << getAScale().getType();
  printer << " * " << getB().getType();
  if (getBScale())
    printer << ", " << getBScale().getType();
  printer << " -> " << getD().getType();
}
