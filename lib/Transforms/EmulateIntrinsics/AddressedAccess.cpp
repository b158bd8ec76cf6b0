//===- AddressedAccess.cpp - element-wise intrinsics of the vector backend ===//
//
// Accesses with an address per element become a helper that looks at one
// element after another; elements that are masked off get all ones, as they
// are undefined on the device. Regions are shuffles, functions of the math unit
// LLVM's.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/VC.h"
#include "Transforms/EmulateIntrinsics/Emulator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// The body of a helper: predicate, addresses, data of a store or operands of
/// an update, and the base of shared local memory.
class AddressedAccess {
public:
  AddressedAccess(Emitter &emitter, const IntrinsicInfo &info, Block &entry)
      : e(emitter), info(info), message(info.addressed), entry(entry) {}

  /// Returns the data of a load or update, else null.
  Value emit(Type result);

private:
  /// Of element `element` at address `index`.
  Value getPointer(unsigned index, unsigned element);
  /// Accesses it; the result is carried as data.
  Value access(unsigned index, unsigned element, Type data);
  unsigned getNumber(unsigned index, unsigned element) {
    return element * message.count + index;
  }
  Value update(Value pointer, unsigned index);
  Value getOperand(unsigned number, unsigned index) {
    return e.extract(entry.getArgument(2 + number), index);
  }
  Type getMemoryType() { return e.intType(message.elementBits); }

  Emitter &e;
  const IntrinsicInfo &info;
  const AddressedMessage &message;
  Block &entry;
};
} // namespace

Value AddressedAccess::getPointer(unsigned index, unsigned element) {
  Value address = e.add(e.extract(entry.getArgument(1), index),
                        element * message.elementBits / 8);
  if (!message.shared)
    return LLVM::IntToPtrOp::create(
        e.builder, e.loc, LLVM::LLVMPointerType::get(e.builder.getContext(), 1),
        address);
  Value base = entry.getArguments().back();
  return LLVM::GEPOp::create(e.builder, e.loc, base.getType(), e.intType(8),
                             base, ArrayRef<LLVM::GEPArg>{address});
}

static LLVM::AtomicBinOp getBinOp(VCAtomicOp op) {
  using LLVM::AtomicBinOp;
  switch (op) {
  case VCAtomicOp::Add:
    return AtomicBinOp::add;
  case VCAtomicOp::Min:
    return AtomicBinOp::min;
  case VCAtomicOp::Max:
    return AtomicBinOp::max;
  case VCAtomicOp::UMin:
    return AtomicBinOp::umin;
  case VCAtomicOp::UMax:
    return AtomicBinOp::umax;
  case VCAtomicOp::FAdd:
    return AtomicBinOp::fadd;
  case VCAtomicOp::FMin:
    return AtomicBinOp::fmin;
  case VCAtomicOp::FMax:
    return AtomicBinOp::fmax;
  case VCAtomicOp::And:
    return AtomicBinOp::_and;
  case VCAtomicOp::Or:
    return AtomicBinOp::_or;
  case VCAtomicOp::Xor:
    return AtomicBinOp::_xor;
  default:
    return AtomicBinOp::xchg;
  }
}

Value AddressedAccess::update(Value pointer, unsigned index) {
  constexpr StringLiteral scope = "device";
  Value operand = getOperand(0, index);
  Type type = operand.getType();
  if (*message.update != VCAtomicOp::CompareExchange)
    return LLVM::AtomicRMWOp::create(
        e.builder, e.loc, getBinOp(*message.update), pointer, operand,
        LLVM::AtomicOrdering::acq_rel, scope);
  Type bits = e.intType(message.elementBits);
  Value exchange = LLVM::AtomicCmpXchgOp::create(
      e.builder, e.loc, pointer, e.bitcast(operand, bits),
      e.bitcast(getOperand(1, index), bits), LLVM::AtomicOrdering::acq_rel,
      LLVM::AtomicOrdering::acquire, scope);
  Value old = LLVM::ExtractValueOp::create(e.builder, e.loc, exchange, 0);
  return e.bitcast(old, type);
}

