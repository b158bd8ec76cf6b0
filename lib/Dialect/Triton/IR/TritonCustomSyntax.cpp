//===- TritonCustomSyntax.cpp - syntax that TableGen cannot express -------===//
//
// Also the place where the generated operation classes are compiled, because
// they call the directives below.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/TritonCustomSyntax.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/Triton/IR/TritonRelease.h"

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
// Cache hints
//===----------------------------------------------------------------------===//

/// `keyword = value`, at most once. Succeeds with false when the keyword is not
/// there.
template <typename EnumT, typename AttrT>
static FailureOr<bool> parseHint(OpAsmParser &parser, StringRef keyword,
                                 AttrT &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(keyword)))
    return false;
  if (result)
    return parser.emitError(loc, "expected ") << keyword << " once";
  if (parser.parseEqual())
    return failure();
  FailureOr<EnumT> value = FieldParser<EnumT>::parse(parser);
  if (failed(value))
    return failure();
  result = AttrT::get(parser.getContext(), *value);
  return true;
}

/// Takes `cachePolicy` out of the dictionary.
static ParseResult takeCachePolicy(OpAsmParser &parser, SMLoc loc,
                                   NamedAttrList &attrs,
                                   CacheModifierAttr &cache,
                                   EvictionPolicyAttr &evict) {
  Attribute value = attrs.erase("cachePolicy");
  if (!value)
    return success();
  auto policy = dyn_cast<CachePolicyAttr>(value);
  if (!policy)
    return parser.emitError(loc,
                            "expected #tt.cache_policy as cachePolicy, got ")
           << value;
  if (cache || evict)
    return parser.emitError(loc, "expected either cachePolicy or cacheModifier "
                                 "and evictionPolicy, got both");
  MLIRContext *context = parser.getContext();
  cache = CacheModifierAttr::get(context, policy.getCacheModifier());
  evict = EvictionPolicyAttr::get(context, policy.getEvictionPolicy());
  return success();
}

template <typename OpTy>
static ParseResult parseHints(OpAsmParser &parser, CacheModifierAttr &cache,
                              EvictionPolicyAttr &evict, NamedAttrList &attrs) {
  bool more = true;
  while (more) {
    FailureOr<bool> hasCache =
        parseHint<CacheModifier>(parser, "cacheModifier", cache);
    if (failed(hasCache))
      return failure();
    FailureOr<bool> hasEvict =
        parseHint<EvictionPolicy>(parser, "evictionPolicy", evict);
    if (failed(hasEvict))
      return failure();
    more = *hasCache || *hasEvict;
  }
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attrs) ||
      takeCachePolicy(parser, loc, attrs, cache, evict))
    return failure();
  OperationName name(OpTy::getOperationName(), parser.getContext());
  return OpTy::verifyInherentAttrs(name, attrs, [&] {
    return parser.emitError(loc) << "'" << name.getStringRef() << "' op ";
  });
}

/// The attributes with both hints as one, the way 3.9 writes them.
static DictionaryAttr addCachePolicy(DictionaryAttr attrs,
                                     CacheModifier modifier,
                                     EvictionPolicy policy) {
  MLIRContext *context = attrs.getContext();
  NamedAttrList all(attrs);
  all.append("cachePolicy", CachePolicyAttr::get(context, modifier, policy));
  return all.getDictionary(context);
}

static void printHints(OpAsmPrinter &printer, Operation *op,
                       CacheModifierAttr cache, EvictionPolicyAttr evict,
                       DictionaryAttr attrs) {
  CacheModifier modifier = cache ? cache.getValue() : CacheModifier::NONE;
  EvictionPolicy policy = evict ? evict.getValue() : EvictionPolicy::NORMAL;
  bool joined = getPrintedRelease(op->getContext()) >= TritonRelease::V3_9;
  if (joined &&
      (modifier != CacheModifier::NONE || policy != EvictionPolicy::NORMAL)) {
    attrs = addCachePolicy(attrs, modifier, policy);
  } else {
    if (modifier != CacheModifier::NONE)
      printer << " cacheModifier = " << stringifyEnum(modifier);
    if (policy != EvictionPolicy::NORMAL)
      printer << " evictionPolicy = " << stringifyEnum(policy);
  }
  SmallVector<StringRef> elided = {"cache", "evict", "operandSegmentSizes"};
  if (auto check = attrs.getAs<DenseI32ArrayAttr>("boundaryCheck");
      check && check.empty())
    elided.push_back("boundaryCheck");
  if (auto isVolatile = attrs.getAs<BoolAttr>("isVolatile");
      isVolatile && !isVolatile.getValue())
    elided.push_back("isVolatile");
  printer.printOptionalAttrDict(attrs.getValue(), elided);
}

ParseResult tt::parseLoadHints(OpAsmParser &parser, CacheModifierAttr &cache,
                               EvictionPolicyAttr &evict,
                               NamedAttrList &attrs) {
  return parseHints<LoadOp>(parser, cache, evict, attrs);
}

void tt::printLoadHints(OpAsmPrinter &printer, Operation *op,
                        CacheModifierAttr cache, EvictionPolicyAttr evict,
                        DictionaryAttr attrs) {
  printHints(printer, op, cache, evict, attrs);
}

ParseResult tt::parseStoreHints(OpAsmParser &parser, CacheModifierAttr &cache,
                                EvictionPolicyAttr &evict,
                                NamedAttrList &attrs) {
  return parseHints<StoreOp>(parser, cache, evict, attrs);
}

void tt::printStoreHints(OpAsmPrinter &printer, Operation *op,
                         CacheModifierAttr cache, EvictionPolicyAttr evict,
                         DictionaryAttr attrs) {
  printHints(printer, op, cache, evict, attrs);
}

ParseResult tt::parseDescriptorLoadHints(OpAsmParser &parser,
                                         CacheModifierAttr &cache,
                                         EvictionPolicyAttr &evict,
                                         NamedAttrList &attrs) {
  return parseHints<DescriptorLoadOp>(parser, cache, evict, attrs);
}

void tt::printDescriptorLoadHints(OpAsmPrinter &printer, Operation *op,
                                  CacheModifierAttr cache,
                                  EvictionPolicyAttr evict,
                                  DictionaryAttr attrs) {
  printHints(printer, op, cache, evict, attrs);
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

/// 3.2 listed the scales among the operands.
static void printScale(OpAsmPrinter &printer, Value scale, bool listed) {
  if (scale)
    printer << (listed ? ", " : " scale ") << scale;
}

void DotScaledOp::print(OpAsmPrinter &printer) {
  bool old = getPrintedRelease(getContext()) == TritonRelease::V3_2;
  printer << " " << getA();
  printScale(printer, getAScale(), old);
  printer << ", " << getB();
  printScale(printer, getBScale(), old);
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
  if (old)
    elided.push_back(getFastMathAttrName());
  printer.printOptionalAttrDict((*this)->getAttrs(), elided);
  printer << " : " << getA().getType();
  if (getAScale())
    printer << ", " << getAScale().getType();
  printer << " * " << getB().getType();
  if (getBScale())
    printer << ", " << getBScale().getType();
  printer << " -> " << getD().getType();
}
