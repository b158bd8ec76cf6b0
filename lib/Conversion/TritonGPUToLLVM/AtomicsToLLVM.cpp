//===- AtomicsToLLVM.cpp - atomic updates of memory -----------------------===//
//
// Every element is updated once, by the first lane that holds it; the other
// holders get the result by a shuffle. Element types of 16 bits have no atomic
// instruction on the device: they are updated by compare-and-exchange of the
// aligned dword around them.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/FloatConversions.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Conversion/TritonGPUToLLVM/Predication.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Dialect/Triton/IR/Triton.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::mlt;

static LLVM::AtomicOrdering getOrdering(tt::MemSemantic semantic) {
  switch (semantic) {
  case tt::MemSemantic::ACQUIRE:
    return LLVM::AtomicOrdering::acquire;
  case tt::MemSemantic::RELEASE:
    return LLVM::AtomicOrdering::release;
  case tt::MemSemantic::ACQUIRE_RELEASE:
    return LLVM::AtomicOrdering::acq_rel;
  case tt::MemSemantic::RELAXED:
    break;
  }
  return LLVM::AtomicOrdering::monotonic;
}

/// The ordering of an exchange that did not happen: without a release.
static LLVM::AtomicOrdering getFailureOrdering(LLVM::AtomicOrdering ordering) {
  if (ordering == LLVM::AtomicOrdering::acq_rel ||
      ordering == LLVM::AtomicOrdering::acquire)
    return LLVM::AtomicOrdering::acquire;
  return LLVM::AtomicOrdering::monotonic;
}

/// The name of an OpenCL memory scope.
static StringRef getScope(tt::MemSyncScope scope) {
  switch (scope) {
  case tt::MemSyncScope::CTA:
    return "workgroup";
  case tt::MemSyncScope::SYSTEM:
    return "all_svm_devices";
  case tt::MemSyncScope::GPU:
    break;
  }
  return "device";
}

static LLVM::AtomicBinOp getBinOp(tt::RMWOp kind, bool isFloat) {
  using LLVM::AtomicBinOp;
  switch (kind) {
  case tt::RMWOp::AND:
    return AtomicBinOp::_and;
  case tt::RMWOp::OR:
    return AtomicBinOp::_or;
  case tt::RMWOp::XOR:
    return AtomicBinOp::_xor;
  case tt::RMWOp::ADD:
    return AtomicBinOp::add;
  case tt::RMWOp::FADD:
    return AtomicBinOp::fadd;
  case tt::RMWOp::MAX:
    return isFloat ? AtomicBinOp::fmax : AtomicBinOp::max;
  case tt::RMWOp::MIN:
    return isFloat ? AtomicBinOp::fmin : AtomicBinOp::min;
  case tt::RMWOp::UMAX:
    return AtomicBinOp::umax;
  case tt::RMWOp::UMIN:
    return AtomicBinOp::umin;
  case tt::RMWOp::XCHG:
    break;
  }
  return AtomicBinOp::xchg;
}

namespace {
/// Compare-and-exchange of the 16 bits at an address, through the aligned dword
/// that contains them.
class HalfWord {
public:
  HalfWord(OpBuilder &builder, Location loc, const CodeGenStyle &style,
           Value address, unsigned addressSpace);

  /// Replaces the half word h by `update(h)` (i16 each) until no other lane
  /// interferes. Returns h.
  Value updateLoop(tt::MemSemantic semantic, tt::MemSyncScope scope,
                   function_ref<Value(OpBuilder &, Value)> update);

private:
  /// Replaces the word by `next` if it is `expected`. Returns what it was, and
  /// whether another one was found.
  std::pair<Value, Value> exchange(Value expected, Value next,
                                   tt::MemSemantic semantic,
                                   tt::MemSyncScope scope);
  Value constant(OpBuilder &b, int64_t value) const {
    return createConstant(b, loc, b.getI32Type(), value);
  }
  Value getField(OpBuilder &b, Value word) const {
    Value low = LLVM::LShrOp::create(b, loc, word, shift);
    return LLVM::TruncOp::create(b, loc, b.getI16Type(), low);
  }
  Value setField(OpBuilder &b, Value word, Value field) const {
    Value wide = LLVM::ZExtOp::create(b, loc, b.getI32Type(), field);
    Value placed = LLVM::ShlOp::create(b, loc, wide, shift);
    Value mask = LLVM::ShlOp::create(b, loc, constant(b, 0xffff), shift);
    Value keep = LLVM::XOrOp::create(b, loc, mask, constant(b, -1));
    Value rest = LLVM::AndOp::create(b, loc, word, keep);
    return LLVM::OrOp::create(b, loc, rest, placed);
  }

