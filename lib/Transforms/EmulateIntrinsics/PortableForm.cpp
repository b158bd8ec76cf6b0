//===- PortableForm.cpp - what portable devices do not have ---------------===//
//
// OpenCL devices implement arithmetic on vectors of any length in SPIR-V, but
// resolve conversions and functions by name in a library that stops at 16
// elements. These clean-ups run last: nothing may glue the pieces together
// again.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/PortableForm.h"
#include "Transforms/EmulateIntrinsics/Emitter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

/// Longest vector that library functions exist for.
static constexpr int64_t kMaxElements = 16;

static bool isIntrinsicOp(Operation *op) {
  return op->getName().getStringRef().starts_with("llvm.intr.");
}

void mlt::dropFastMathOnCalls(ModuleOp module) {
  auto none = LLVM::FastmathFlagsAttr::get(module.getContext(),
                                           LLVM::FastmathFlags::none);
  module.walk([&](LLVM::FastmathFlagsInterface op) {
    if (isa<LLVM::CallOp>(op) || isIntrinsicOp(op))
      op->setAttr(op.getFastmathAttrName(), none);
  });
}

/// -x as x * -1 + -0, which no optimizer may turn back: with +0 as addend the
/// negation of +0 would be +0.
static void negateByMultiplyAdd(LLVM::FNegOp op) {
  OpBuilder builder(op);
  Type type = op.getType();
  auto constant = [&](double value) -> Value {
    auto scalar = builder.getFloatAttr(getElementTypeOrSelf(type), value);
    TypedAttr attr = scalar;
    if (auto shaped = dyn_cast<ShapedType>(type))
      attr = DenseElementsAttr::get(shaped, scalar);
    return LLVM::ConstantOp::create(builder, op.getLoc(), attr);
  };
  Value minusOne = constant(-1.0), minusZero = constant(-0.0);
  op.replaceAllUsesWith(LLVM::FMAOp::create(builder, op.getLoc(),
                                            op.getOperand(), minusOne,
                                            minusZero)
                            .getResult());
  op.erase();
}

static bool hasBarrier(LLVM::LLVMFuncOp function) {
  return function
      .walk([](LLVM::CallOp call) {
        return call.getCallee() == kControlBarrierName ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

void mlt::replaceNegations(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!hasBarrier(function))
      continue;
    SmallVector<LLVM::FNegOp> negations;
    function.walk([&](LLVM::FNegOp op) {
      Type element = getElementTypeOrSelf(op.getType());
      if (element.isF16() || element.isF32() || element.isF64())
        negations.push_back(op);
    });
    llvm::for_each(negations, negateByMultiplyAdd);
  }
}

static bool isConversion(Operation *op) {
  return isa<LLVM::FPExtOp, LLVM::FPTruncOp, LLVM::SIToFPOp, LLVM::UIToFPOp,
             LLVM::FPToSIOp, LLVM::FPToUIOp, LLVM::ZExtOp, LLVM::SExtOp,
             LLVM::TruncOp>(op);
}

/// Elements of the vector `type`, 0 for anything else.
static int64_t getElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable()
             ? vector.getNumElements()
             : 0;
}

/// True for an op that computes each element of a long vector from the same
/// elements of its operands by way of a library function.
static bool isWide(Operation *op) {
  if ((!isConversion(op) && !isIntrinsicOp(op)) || op->getNumResults() != 1 ||
      op->getNumOperands() == 0)
    return false;
  int64_t elements = getElements(op->getResult(0).getType());
  return elements > kMaxElements &&
         llvm::all_of(op->getOperandTypes(),
                      [&](Type type) { return getElements(type) == elements; });
}

static Value slice(OpBuilder &builder, Location loc, Value vector,
                   int64_t begin, int64_t size) {
  SmallVector<int32_t> mask(size);
  std::iota(mask.begin(), mask.end(), begin);
  return LLVM::ShuffleVectorOp::create(builder, loc, vector, vector, mask);
}

static void split(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<VectorType>(op->getResult(0).getType());
  SmallVector<Value> pieces;
  for (int64_t begin = 0; begin < type.getNumElements();
       begin += kMaxElements) {
    int64_t size = std::min(kMaxElements, type.getNumElements() - begin);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(slice(builder, loc, operand, begin, size));
    Operation *piece = builder.clone(*op);
    piece->setOperands(operands);
    piece->getResult(0).setType(VectorType::get({size}, type.getElementType()));
    pieces.push_back(piece->getResult(0));
  }
  op->getResult(0).replaceAllUsesWith(concatenateVectors(builder, loc, pieces));
  op->erase();
}

void mlt::splitWideVectors(ModuleOp module) {
  SmallVector<Operation *> wide;
  module.walk([&](Operation *op) {
    if (isWide(op))
      wide.push_back(op);
  });
  llvm::for_each(wide, split);
}
