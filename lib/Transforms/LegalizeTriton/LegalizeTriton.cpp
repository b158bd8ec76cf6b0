//===- LegalizeTriton.cpp - the language that the levels below know -------===//
//
// Triton has operations for other devices' libraries, for host-side debugging
// and for scalar code on tensors. The first pass of the flow writes them with
// operations that every level knows, and refuses the rest here, at the
// operation of the user's program, before any of its shape is lost: what the
// passes below then see they can lower.
//
//===----------------------------------------------------------------------===//
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Support/DeviceFunctions.h"
#include "Transforms/LegalizeTriton/LibraryFunctions.h"
#include "Transforms/LegalizeTriton/StructureControlFlow.h"
#include "Transforms/MatchTargetSize/CombineRegion.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_LEGALIZETRITON
#include "Transforms/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// True when `function` may reach itself by calls.
static bool isRecursive(tt::FuncOp function) {
  SmallVector<tt::FuncOp> worklist{function};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    tt::FuncOp current = worklist.pop_back_val();
    bool found = false;
    current.walk([&](tt::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<tt::FuncOp>(
          call, call.getCalleeAttr());
      found |= callee == function;
      if (callee && seen.insert(callee).second)
        worklist.push_back(callee);
    });
    if (found)
      return true;
  }
  return false;
}

static LogicalResult refuseCall(tt::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<tt::FuncOp>(
      call, call.getCalleeAttr());
  InFlightDiagnostic error = call.emitOpError("cannot be compiled: ");
  if (!callee || callee.isExternal())
    return error << "expected a function with a body in the same module";
  if (isRecursive(callee))
    return error << "kernels have no call stack, so that '"
                 << callee.getSymName()
                 << "' cannot call itself; write the recursion as a loop";
  if (!callee.getBody().hasOneBlock())
    return error << "'" << callee.getSymName()
                 << "' returns from the middle, which cannot be inlined into a "
                    "loop or a condition; return once, at its end";
  return error << "kernels have no call stack; run 'inline' first";
}

/// Values that no level can carry.
static LogicalResult checkTypes(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() == 0)
      return op->emitOpError("cannot be compiled: expected tensors of rank 1 "
                             "or more, got ")
             << type << "; use a scalar";
  }
  return success();
}

static LogicalResult checkFunction(tt::FuncOp function) {
  if (!function.isPublic())
    return success();
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isa<RankedTensorType>(type) || tt::isBlockPointer(type))
      return function.emitOpError()
             << "cannot be compiled: expected scalars, pointers and tensor "
                "descriptors as arguments of a kernel, got "
             << type << " as argument " << index
             << "; make it private if kernels call it";
  if (!function.getResultTypes().empty())
    return function.emitOpError()
           << "cannot be compiled: a kernel returns nothing; make it private "
              "if kernels call it";
  return success();
}

/// Operations that no form of the flow does, and why.
static LogicalResult checkKnown(Operation *op) {
  static const std::pair<StringRef, StringRef> kReasons[] = {
      {"tt.atomic_poll",
       "waiting for a value with a time limit needs a clock that the target "
       "does not have; wait in a loop of tt.atomic_cas or tt.atomic_load"},
      {"tt.elementwise_inline_asm",
       "inline assembly is for another device; write it with operations of "
       "triton.language"},
  };
  StringRef name = op->getName().getStringRef();
  for (auto [refused, reason] : kReasons)
    if (name == refused)
      return op->emitOpError("cannot be compiled: ") << reason;
  return success();
}

namespace {
//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

struct ExpandExtern : OpRewritePattern<tt::ExternElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::ExternElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getLibname() == kDeviceLibraryName)
      return failure();
    std::string reason;
    Value value = expandLibraryFunction(rewriter, op, reason);
    if (!value)
      return op.emitOpError("cannot be compiled: ") << reason;
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Scalar code on every element becomes the same code on tensors.
struct ExpandMap : OpRewritePattern<tt::MapElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::MapElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (!isElementwiseRegion(op.getScalarOp()))
      return op.emitOpError("cannot be compiled: expected scalar code without "
                            "loops, memory accesses and calls");
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getSrcs().front().getType());
    int64_t pack = op.getPack();
    if (!llvm::isPowerOf2_64(pack) || type.getShape().back() % pack != 0)
      return op.emitOpError("cannot be compiled: expected 'pack' to be a power "
                            "of two that divides the last dimension, got ")
             << pack << " of " << type;
    SmallVector<Value> arguments;
    for (Value source : op.getSrcs())
      llvm::append_range(arguments, split(rewriter, loc, source, pack));
    SmallVector<Value> results =
        applyToTensors(rewriter, op.getScalarOp(), arguments);
    SmallVector<Value> joined;
    for (size_t i = 0; i < results.size(); i += pack)
      joined.push_back(join(rewriter, loc, ArrayRef(results).slice(i, pack)));
    rewriter.replaceOp(op, joined);
    return success();
  }