  OpBuilder &builder;
  Location loc;
  const CodeGenStyle &style;
  unsigned addressSpace;
  /// Of the word, as a number and as a pointer.
  Value aligned, pointer;
  Value shift;
};
} // namespace

HalfWord::HalfWord(OpBuilder &builder, Location loc, const CodeGenStyle &style,
                   Value address, unsigned addressSpace)
    : builder(builder), loc(loc), style(style), addressSpace(addressSpace) {
  Type i64 = builder.getI64Type();
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    address = LLVM::PtrToIntOp::create(builder, loc, i64, address);
  auto low = [&](int64_t mask) -> Value {
    return LLVM::AndOp::create(builder, loc, address,
                               createConstant(builder, loc, i64, mask));
  };
  aligned = low(-4);
  pointer = getPointer(builder, loc, aligned, addressSpace);
  Value bytes =
      LLVM::TruncOp::create(builder, loc, builder.getI32Type(), low(2));
  shift = LLVM::ShlOp::create(builder, loc, bytes, constant(builder, 3));
}

std::pair<Value, Value> HalfWord::exchange(Value expected, Value next,
                                           tt::MemSemantic semantic,
                                           tt::MemSyncScope scope) {
  // A style with messages of its own has this one too, and must use it: the
  // vector backend gives the operands of `cmpxchg` to the message in the wrong
  // order (IGC 2.40).
  AtomicMessage message = {/*kind=*/std::nullopt, semantic, scope};
  const TileMemory *memory = style.getTileMemory();
  if (memory && memory->hasAtomic(message, expected.getType())) {
    Value found =
        memory->atomic(builder, loc, message, aligned,
                       /*mask=*/Value(), {expected, next}, addressSpace);
    Value isOther = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                         found, expected);
    return {found, isOther};
  }
  LLVM::AtomicOrdering ordering = getOrdering(semantic);
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      builder, loc, pointer, expected, next, ordering,
      getFailureOrdering(ordering), getScope(scope));
  Value found = LLVM::ExtractValueOp::create(builder, loc, exchange, 0);
  Value isDone = LLVM::ExtractValueOp::create(builder, loc, exchange, 1);
  Value isOther = LLVM::XOrOp::create(
      builder, loc, isDone,
      createConstant(builder, loc, builder.getI1Type(), -1));
  return {found, isOther};
}

Value HalfWord::updateLoop(tt::MemSemantic semantic, tt::MemSyncScope scope,
                           function_ref<Value(OpBuilder &, Value)> update) {
  Type i32 = builder.getI32Type();
  Value first = LLVM::LoadOp::create(builder, loc, i32, pointer);
  // The loop carries what the word is believed to hold. Its operation stands
  // before its body is made, so that the body can declare functions.
  auto loop =
      scf::WhileOp::create(builder, loc, TypeRange{i32}, ValueRange{first});
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, i32, loc);
  Value expected = before->getArgument(0);
  Value next =
      setField(builder, expected, update(builder, getField(builder, expected)));
  auto [found, goOn] = exchange(expected, next, semantic, scope);
  scf::ConditionOp::create(builder, loc, goOn, found);
  Block *after = builder.createBlock(&loop.getAfter(), {}, i32, loc);
  scf::YieldOp::create(builder, loc, after->getArguments());
  builder.setInsertionPointAfter(loop);
  return getField(builder, loop.getResult(0));
}

//===----------------------------------------------------------------------===//
// Read-modify-write
//===----------------------------------------------------------------------===//

