//===- MaskedAccess.cpp - loads and stores of some lanes as calls ---------===//
//
// An access under a mask is a branch per element. Device compilers turn each
// into a predicated message; the CPU's vectorizer has to take the control flow
// of a whole kernel apart, whose cost grows much faster than the number of
// branches: a GEMM with masks, 200 of them, takes it 20 seconds. In helpers of
// their own, of which a kernel needs a few, they cost nothing.
//
//===----------------------------------------------------------------------===//
#include "Transforms/EmulateIntrinsics/MaskedAccess.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// A branch around one access.
struct MaskedAccess {
  LLVM::CondBrOp branch;
  Operation *access; // a load or a store
  Operation *cast;   // what makes its address from an integer, or null
  Block *merge;      // where both ways meet
  Value otherwise;   // what takes the place of the loaded value
};
} // namespace

/// The block behind the branch that passes the access by, and what it is given.
static std::pair<Block *, ValueRange> skip(LLVM::CondBrOp branch,
                                           Block *merge) {
  if (branch.getFalseDest() == merge)
    return {merge, branch.getFalseDestOperands()};
  Block *other = branch.getFalseDest();
  auto jump = dyn_cast<LLVM::BrOp>(other->front());
  if (!jump || !other->getSinglePredecessor() || other->getNumArguments() != 0)
    return {nullptr, {}};
  return {jump.getDest(), jump.getDestOperands()};
}

static std::optional<MaskedAccess> match(LLVM::CondBrOp branch) {
  Block *then = branch.getTrueDest();
  auto jump = dyn_cast<LLVM::BrOp>(then->getTerminator());
  if (!jump || !then->getSinglePredecessor() || then->getNumArguments() != 0 ||
      then == branch.getFalseDest())
    return std::nullopt;
  SmallVector<Operation *> body;
  for (Operation &op : then->without_terminator())
    body.push_back(&op);
  if (body.empty() || body.size() > 2)
    return std::nullopt;
  MaskedAccess found{branch, body.back(),
                     body.size() == 2 ? body.front() : nullptr, jump.getDest(),
                     Value()};
  if (found.cast &&
      (!isa<LLVM::IntToPtrOp>(found.cast) || !found.cast->hasOneUse()))
    return std::nullopt;
  auto [merge, given] = skip(branch, found.merge);
  if (merge != found.merge || llvm::range_size(merge->getPredecessors()) != 2)
    return std::nullopt;
  if (auto load = dyn_cast<LLVM::LoadOp>(found.access)) {
    if (load.getVolatile_() ||
        load.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
        jump.getDestOperands().size() != 1 ||
        jump.getDestOperands().front() != load.getResult())
      return std::nullopt;
    found.otherwise = given.front();
    return found;
  }
  auto store = dyn_cast<LLVM::StoreOp>(found.access);
  if (!store || store.getVolatile_() ||
      store.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
      !jump.getDestOperands().empty())
    return std::nullopt;
  return found;
}

/// A name that says all that two helpers may differ in.
static std::string getName(const MaskedAccess &found, ValueRange arguments) {
  std::string name;
  llvm::raw_string_ostream os(name);
  auto load = dyn_cast<LLVM::LoadOp>(found.access);
  os << (load ? "mlt_masked_load" : "mlt_masked_store");
  for (Type type : arguments.drop_front().getTypes())
    os << '_' << type;
  os << "_a"
     << (load ? load.getAlignment()
              : cast<LLVM::StoreOp>(found.access).getAlignment())
            .value_or(0);
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

/// The helper: its arguments are the condition, the address, and the stored
/// value or the one in the place of the loaded one.
static LLVM::LLVMFuncOp getHelper(ModuleOp module, const MaskedAccess &found,
                                  ValueRange arguments) {
  std::string name = getName(found, arguments);
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = NameLoc::get(StringAttr::get(context, name));
  bool isLoad = isa<LLVM::LoadOp>(found.access);
  Type result =
      isLoad ? found.otherwise.getType() : LLVM::LLVMVoidType::get(context);
  auto helper = LLVM::LLVMFuncOp::create(
      builder, loc, name,
      LLVM::LLVMFunctionType::get(result,
                                  llvm::to_vector(arguments.getTypes())),
      LLVM::Linkage::Internal);
  helper.setCConv(LLVM::CConv::SPIR_FUNC);
  helper.setNoInline(true);
  helper.setNoUnwind(true);
  Block *entry = helper.addEntryBlock(builder);
  Block *then = builder.createBlock(&helper.getBody(), helper.getBody().end());
  Block *merge = builder.createBlock(&helper.getBody(), helper.getBody().end());
  Value condition = entry->getArgument(0), address = entry->getArgument(1);
  Value value = entry->getArgument(2);

  builder.setInsertionPointToEnd(then);
  if (found.cast)
    address = LLVM::IntToPtrOp::create(
        builder, loc, found.cast->getResult(0).getType(), address);
  IRMapping mapping;
  Operation *access = found.access;
  mapping.map(access->getOperand(isLoad ? 0 : 1), address);
  if (!isLoad)
    mapping.map(access->getOperand(0), value);
  Operation *copy = builder.clone(*access, mapping);
  copy->setLoc(loc);
  LLVM::BrOp::create(builder, loc, copy->getResults(), merge);
  builder.setInsertionPointToEnd(entry);
  LLVM::CondBrOp::create(builder, loc, condition, then, ValueRange(), merge,
                         isLoad ? ValueRange(value) : ValueRange());
  builder.setInsertionPointToEnd(merge);
  if (isLoad)
    merge->addArgument(result, loc);
  LLVM::ReturnOp::create(builder, loc, merge->getArguments());
  return helper;
}

/// Replaces the branch, both ways, and the block they meet in, which is joined
/// to the branch's.
static void outline(ModuleOp module, const MaskedAccess &found) {
  bool isLoad = isa<LLVM::LoadOp>(found.access);
  Value address = found.cast ? found.cast->getOperand(0)
                             : found.access->getOperand(isLoad ? 0 : 1);
  Value value = isLoad ? found.otherwise : found.access->getOperand(0);
  SmallVector<Value> arguments{LLVM::CondBrOp(found.branch).getCondition(),
                               address, value};
  LLVM::LLVMFuncOp helper = getHelper(module, found, arguments);
  IRRewriter rewriter(found.branch);
  auto call =
      LLVM::CallOp::create(rewriter, found.access->getLoc(), helper, arguments);
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  call.setNoUnwind(true);
  Block *block = found.branch->getBlock();
  Block *ways[] = {found.access->getBlock(),
                   LLVM::CondBrOp(found.branch).getFalseDest()};
  rewriter.eraseOp(found.branch);
  for (Block *way : ways)
    if (way != found.merge)
      rewriter.eraseBlock(way);
  rewriter.mergeBlocks(found.merge, block, call.getResults());
}

void mlt::outlineMaskedAccesses(ModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> functions(module.getOps<LLVM::LLVMFuncOp>());
  for (LLVM::LLVMFuncOp function : functions) {
    // Helpers of messages are small, and compiled once.
    if (function.getCConv() != LLVM::CConv::SPIR_KERNEL)
      continue;
    for (auto block = function.begin(); block != function.end(); ++block)
      while (auto branch = dyn_cast<LLVM::CondBrOp>(block->getTerminator())) {
        std::optional<MaskedAccess> found = match(branch);
        if (!found)
          break;
        outline(module, *found);
      }
  }
}
