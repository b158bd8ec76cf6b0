//===- Registration.cpp - every dialect and pass of the tools -------------===//
#include "Registration/Registration.h"
#include "Conversion/TritonGPUToLLVM/Passes.h"
#include "Conversion/TritonToTritonGPUWarp/Passes.h"
#include "Conversion/VCToRawSend/Passes.h"
#include "Conversion/XeVMToBuiltin/Passes.h"
#include "Conversion/XeVMToGenISA/Passes.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "Transforms/EmulateIntrinsics/Passes.h"
#include "Transforms/FoldTransposition/Passes.h"
#include "Transforms/LegalizeBlockIO/Passes.h"
#include "Transforms/LowerToRelease/Passes.h"
#include "Transforms/MaterializeMarkers/Passes.h"
#include "Transforms/Passes.h"
#include "Transforms/PlaceLoad/Passes.h"
#include "Transforms/RaiseBlockPointer/Passes.h"
#include "Transforms/RewriteTensorDescriptor/Passes.h"
#include "Transforms/ScheduleLoad/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlt::registerAllDialects(DialectRegistry &registry) {
  registry.insert<tt::TritonDialect, ttg::TritonGPUDialect, mlt::MLTDialect>();
  ttg::registerTritonGPUAliasDialect(registry);
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect, xevm::XeVMDialect>();
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
}

namespace {
/// What the named pipelines hand on to their passes, which check it; what is
/// not given is theirs to decide.
struct PvcOptions : PassPipelineOptions<PvcOptions> {
  Option<std::string> numWarps{
      *this, "num-warps",
      llvm::cl::desc("as of --convert-triton-to-tritongpu-warp")};
  Option<std::string> distance{
      *this, "prefetch-distance",
      llvm::cl::desc("as 'distance' of --prefetch-block")};
  Option<std::string> versions{*this, "versions",
                               llvm::cl::desc("as of --legalize-block-io")};
};
} // namespace

/// `pass` with its option `name` set to `option` if that was given.
static std::string withOption(StringRef pass, StringRef name,
                              const PvcOptions::Option<std::string> &option) {
  if (!option.hasValue())
    return pass.str();
  return (pass + "{" + name + "=" + option.getValue() + "}").str();
}

/// The passes that pipelines/pvc-simt.yaml and pvc-simd.yaml share, then those
/// of `lowering`.
static void buildPvc(OpPassManager &manager, const PvcOptions &options,
                     StringRef lowering) {
  std::string passes =
      "inline," +
      withOption("materialize-markers", "num-warps", options.numWarps) +
      ",legalize-triton,canonicalize,cse,"
      "rewrite-tensor-descriptor,raise-block-pointer,fold-transposition,"
      "legalize-dot,expand-exchange,canonicalize,cse," +
      withOption("convert-triton-to-tritongpu-warp", "num-warps",
                 options.numWarps) +
      "," + withOption("prefetch-block", "distance", options.distance) +
      ",distribute-to-warps,canonicalize,cse,lower-cross-warp-reduce,"
      "remove-redundant-barriers,unbatch-blocks," +
      withOption("legalize-block-io", "versions", options.versions) +
      ",remove-redundant-barriers,canonicalize,cse,";
  // Only values that were given can be wrong, and the pass has said so.
  if (failed(parsePassPipeline(passes + lowering.str(), manager)))
    llvm::report_fatal_error("wrong option of a named pipeline",
                             /*gen_crash_diag=*/false);
}

static void buildPvcSimt(OpPassManager &manager, const PvcOptions &options) {
  buildPvc(
      manager, options,
      "match-target-size,canonicalize,cse,assign-operand-layout,join-prefetch,"
      "schedule-load,defer-reduce,schedule-load,expand-row-access,"
      "convert-tritongpu-to-llvm,canonicalize,cse,"
      "convert-xevm-to-builtin");
}

static void buildPvcSimd(OpPassManager &manager, const PvcOptions &options) {
  buildPvc(manager, options,
           "match-target-size{style=simd},canonicalize,cse,"
           "assign-operand-layout,join-prefetch,"
           "schedule-load{style=simd},defer-reduce{style=simd},"
           "schedule-load{style=simd},place-load,expand-row-access,"
           "convert-tritongpu-to-llvm{style=simd interface=vc-raw},"
           "canonicalize,cse,convert-vc-to-raw-send");
}

void mlt::registerAllPasses() {
  registerTransformsPasses();
  arith::registerArithPasses();
  mlt::registerTransformPasses();
  mlt::registerMaterializeMarkersPass();
  mlt::registerRewriteTensorDescriptorPass();
  mlt::registerTritonToTritonGPUWarpPasses();
  mlt::registerLegalizeBlockIOPasses();
  mlt::registerLowerToReleasePass();
  mlt::registerRaiseBlockPointerPass();
  mlt::registerFoldTranspositionPass();
  mlt::registerPlaceLoadPasses();
  mlt::registerScheduleLoadPasses();
  mlt::registerTritonGPUToLLVMPasses();
  mlt::registerVCToRawSendPasses();
  mlt::registerXeVMToBuiltinPasses();
  mlt::registerXeVMToGenISAPasses();
  mlt::registerEmulateIntrinsicsPasses();
  PassPipelineRegistration<PvcOptions>(
      "mlt-pvc-simt",
      "from Triton IR to the LLVM dialect for PVC, SIMT (as pipelines/"
      "pvc-simt.yaml)",
      buildPvcSimt);
  PassPipelineRegistration<PvcOptions>(
      "mlt-pvc-simd",
      "from Triton IR to the LLVM dialect for PVC, SIMD (as pipelines/"
      "pvc-simd.yaml)",
      buildPvcSimd);
}