/// `kind` applied to two scalars of `element`, carried; outside of atomics.
static Value combine(OpBuilder &builder, Location loc,
                     const CodeGenStyle &style, tt::RMWOp kind, Type element,
                     Value old, Value operand) {
  if (kind == tt::RMWOp::XCHG)
    return operand;
  if (isa<FloatType>(element)) {
    auto widen = [&](Value value) -> Value {
      if (isCarriedAsInteger(element))
        return widenToF32(builder, loc, value, element);
      Value half = bitcastTo(builder, loc, value, element);
      return LLVM::FPExtOp::create(builder, loc, builder.getF32Type(), half);
    };
    Value a = widen(old), b = widen(operand), result;
    if (kind == tt::RMWOp::FADD)
      result = LLVM::FAddOp::create(builder, loc, a, b);
    else if (kind == tt::RMWOp::MAX)
      result = LLVM::MaxNumOp::create(builder, loc, a, b);
    else
      result = LLVM::MinNumOp::create(builder, loc, a, b);
    if (isCarriedAsInteger(element))
      return narrowFromF32(builder, loc, style, result, element);
    Value half = LLVM::FPTruncOp::create(builder, loc, element, result);
    return bitcastTo(builder, loc, half, builder.getI16Type());
  }
  auto choose = [&](LLVM::ICmpPredicate predicate) -> Value {
    Value better = LLVM::ICmpOp::create(builder, loc, predicate, old, operand);
    return LLVM::SelectOp::create(builder, loc, better, old, operand);
  };
  switch (kind) {
  case tt::RMWOp::AND:
    return LLVM::AndOp::create(builder, loc, old, operand);
  case tt::RMWOp::OR:
    return LLVM::OrOp::create(builder, loc, old, operand);
  case tt::RMWOp::XOR:
    return LLVM::XOrOp::create(builder, loc, old, operand);
  case tt::RMWOp::MAX:
    return choose(LLVM::ICmpPredicate::sgt);
  case tt::RMWOp::MIN:
    return choose(LLVM::ICmpPredicate::slt);
  case tt::RMWOp::UMAX:
    return choose(LLVM::ICmpPredicate::ugt);
  case tt::RMWOp::UMIN:
    return choose(LLVM::ICmpPredicate::ult);
  default:
    return LLVM::AddOp::create(builder, loc, old, operand);
  }
}

namespace {
/// Base of both atomics: one update per element, results to replicas.
template <typename OpT> struct AtomicPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<Tile> tile = this->getTile(op.getType());
    if (failed(tile))
      return failure();
    Location loc = op.getLoc();
    const TileMemory *memory = this->style.getTileMemory();
    AtomicMessage message = getMessage(op);
    if (memory && memory->hasAtomic(message, tile->slot)) {
      ValueRange data = adaptor.getOperands().drop_front();
      auto [mask, carriedMask] = getMask(op, adaptor);
      rewriter.replaceOp(
          op, memory->atomic(rewriter, loc, message,
                             toAddress(rewriter, loc, adaptor.getPtr()),
                             carriedMask, mask ? data.drop_back() : data,
                             getAddressSpace(op)));
      return success();
    }
    SmallVector<SmallVector<Value>> operands;
    for (Value operand : adaptor.getOperands())
      operands.push_back(getElements(rewriter, loc, operand));
    auto [mask, carriedMask] = getMask(op, adaptor);
    SlotPredicate predicate(rewriter, loc, this->style, *tile, mask,
                            carriedMask, /*onceOnly=*/true);
    Value zero = createConstant(rewriter, loc, tile->slot, 0);
    SmallVector<Value> slots;
    for (int64_t slot = 0; slot < tile->getNumSlots(); ++slot) {
      auto arguments = llvm::map_to_vector(
          operands, [&](ArrayRef<Value> all) { return all[slot]; });
      auto emit = [&](OpBuilder &builder) {
        return SmallVector<Value>{update(op, builder, arguments, *tile)};
      };
      llvm::append_range(
          slots,
          emitPredicated(rewriter, loc, predicate.get(slot), zero, emit));
    }
    if (!op->use_empty())
      slots = copyToReplicas(rewriter, loc, this->style, *tile, slots);
    rewriter.replaceOp(op, buildVector(rewriter, loc, slots));
    return success();
  }

  virtual AtomicMessage getMessage(OpT op) const = 0;
  virtual std::pair<Value, Value>
  getMask(OpT op, typename OpT::Adaptor adaptor) const = 0;
  /// The update of one element; returns what memory held.
  virtual Value update(OpT op, OpBuilder &builder, ArrayRef<Value> operands,
                       const Tile &tile) const = 0;