Value AddressedAccess::access(unsigned index, unsigned element, Type data) {
  Value pointer = getPointer(index, element);
  if (info.kind == IntrinsicKind::AtomicUpdate)
    return update(pointer, index);
  unsigned bytes = message.elementBits / 8;
  unsigned dataBits = std::max(32u, message.elementBits);
  if (info.kind == IntrinsicKind::Gather) {
    Value value =
        LLVM::LoadOp::create(e.builder, e.loc, getMemoryType(), pointer, bytes);
    return e.bitcast(e.resize(value, dataBits), data);
  }
  Value bits =
      e.bitcast(getOperand(0, getNumber(index, element)), e.intType(dataBits));
  LLVM::StoreOp::create(e.builder, e.loc, e.resize(bits, message.elementBits),
                        pointer, bytes);
  return Value();
}

Value AddressedAccess::emit(Type result) {
  OpBuilder &b = e.builder;
  auto vector = dyn_cast_if_present<VectorType>(result);
  Value all;
  if (vector) {
    Type bits = VectorType::get(vector.getShape(),
                                e.intType(vector.getElementTypeBitWidth()));
    all = e.bitcast(e.constant(bits, -1), vector);
  }
  Region *region = entry.getParent();
  for (unsigned index = 0; index < message.count; ++index) {
    Value active = e.extract(entry.getArgument(0), index);
    Block *before = b.getInsertionBlock();
    Block *body = b.createBlock(region, region->end());
    Block *next = b.createBlock(
        region, region->end(), vector ? TypeRange(vector) : TypeRange(),
        vector ? SmallVector<Location>{e.loc} : SmallVector<Location>{});
    b.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(b, e.loc, active, body, ValueRange(), next,
                           vector ? ValueRange(all) : ValueRange());
    b.setInsertionPointToEnd(body);
    for (unsigned element = 0; element < message.perAddress; ++element) {
      Value value =
          access(index, element, vector ? vector.getElementType() : Type());
      if (vector)
        all = LLVM::InsertElementOp::create(
            b, e.loc, all, value,
            e.constant(e.intType(32), getNumber(index, element)));
    }
    LLVM::BrOp::create(b, e.loc, vector ? ValueRange(all) : ValueRange(), next);
    b.setInsertionPointToEnd(next);
    if (vector)
      all = next->getArgument(0);
  }
  return all;
}

Value Emulator::getSharedBase(OpBuilder &builder, LLVM::CallOp call) {
  auto kernel = call->getParentOfType<LLVM::LLVMFuncOp>();
  LLVM::GlobalOp &global = sharedMemory[kernel];
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  if (!global) {
    int64_t bytes = getSharedBytes(kernel);
    std::string name = (kernel.getName() + "_slm").str();
    for (unsigned i = 0; SymbolTable::lookupSymbolIn(module, name); ++i)
      name = (kernel.getName() + "_slm_" + Twine(i)).str();
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    global = LLVM::GlobalOp::create(
        atStart, kernel.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), bytes),
        /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
        kVCRegisterBytes, /*addrSpace=*/3);
  }
  return LLVM::AddressOfOp::create(builder, call.getLoc(), type,
                                   global.getName());
}

