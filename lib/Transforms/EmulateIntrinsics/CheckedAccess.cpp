//===- CheckedAccess.cpp - the hardware's rules for block messages --------===//
//
// The rules come from the target description, which names their source. They
// are listed once, as text and as code, so that a report can be read without
// this file.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/CheckedAccess.h"

using namespace mlir;
using namespace mlir::mlt;
using LLVM::ICmpPredicate;

/// Bytes of which a width has to be a multiple for elements of `elementBytes`.
static int64_t getWidthMultiple(const Block2DLimits &limits,
                                int64_t elementBytes) {
  return std::max(limits.widthMultiple, elementBytes);
}

/// Rules of 2-D messages, those of 1-D messages follow.
static constexpr int64_t kNumBlock2DRules = 9;

/// Texts of the rules; rule number i is entry i - 1. The order is the one in
/// which emitRuleCheck tests them.
static SmallVector<std::string> getRuleTexts(const TargetDescription &target) {
  const Block2DLimits &limits = target.block2D;
  auto number = [](int64_t value) { return std::to_string(value); };
  std::string maximum = number(int64_t(1) << limits.maxExtentLog2);
  return {"base address is a multiple of " + number(limits.baseAlignment),
          "width is at least " + number(limits.minWidth) + " bytes",
          "width is a multiple of " + number(limits.widthMultiple) +
              " bytes and of an element",
          "width is at most " + maximum + " bytes",
          "height is 1 to " + maximum + " rows",
          "pitch is at least " + number(limits.minPitch) + " bytes",
          "pitch is a multiple of " + number(limits.pitchMultiple) + " bytes",
          "pitch is not smaller than width and at most " + maximum + " bytes",
          "x is a multiple of " + number(limits.widthMultiple) + " bytes",
          "address of a 1-D read is a multiple of " +
              number(target.block1D.loadAlignment),
          "address of a 1-D write is a multiple of " +
              number(target.block1D.storeAlignment)};
}

Value mlt::emitRuleCheck(Emitter &e, const Block2DMessage &message,
                         const Surface &surface, const Block2DLimits &limits) {
  int64_t bytes = message.elementBits / 8;
  int64_t maximum = int64_t(1) << limits.maxExtentLog2;
  auto misaligned = [&](Value value, int64_t multiple) {
    return e.icmp(ICmpPredicate::ne, e.bitAnd(value, multiple - 1), 0);
  };
  auto below = [&](Value value, int64_t limit) {
    return e.icmp(ICmpPredicate::ult, value, limit);
  };
  auto above = [&](Value value, int64_t limit) {
    return e.icmp(ICmpPredicate::ugt, value, limit);
  };
  auto either = [&](Value a, Value b) { return e.bitOr(a, b); };
  SmallVector<Value> broken = {
      misaligned(surface.base, limits.baseAlignment),
      below(surface.width, limits.minWidth),
      misaligned(surface.width, getWidthMultiple(limits, bytes)),
      above(surface.width, maximum),
      either(below(surface.height, 1), above(surface.height, maximum)),
      below(surface.pitch, limits.minPitch),
      misaligned(surface.pitch, limits.pitchMultiple),
      either(e.icmp(ICmpPredicate::ult, surface.pitch, surface.width),
             above(surface.pitch, maximum)),
      // x counts elements; wider elements are always whole dwords.
      misaligned(surface.x, std::max<int64_t>(1, limits.widthMultiple / bytes)),
  };
  Value rule = e.constant(e.intType(32), 0);
  for (size_t i = broken.size(); i-- > 0;)
    rule = e.select(broken[i], e.constant(e.intType(32), i + 1), rule);
  return rule;
}

Value mlt::emitRuleCheck1D(Emitter &e, Value address, bool isWrite,
                           const Block1DLimits &limits) {
  int64_t multiple = isWrite ? limits.storeAlignment : limits.loadAlignment;
  Value broken = e.icmp(ICmpPredicate::ne, e.bitAnd(address, multiple - 1), 0);
  return e.select(broken,
                  e.constant(e.intType(32), kNumBlock2DRules + 1 + isWrite),
                  e.constant(e.intType(32), 0));
}