protected:
  static unsigned getAddressSpace(OpT op) {
    return cast<tt::PointerType>(getElementTypeOrSelf(op.getPtr().getType()))
        .getAddressSpace();
  }
};

struct AtomicRMWPattern : AtomicPattern<tt::AtomicRMWOp> {
  using AtomicPattern::AtomicPattern;

  AtomicMessage getMessage(tt::AtomicRMWOp op) const override {
    return {op.getAtomicRmwOp(), op.getSem(), op.getScope()};
  }

  std::pair<Value, Value> getMask(tt::AtomicRMWOp op,
                                  OpAdaptor adaptor) const override {
    return {op.getMask(), adaptor.getMask()};
  }

  Value update(tt::AtomicRMWOp op, OpBuilder &builder, ArrayRef<Value> operands,
               const Tile &tile) const override {
    Location loc = op.getLoc();
    Value address = operands[0], value = operands[1];
    unsigned space = getAddressSpace(op);
    if (tile.slot.getIntOrFloatBitWidth() != 16) {
      Value pointer = getPointer(builder, loc, address, space);
      bool isFloat = isa<FloatType>(value.getType());
      return LLVM::AtomicRMWOp::create(
          builder, loc, getBinOp(op.getAtomicRmwOp(), isFloat), pointer, value,
          getOrdering(op.getSem()), getScope(op.getScope()));
    }
    Type element = getElementTypeOrSelf(op.getType());
    Value bits = bitcastTo(builder, loc, value, builder.getI16Type());
    Value old =
        HalfWord(builder, loc, style, address, space)
            .updateLoop(op.getSem(), op.getScope(),
                        [&](OpBuilder &b, Value field) {
                          return combine(b, loc, style, op.getAtomicRmwOp(),
                                         element, field, bits);
                        });
    return bitcastTo(builder, loc, old, tile.slot);
  }
};

struct AtomicCASPattern : AtomicPattern<tt::AtomicCASOp> {
  using AtomicPattern::AtomicPattern;

  AtomicMessage getMessage(tt::AtomicCASOp op) const override {
    return {std::nullopt, op.getSem(), op.getScope()};
  }

  std::pair<Value, Value> getMask(tt::AtomicCASOp, OpAdaptor) const override {
    return {};
  }

  Value update(tt::AtomicCASOp op, OpBuilder &builder, ArrayRef<Value> operands,
               const Tile &tile) const override {
    Location loc = op.getLoc();
    unsigned width = tile.slot.getIntOrFloatBitWidth();
    Type bits = builder.getIntegerType(width);
    Value expected = bitcastTo(builder, loc, operands[1], bits);
    Value next = bitcastTo(builder, loc, operands[2], bits);
    Value old;
    if (width == 16) {
      auto replace = [&](OpBuilder &b, Value field) -> Value {
        Value equal = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq,
                                           field, expected);
        return LLVM::SelectOp::create(b, loc, equal, next, field);
      };
      old = HalfWord(builder, loc, style, operands[0], getAddressSpace(op))
                .updateLoop(op.getSem(), op.getScope(), replace);
    } else {
      Value pointer =
          getPointer(builder, loc, operands[0], getAddressSpace(op));
      LLVM::AtomicOrdering ordering = getOrdering(op.getSem());
      Value exchange = LLVM::AtomicCmpXchgOp::create(
          builder, loc, pointer, expected, next, ordering,
          getFailureOrdering(ordering), getScope(op.getScope()));
      old = LLVM::ExtractValueOp::create(builder, loc, exchange, 0);
    }
    return bitcastTo(builder, loc, old, tile.slot);
  }
};
} // namespace

void mlt::populateAtomicPatterns(const PatternArguments &arguments) {
  arguments.add<AtomicRMWPattern, AtomicCASPattern>();
}