void Emulator::replaceAddressed(LLVM::CallOp call, const IntrinsicInfo &info) {
  const AddressedMessage &message = info.addressed;
  OpBuilder builder(call);
  OperandRange operands = call.getArgOperands();
  SmallVector<Value> args = {operands[kVCAccessPredicate],
                             operands[kVCAccessAddresses]};
  unsigned numData = info.kind == IntrinsicKind::Gather    ? 0
                     : info.kind == IntrinsicKind::Scatter ? 1
                                                           : 2;
  for (unsigned i = 0; i < numData; ++i)
    args.push_back(operands[kVCAccessOperands + i]);
  if (message.shared)
    args.push_back(getSharedBase(builder, call));
  bool isChecked = checks && isBlock1D(info);
  if (isChecked)
    llvm::append_range(args, getCheckArgs(call));
  Type result = call.getNumResults() ? call.getResult().getType() : Type();
  Type data = numData ? args[2].getType() : result;
  StringRef what = info.kind == IntrinsicKind::Gather    ? "gather"
                   : info.kind == IntrinsicKind::Scatter ? "scatter"
                                                         : "atomic";
  std::string name = llvm::formatv(
      "mlt_{0}_{1}b_x{2}{3}{4}{5}", what, message.elementBits, message.count,
      message.perAddress > 1 ? "x" + std::to_string(message.perAddress) : "",
      isa<FloatType>(getElementTypeOrSelf(data)) ? "_float" : "",
      message.shared ? "_slm" : "");
  if (message.update)
    name += llvm::formatv("_{0}", static_cast<int>(*message.update)).str();
  if (isChecked)
    name += "_checked";
  LLVM::LLVMFuncOp helper = getHelper(
      name, result, ValueRange(args).getTypes(), [&](Emitter &e, Block &entry) {
        if (isChecked)
          emitCheck1D(e, e.extract(entry.getArgument(1), 0), result,
                      entry.getArguments());
        emitReturn(e, AddressedAccess(e, info, entry).emit(result));
      });
  LLVM::CallOp replacement = callHelper(builder, call.getLoc(), helper, args);
  if (result)
    call.getResult().replaceAllUsesWith(replacement.getResult());
  call.erase();
}

//===----------------------------------------------------------------------===//
// Regions and functions
//===----------------------------------------------------------------------===//

void Emulator::replaceRegion(LLVM::CallOp call, const RegionMessage &region) {
  OpBuilder builder(call);
  Emitter e(builder, call.getLoc(), lanes);
  SmallVector<int32_t> mask;
  int64_t count = cast<VectorType>(call.getResult().getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    mask.push_back(region.offset + i / region.width * region.rowStride +
                   i % region.width * region.stride);
  call.getResult().replaceAllUsesWith(
      e.shuffle(call.getArgOperands().front(), mask));
  call.erase();
}

/// LLVM's operations of one operand that functions are; null for others.
static Value createUnary(OpBuilder &b, Location loc, MathFunction function,
                         Value x) {
  switch (function) {
  case MathFunction::Exp2:
    return LLVM::Exp2Op::create(b, loc, x);
  case MathFunction::Log2:
    return LLVM::Log2Op::create(b, loc, x);
  case MathFunction::Sqrt:
    return LLVM::SqrtOp::create(b, loc, x);
  case MathFunction::Sin:
    return LLVM::SinOp::create(b, loc, x);
  case MathFunction::Cos:
    return LLVM::CosOp::create(b, loc, x);
  case MathFunction::Floor:
    return LLVM::FFloorOp::create(b, loc, x);
  case MathFunction::Ceil:
    return LLVM::FCeilOp::create(b, loc, x);
  case MathFunction::Truncate:
    return LLVM::FTruncOp::create(b, loc, x);
  case MathFunction::RoundEven:
    return LLVM::RintOp::create(b, loc, x);
  default:
    return Value();
  }
}

static Value createInverse(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  TypedAttr one = b.getFloatAttr(getElementTypeOrSelf(type), 1.0);
  if (auto vector = dyn_cast<VectorType>(type))
    one = DenseElementsAttr::get(vector, Attribute(one));
  return LLVM::FDivOp::create(b, loc, LLVM::ConstantOp::create(b, loc, one),
                              value);
}

static Value createMath(OpBuilder &b, Location loc, MathFunction function,
                        OperandRange operands) {
  Value x = operands.front();
  switch (function) {
  case MathFunction::RSqrt:
    return createInverse(b, loc, LLVM::SqrtOp::create(b, loc, x));
  case MathFunction::Inverse:
    return createInverse(b, loc, x);
  case MathFunction::Max:
    return LLVM::MaxNumOp::create(b, loc, x, operands[1]);
  case MathFunction::Min:
    return LLVM::MinNumOp::create(b, loc, x, operands[1]);
  default:
    return createUnary(b, loc, function, x);
  }
}

void Emulator::replaceMath(LLVM::CallOp call, MathFunction function) {
  OpBuilder builder(call);
  call.getResult().replaceAllUsesWith(
      createMath(builder, call.getLoc(), function, call.getArgOperands()));
  call.erase();
}
