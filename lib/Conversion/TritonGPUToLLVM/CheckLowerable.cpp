//===- CheckLowerable.cpp - refuses what has no lowering, with a reason ---===//
//
// A pattern that fails says nothing about why. Everything the lowering cannot
// do is found here, before anything is rewritten, and reported at the
// operation.
//
//===----------------------------------------------------------------------===//
#include "Analysis/OperandRole/OperandRole.h"
#include "Conversion/TritonGPUToLLVM/BlockForms.h"
#include "Conversion/TritonGPUToLLVM/FloatConversions.h"
#include "Conversion/TritonGPUToLLVM/Patterns.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Support/DeviceFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
class LowerableChecker {
public:
  LowerableChecker(const TileTypeConverter &converter,
                   const LoweringContext &lowering)
      : converter(converter), lowering(lowering) {}

  /// Checks one operation, without its regions.
  LogicalResult check(Operation *op) const;

private:
  static LogicalResult refuse(Operation *op, const Twine &reason) {
    return op->emitOpError("cannot be lowered: ") << reason;
  }

  LogicalResult checkTypes(Operation *op) const;
  LogicalResult checkType(Operation *op, Type type) const;
  LogicalResult checkFunction(tt::FuncOp op) const;
  LogicalResult checkLoad(tt::LoadOp op) const;
  LogicalResult checkStore(tt::StoreOp op) const;
  LogicalResult checkPrefetch(PrefetchOp op) const;
  LogicalResult checkRows(Operation *op, RankedTensorType type) const;
  LogicalResult checkArithmetic(Operation *op) const;
  LogicalResult checkFpToFp(tt::FpToFpOp op) const;
  LogicalResult checkDeviceFunction(tt::ExternElementwiseOp op) const;
  LogicalResult checkReduce(tt::ReduceOp op) const;
  LogicalResult checkDot(tt::DotOp op) const;
  LogicalResult checkAtomic(Operation *op, Type type) const;
  LogicalResult checkOtherTriton(Operation *op) const;

  const TileTypeConverter &converter;
  const LoweringContext &lowering;
};
} // namespace

LogicalResult LowerableChecker::checkType(Operation *op, Type type) const {
  if (isa<tt::TensorDescType>(type))
    return refuse(op, "tensor descriptors must be rewritten to block pointers "
                      "before");
  if (tt::isBlockPointer(type) || isa<IndexType>(type) ||
      (!isa<RankedTensorType, tt::PointerType>(type) && !type.isIntOrFloat()))
    return success();
  std::string reason;
  if (failed(converter.getTile(type, &reason)))
    return refuse(op, reason);
  return success();
}

LogicalResult LowerableChecker::checkTypes(Operation *op) const {
  for (Type type : op->getOperandTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(checkType(op, type)))
          return failure();
  return success();
}