private:
  /// Element i of every group of `count` neighbours, for each i.
  static SmallVector<Value> split(OpBuilder &builder, Location loc, Value value,
                                  int64_t count) {
    if (count == 1)
      return {value};
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.back() /= 2;
    auto half = RankedTensorType::get(shape, type.getElementType());
    shape.push_back(2);
    auto pairs = RankedTensorType::get(shape, type.getElementType());
    Value paired = tt::ReshapeOp::create(builder, loc, pairs, value,
                                         /*allow_reorder=*/false);
    auto halves = tt::SplitOp::create(builder, loc, half, half, paired);
    SmallVector<Value> even =
        split(builder, loc, halves.getResult(0), count / 2);
    SmallVector<Value> odd =
        split(builder, loc, halves.getResult(1), count / 2);
    SmallVector<Value> result;
    for (auto [a, b] : llvm::zip_equal(even, odd))
      result.append({a, b});
    return result;
  }

  static Value join(OpBuilder &builder, Location loc, ArrayRef<Value> parts) {
    if (parts.size() == 1)
      return parts.front();
    SmallVector<Value> even, odd;
    for (size_t i = 0; i < parts.size(); i += 2) {
      even.push_back(parts[i]);
      odd.push_back(parts[i + 1]);
    }
    Value a = join(builder, loc, even), b = join(builder, loc, odd);
    auto type = cast<RankedTensorType>(a.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(2);
    Value pairs = tt::JoinOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()), a,
        b);
    shape.pop_back();
    shape.back() *= 2;
    return tt::ReshapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        pairs, /*allow_reorder=*/false);
  }
};

/// The only element of a tile is what reducing it gives, whatever the region.
struct ReduceUnsplat : OpRewritePattern<tt::UnsplatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::UnsplatOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getType();
    Value vector = op.getSrc();
    auto type = RankedTensorType::get({1}, element);
    if (vector.getType() != type)
      vector = tt::ReshapeOp::create(rewriter, loc, type, vector);
    auto reduce = tt::ReduceOp::create(rewriter, loc, TypeRange{element},
                                       ValueRange{vector}, /*axis=*/0);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *body = rewriter.createBlock(&reduce.getCombineOp(), {},
                                         {element, element}, {loc, loc});
      tt::ReduceReturnOp::create(rewriter, loc, body->getArgument(0));
    }
    rewriter.replaceOp(op, reduce.getResult());
    return success();
  }
};

/// Launches are not chained here: each begins when the one before has ended.
template <typename OpT> struct DropChaining : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// Messages have no way back to the host.
template <typename OpT> struct DropMessage : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    op.emitWarning() << "'" << op->getName()
                     << "' is left out: kernels have no channel back to the "
                        "host for messages";
    rewriter.eraseOp(op);
    return success();
  }
};

/// An atomic load reads by an update that changes nothing.
struct ExpandAtomicLoad : OpRewritePattern<tt::AtomicLoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::AtomicLoadOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    Type bits = withElement(
        type, rewriter.getIntegerType(element.getIntOrFloatBitWidth()));
    Value pointer = op.getPtr();
    if (bits != type) {
      auto old = cast<tt::PointerType>(getElementTypeOrSelf(pointer.getType()));
      Type cast = withElement(pointer.getType(),
                              tt::PointerType::get(getElementTypeOrSelf(bits),
                                                   old.getAddressSpace()));
      pointer = tt::BitcastOp::create(rewriter, loc, cast, pointer);
    }
    Value zero = arith::ConstantOp::create(
        rewriter, loc, cast<TypedAttr>(rewriter.getZeroAttr(bits)));
    Value value =
        tt::AtomicRMWOp::create(rewriter, loc, bits, tt::RMWOp::OR, pointer,
                                zero, op.getMask(), op.getSem(), op.getScope());
    if (bits != type)
      value = tt::BitcastOp::create(rewriter, loc, type, value);
    rewriter.replaceOp(op, value);
    return success();
  }

  static Type withElement(Type like, Type element) {
    if (auto tensor = dyn_cast<RankedTensorType>(like))
      return tensor.clone(element);
    return element;
  }
};

/// An atomic store is an exchange whose result nobody wants.
struct ExpandAtomicStore : OpRewritePattern<tt::AtomicStoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::AtomicStoreOp op,
                                PatternRewriter &rewriter) const override {
    tt::AtomicRMWOp::create(rewriter, op.getLoc(), op.getValue().getType(),
                            tt::RMWOp::XCHG, op.getPtr(), op.getValue(),
                            op.getMask(), op.getSem(), op.getScope());
    rewriter.eraseOp(op);
    return success();
  }
};

struct LegalizeTriton : mlt::impl::LegalizeTritonBase<LegalizeTriton> {
  using LegalizeTritonBase::LegalizeTritonBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExtern, ExpandMap, DropMessage<tt::PrintOp>,
                 DropMessage<tt::AssertOp>, ExpandAtomicLoad, ExpandAtomicStore,
                 ReduceUnsplat, DropChaining<tt::GridDependencyWaitOp>,
                 DropChaining<tt::GridDependencyLaunchDependentsOp>>(
        &getContext());
    // Tensors of rank 0 are a trap for many patterns, so they come first.
    bool ok = true;
    module.walk([&](Operation *op) { ok &= succeeded(checkTypes(op)); });
    if (!ok)
      return signalPassFailure();
    ScopedDiagnosticHandler errors(&getContext(), [&](Diagnostic &diagnostic) {
      ok &= diagnostic.getSeverity() != DiagnosticSeverity::Error;
      return failure(); // still to be reported
    });
    walkAndApplyPatterns(module, std::move(patterns));
    module.walk([&](Operation *op) {
      if (auto function = dyn_cast<tt::FuncOp>(op))
        (void)checkFunction(function);
      else if (auto call = dyn_cast<tt::CallOp>(op))
        (void)refuseCall(call);
      else
        (void)checkKnown(op);
    });
    for (tt::FuncOp function : module.getOps<tt::FuncOp>())
      if (ok)
        ok = succeeded(structureControlFlow(function));
    if (!ok)
      signalPassFailure();
  }
};
} // namespace
