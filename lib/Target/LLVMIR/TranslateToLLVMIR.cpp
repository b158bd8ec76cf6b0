//===- TranslateToLLVMIR.cpp - LLVM dialect to LLVM IR for SPIR-V ---------===//
//
// Upstream's translation, with the triple and data layout that SPIR-V consumers
// expect set before it (alignments depend on them) and vectors of one element
// made scalars, then the optional LLVM passes, then a look for what the SPIR-V
// translator turns into something else without saying so.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/VC.h"
#include "Target/LLVMIR/Translation.h"
#include "Target/LLVMIR/UnitVectors.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"

using namespace mlir;
using namespace mlir::mlt;

static constexpr StringLiteral kTriple = "spir64-unknown-unknown";
static constexpr StringLiteral kDataLayout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
    "v1024:1024-n8:16:32:64";

/// Gives functions line tables made of the locations of their ops.
static LogicalResult addDebugLines(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  return manager.run(module);
}

static LogicalResult runPasses(ModuleOp op, llvm::Module &module,
                               StringRef pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    return emitError(op.getLoc()) << "LLVM pass pipeline '" << pipeline
                                  << "': " << llvm::toString(std::move(error));
  passes.run(module, modules);
  return success();
}

/// Why the SPIR-V translator cannot have a value of `type`; empty if it can.
/// `anyVector`: SPV_INTEL_vector_compute is there, which has vectors of any
/// length.
static StringRef getTypeProblem(llvm::Type *type, bool anyVector) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    if (vector->getNumElements() == 1 && !anyVector)
      return "vectors of one element do not exist in SPIR-V";
    type = vector->getElementType();
  }
  if (type->isBFloatTy())
    return "bfloat is f16 to older device compilers; use i16 and conversions";
  if (type->isIntegerTy() &&
      !llvm::is_contained({1u, 8u, 16u, 32u, 64u}, type->getIntegerBitWidth()))
    return "integers have 1, 8, 16, 32 or 64 bits in SPIR-V";
  return "";
}

static LogicalResult checkForSPIRV(ModuleOp op, const llvm::Module &module,
                                   bool anyVector) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      StringRef problem = getTypeProblem(instruction.getType(), anyVector);
      for (const llvm::Use &operand : instruction.operands())
        if (problem.empty())
          problem = getTypeProblem(operand->getType(), anyVector);
      if (problem.empty())
        continue;
      std::string text;
      llvm::raw_string_ostream(text) << instruction;
      return emitError(op.getLoc()) << "function '" << function.getName()
                                    << "': " << problem << ":" << text;
    }
  return success();
}

std::unique_ptr<llvm::Module>
mlt::translateToLLVMIR(ModuleOp module, llvm::LLVMContext &context,
                       const TranslationOptions &options) {
  Builder builder(module.getContext());
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  builder.getStringAttr(kTriple));
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  builder.getStringAttr(kDataLayout));
  // Intrinsics of the vector backend are overloaded for vectors of one element.
  bool anyVector = usesVectorCompute(module);
  if (!anyVector && failed(scalarizeUnitVectors(module)))
    return nullptr;
  if (options.debugLines && failed(addDebugLines(module)))
    return nullptr;
  // Verified below, where a failure becomes a diagnostic.
  std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(
      module, context, "mltc", /*disableVerification=*/true);
  if (!result)
    return nullptr;
  if (!options.llvmPasses.empty() &&
      failed(runPasses(module, *result, options.llvmPasses)))
    return nullptr;
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*result, &stream)) {
    emitError(module.getLoc()) << "invalid LLVM IR: " << problem;
    return nullptr;
  }
  if (failed(checkForSPIRV(module, *result, anyVector)))
    return nullptr;
  return result;
}