LogicalResult LowerableChecker::checkFunction(tt::FuncOp op) const {
  if (op.isPrivate() || op.isExternal())
    return refuse(op, "device functions must be inlined before");
  if (!op.getResultTypes().empty())
    return refuse(op, "a kernel returns nothing");
  for (auto [index, type] : llvm::enumerate(op.getArgumentTypes()))
    if (tt::isBlockPointer(type) || isa<RankedTensorType>(type))
      return refuse(op, "expected a scalar or a pointer to one as argument " +
                            Twine(index) + " of a kernel");
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

LogicalResult LowerableChecker::checkLoad(tt::LoadOp op) const {
  std::string reason;
  if (!tt::isBlockPointer(op.getPtr().getType()))
    return success();
  if (!op.getBoundaryCheck().empty() &&
      op.getPadding() == tt::PaddingOption::PAD_NAN)
    return refuse(op, "a 2-D block load pads with zero; expected padding "
                      "'zero'");
  if (failed(getLoadForm(lowering.target, cast<RankedTensorType>(op.getType()),
                         lowering.blocks.getOrigin(op), &reason)))
    return refuse(op, reason);
  return success();
}

LogicalResult LowerableChecker::checkStore(tt::StoreOp op) const {
  std::string reason;
  if (!tt::isBlockPointer(op.getPtr().getType()))
    return success();
  if (failed(getStoreForm(lowering.target,
                          cast<RankedTensorType>(op.getValue().getType()),
                          lowering.blocks.getOrigin(op), &reason)))
    return refuse(op, reason);
  return success();
}

LogicalResult LowerableChecker::checkPrefetch(PrefetchOp op) const {
  std::string reason;
  auto pointer = cast<tt::PointerType>(op.getPtr().getType());
  if (failed(getPrefetchForm(lowering.target,
                             cast<RankedTensorType>(pointer.getPointeeType()),
                             lowering.blocks.getOrigin(op), &reason)))
    return refuse(op, reason);
  return success();
}

LogicalResult LowerableChecker::checkRows(Operation *op,
                                          RankedTensorType type) const {
  Type element = type.getElementType();
  if (element.isIntOrFloat() && !element.isInteger(1))
    return success();
  return refuse(op, "expected elements that are numbers of whole bytes, got " +
                        print(element) +
                        "; load and store through pointers instead");
}

LogicalResult LowerableChecker::checkAtomic(Operation *op, Type type) const {
  if (tt::getElementBitWidth(type) < 16)
    return refuse(op, "atomic updates need elements of at least 16 bits");
  if (isa<tt::PointerType>(getElementTypeOrSelf(type)))
    return refuse(op, "atomic updates of pointers are not supported");
  return success();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

LogicalResult LowerableChecker::checkArithmetic(Operation *op) const {
  if (isa<arith::SelectOp, arith::BitcastOp, arith::ConstantOp>(op))
    return success();
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector(op->getResults()))) {
    Type element = getElementTypeOrSelf(value.getType());
    if (isCarriedAsInteger(element) && !isConvertibleFloat(element)) {
      return refuse(op,
                    "arithmetic on " + print(element) + " is not supported");
    }
  }
  bool onTiles =
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
  if (onTiles && !op->hasTrait<OpTrait::Elementwise>())
    return refuse(op, "expected an elementwise operation on tiles");
  return success();
}

LogicalResult LowerableChecker::checkFpToFp(tt::FpToFpOp op) const {
  for (Type type : {op.getSrc().getType(), op.getType()}) {
    Type element = getElementTypeOrSelf(type);
    if (isCarriedAsInteger(element) && !isConvertibleFloat(element)) {
      return refuse(op,
                    "conversions of " + print(element) + " are not supported");
    }
  }
  return success();
}

LogicalResult
LowerableChecker::checkDeviceFunction(tt::ExternElementwiseOp op) const {
  const DeviceFunction *function = findDeviceFunction(op.getSymbol());
  if (op.getLibname() != kDeviceLibraryName || !function)
    return refuse(op, "'" + op.getSymbol() +
                          "' is not a function of the device's library; run "
                          "'legalize-triton' first");
  if (function->numArguments != op.getSrcs().size())
    return refuse(op, "expected " + Twine(function->numArguments) +
                          " arguments of '" + op.getSymbol() + "'");
  return success();
}

LogicalResult LowerableChecker::checkReduce(tt::ReduceOp op) const {
  for (RankedTensorType type : op.getInputTypes()) {
    if (type.getEncoding())
      return refuse(op, "expected plain tiles as operands of a reduction");
    if (isa<tt::PointerType>(type.getElementType()))
      return refuse(op, "reductions of pointers are not supported");
  }
  return success();
}

LogicalResult LowerableChecker::checkDot(tt::DotOp op) const {
  std::string reason;
  if (!isMultiplyAddDot(op)) {
    if (failed(getDotForm(lowering.target, op, &reason)))
      return refuse(op, reason);
    return success();
  }
  int64_t lanes = lowering.target.subGroupSize;
  for (Value value : {op.getA(), op.getB(), op.getC()}) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() != 2 || type.getDimSize(1) > lanes || type.getEncoding())
      return refuse(op, "expected plain tiles of rank 2 with at most " +
                            Twine(lanes) + " columns");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