void mlt::emitReport(Emitter &e, Value rule, Type data, ValueRange site) {
  OpBuilder &b = e.builder;
  Block *head = b.getInsertionBlock();
  Region *region = head->getParent();
  Block *broken = b.createBlock(region, region->end());
  Block *fine = b.createBlock(region, region->end());
  b.setInsertionPointToEnd(head);
  LLVM::CondBrOp::create(b, e.loc, e.icmp(ICmpPredicate::ne, rule, 0), broken,
                         fine);
  b.setInsertionPointToEnd(broken);
  Value code = e.bitOr(e.shl(site[1], 8), rule);
  LLVM::StoreOp::create(b, e.loc, code, site[0], 4);
  Value poison;
  if (data) {
    Type bits = e.intType(getElementTypeOrSelf(data).getIntOrFloatBitWidth());
    if (auto vector = dyn_cast<VectorType>(data))
      bits = VectorType::get(vector.getShape(), bits);
    poison = e.bitcast(e.constant(bits, -1), data);
  }
  LLVM::ReturnOp::create(b, e.loc, poison ? ValueRange(poison) : ValueRange());
  b.setInsertionPointToEnd(fine);
}

//===----------------------------------------------------------------------===//
// CheckSites
//===----------------------------------------------------------------------===//

/// Appends an argument, a pointer to global memory.
static void addPointerArgument(LLVM::LLVMFuncOp function) {
  MLIRContext *context = function.getContext();
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Type> params(type.getParams());
  params.push_back(LLVM::LLVMPointerType::get(context, 1));
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      type.getReturnType(), params, type.isVarArg()));
  function.getBody().addArgument(params.back(), function.getLoc());
  if (ArrayAttr attrs = function.getArgAttrsAttr()) {
    SmallVector<Attribute> extended(attrs.getValue());
    extended.push_back(DictionaryAttr::get(context));
    function.setArgAttrsAttr(ArrayAttr::get(context, extended));
  }
}

LogicalResult CheckSites::prepare(ArrayRef<LLVM::CallOp> calls) {
  for (LLVM::CallOp call : calls) {
    auto function = call->getParentOfType<LLVM::LLVMFuncOp>();
    if (function.getCConv() != LLVM::CConv::SPIR_KERNEL)
      return call.emitError()
             << "checked block messages have to be in a kernel; '"
             << function.getName() << "' is not one: inline it first";
    if (kernels.contains(function))
      continue;
    unsigned index = function.getNumArguments();
    addPointerArgument(function);
    kernels[function] = {index, {}};
  }
  return success();
}

Value CheckSites::getArgument(LLVM::CallOp call) {
  auto function = call->getParentOfType<LLVM::LLVMFuncOp>();
  return function.getArgument(kernels[function].argument);
}

/// "file:line:column" of the innermost file location in `loc`, or "unknown".
static std::string describeLocation(Location loc) {
  std::string text = "unknown";
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

int64_t CheckSites::addSite(LLVM::CallOp call, StringRef what) {
  SmallVector<Attribute> &sites =
      kernels[call->getParentOfType<LLVM::LLVMFuncOp>()].sites;
  Builder builder(call.getContext());
  sites.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr(
           "loc", builder.getStringAttr(describeLocation(call.getLoc()))),
       builder.getNamedAttr("what", builder.getStringAttr(what))}));
  return sites.size() - 1;
}

void CheckSites::attach(const TargetDescription &target) {
  for (auto &[operation, kernel] : kernels) {
    Builder builder(operation->getContext());
    SmallVector<Attribute> rules;
    for (const std::string &text : getRuleTexts(target))
      rules.push_back(builder.getStringAttr(text));
    NamedAttrList checks;
    checks.set("arg", builder.getI32IntegerAttr(kernel.argument));
    checks.set("rules", builder.getArrayAttr(rules));
    checks.set("sites", builder.getArrayAttr(kernel.sites));
    NamedAttrList record(operation->getAttrOfType<DictionaryAttr>(kKernelAttr));
    record.set("checks", checks.getDictionary(operation->getContext()));
    operation->setAttr(kKernelAttr,
                       record.getDictionary(operation->getContext()));
  }
}
