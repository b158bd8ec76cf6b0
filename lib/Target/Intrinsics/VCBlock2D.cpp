//===- VCBlock2D.cpp - the intrinsic of a 2-D block message ---------------===//
//
// The one place that knows the order of its operands in both directions.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/VCBlock2D.h"
#include "Target/Intrinsics/DeviceCalls.h"

using namespace mlir;
using namespace mlir::mlt;

VCBlock2D VCBlock2D::get(LLVM::CallOp call, const IntrinsicInfo &info) {
  OperandRange operands = call.getArgOperands();
  auto getCache = [&](unsigned operand) -> int64_t {
    APInt code;
    bool known = matchPattern(operands[operand], m_ConstantInt(&code));
    return known ? code.getSExtValue() : kVCCacheDefault;
  };
  const Block2DMessage &message = info.block2D;
  VCBlock2D block{info.kind};
  block.cacheL1 = getCache(kVCCacheL1);
  block.cacheL3 = getCache(kVCCacheL3);
  block.elementBits = message.elementBits;
  block.blocks = message.blocks;
  block.columns = message.columns;
  block.rows = message.rows;
  block.packing = message.packing;
  Value *const parts[] = {&block.base,  &block.width, &block.height,
                          &block.pitch, &block.x,     &block.y};
  for (auto [index, part] : llvm::enumerate(parts))
    *part = operands[kVCSurface + index];
  if (message.dataOperand)
    block.data = operands[*message.dataOperand];
  if (info.kind == IntrinsicKind::BlockRead2D)
    block.type = message.dataType;
  return block;
}

static StringRef getStem(IntrinsicKind kind) {
  switch (kind) {
  case IntrinsicKind::BlockRead2D:
    return "lsc.load2d.stateless";
  case IntrinsicKind::BlockWrite2D:
    return "lsc.store2d.stateless";
  default:
    return "lsc.prefetch2d.stateless";
  }
}

bool mlt::isVCBlock2D(LLVM::CallOp call) {
  StringRef name = call.getCallee().value_or("");
  return name.consume_front(kVCPrefix) &&
         llvm::any_of(
             ArrayRef({IntrinsicKind::BlockRead2D, IntrinsicKind::BlockWrite2D,
                       IntrinsicKind::BlockPrefetch2D}),
             [&](IntrinsicKind kind) {
               return name.starts_with(getStem(kind));
             });
}

FailureOr<LLVM::CallOp> VCBlock2D::createCall(OpBuilder &builder,
                                              Location loc) const {
  auto constant = [&](unsigned bits, int64_t value) {
    return createInt(builder, loc, builder.getIntegerType(bits), value);
  };
  auto predicateType = VectorType::get({1}, builder.getI1Type());
  Value predicate = LLVM::ConstantOp::create(
      builder, loc, predicateType, DenseElementsAttr::get(predicateType, true));
  int64_t order =
      packing == BlockPacking::Transposed ? kVCOrderTransposed : kVCOrderPlain;
  SmallVector<Value> args = {predicate,
                             constant(8, cacheL1),
                             constant(8, cacheL3),
                             constant(8, getVCDataSize(elementBits)),
                             constant(8, order),
                             constant(8, blocks),
                             constant(16, columns),
                             constant(16, rows),
                             constant(8, packing == BlockPacking::Vnni),
                             base,
                             width,
                             height,
                             pitch,
                             x,
                             y};
  SmallVector<Type> overloads = {predicateType, base.getType()};
  if (type)
    overloads.insert(overloads.begin(), type);
  if (data) {
    overloads.push_back(data.getType());
    args.push_back(data);
  }
  return createDeviceCall(
      builder, loc,
      getOverloadedName((kVCPrefix + getStem(kind)).str(), overloads), type,
      args, type ? DeviceEffects::ReadMemory : DeviceEffects::ReadWriteMemory,
      /*convergent=*/false);
}