LogicalResult LowerableChecker::checkOtherTriton(Operation *op) const {
  if (isa<tt::CallOp>(op))
    return refuse(op, "calls must be inlined before");
  if (isa<tt::PrintOp, tt::AssertOp, tt::MapElementwiseOp>(op))
    return refuse(op, "run 'legalize-triton' first");
  if (isa<CrossWarpReduceOp>(op))
    return refuse(op, "reductions across warps must be lowered to shared local "
                      "memory before");
  if (isa<tt::ElementwiseInlineAsmOp>(op))
    return refuse(op, "inline assembly is for another device");
  if (isa<tt::GatherOp, tt::ScanOp, tt::HistogramOp>(op))
    return refuse(op, "run 'expand-exchange' first");
  if (isa<tt::DotScaledOp>(op))
    return refuse(op, "run 'legalize-dot' first");
  return refuse(op, "there is no lowering for it at this level");
}

LogicalResult LowerableChecker::check(Operation *op) const {
  if (failed(checkTypes(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tt::FuncOp f) { return checkFunction(f); })
      .Case([&](tt::LoadOp load) { return checkLoad(load); })
      .Case([&](tt::StoreOp store) { return checkStore(store); })
      .Case([&](PrefetchOp prefetch) { return checkPrefetch(prefetch); })
      .Case([&](LoadRowsOp load) {
        return checkRows(load, load.getResult().getType());
      })
      .Case([&](StoreRowsOp store) {
        return checkRows(store, store.getValue().getType());
      })
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp>(
          [&](auto atomic) { return checkAtomic(atomic, atomic.getType()); })
      .Case([&](tt::FpToFpOp convert) { return checkFpToFp(convert); })
      .Case([&](tt::ExternElementwiseOp call) {
        return checkDeviceFunction(call);
      })
      .Case([&](tt::ReduceOp reduce) { return checkReduce(reduce); })
      .Case([&](tt::DotOp dot) { return checkDot(dot); })
      // The parent is refused.
      .Case<YieldOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp>(
          [](auto) { return success(); })
      .Case<tt::ReturnOp, tt::GetProgramIdOp, tt::GetNumProgramsOp,
            tt::MakeRangeOp, tt::SplatOp, tt::UnsplatOp, tt::ExpandDimsOp,
            tt::BroadcastOp, tt::TransOp, tt::ReshapeOp, tt::JoinOp,
            tt::SplitOp, tt::CatOp, tt::ReduceReturnOp, tt::AddPtrOp,
            tt::PtrToIntOp, tt::IntToPtrOp, tt::BitcastOp, tt::ClampFOp,
            tt::MulhiUIOp, tt::PreciseSqrtOp, tt::PreciseDivFOp,
            tt::ApproxDivFOp, tt::MakeTensorPtrOp, tt::AdvanceOp>(
          [](auto) { return success(); })
      .Case<WarpIdOp, ExtractOp, GlueOp, ConvertOperandOp, RoundTF32Op, AllocOp,
            BarrierOp, BarrierArriveOp, BarrierWaitOp>(
          [](auto) { return success(); })
      .Default([&](Operation *other) -> LogicalResult {
        Dialect *dialect = other->getDialect();
        if (isa_and_present<arith::ArithDialect, math::MathDialect>(dialect))
          return checkArithmetic(other);
        if (isa<ModuleOp>(other) ||
            isa_and_present<scf::SCFDialect, cf::ControlFlowDialect,
                            ub::UBDialect, LLVM::LLVMDialect>(dialect))
          return success();
        return checkOtherTriton(other);
      });
}

LogicalResult mlt::checkLowerable(Operation *root,
                                  const TileTypeConverter &converter,
                                  const LoweringContext &lowering) {
  LowerableChecker checker(converter, lowering);
  bool ok = true;
  root->walk([&](Operation *op) { ok &= succeeded(checker.check(op)); });
  return success(ok);
}
