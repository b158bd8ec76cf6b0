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

/// The passes that pipelines/pvc-simt.yaml and pvc-simd.yaml share, then those
/// of `lowering`.
static void buildPvc(OpPassManager &manager, StringRef lowering) {
  static constexpr llvm::StringLiteral passes =
      "inline,materialize-markers,legalize-triton,canonicalize,cse,"
      "rewrite-tensor-descriptor,raise-block-pointer,legalize-dot,"
      "expand-exchange,canonicalize,cse,"
      "convert-triton-to-tritongpu-warp,prefetch-block,"
      "distribute-to-warps,canonicalize,cse,lower-cross-warp-reduce,"
      "remove-redundant-barriers,"
      "legalize-block-io,canonicalize,cse,"
      "match-target-size,canonicalize,cse,assign-operand-layout,";
  LogicalResult parsed = parsePassPipeline((passes + lowering).str(), manager);
  assert(succeeded(parsed) && "the pipeline names registered passes");
  (void)parsed;
}

static void buildPvcSimt(OpPassManager &manager) {
  buildPvc(manager, "schedule-load,defer-reduce,schedule-load,"
                    "convert-tritongpu-to-llvm,canonicalize,cse,"
                    "convert-xevm-to-builtin");
}

static void buildPvcSimd(OpPassManager &manager) {
  buildPvc(manager, "schedule-load{style=simd},defer-reduce{style=simd},"
                    "schedule-load{style=simd},place-load,"
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
  mlt::registerLegalizeBlockIOPass();
  mlt::registerLowerToReleasePass();
  mlt::registerRaiseBlockPointerPass();
  mlt::registerPlaceLoadPasses();
  mlt::registerScheduleLoadPasses();
  mlt::registerTritonGPUToLLVMPasses();
  mlt::registerVCToRawSendPasses();
  mlt::registerXeVMToBuiltinPasses();
  mlt::registerXeVMToGenISAPasses();
  mlt::registerEmulateIntrinsicsPasses();
  PassPipelineRegistration<>(
      "mlt-pvc-simt",
      "from Triton IR to the LLVM dialect for PVC, SIMT (as pipelines/"
      "pvc-simt.yaml)",
      buildPvcSimt);
  PassPipelineRegistration<>(
      "mlt-pvc-simd",
      "from Triton IR to the LLVM dialect for PVC, SIMD (as pipelines/"
      "pvc-simd.yaml)",
      buildPvcSimd);
}
