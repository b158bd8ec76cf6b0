//===- Emulator.h - calls to device functions become helpers --------------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_EMULATOR_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_EMULATOR_H

#include "Target/Intrinsics/Intrinsics.h"
#include "Transforms/EmulateIntrinsics/CheckedAccess.h"
#include "Transforms/EmulateIntrinsics/Emitter.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::mlt {

/// Replaces decoded calls, one at a time.
class Emulator {
public:
  /// `checks` is null unless block messages are checked; `unlimited`:
  /// messages take any surface.
  Emulator(ModuleOp module, const LaneView &lanes, CheckSites *checks,
           bool unlimited)
      : module(module), lanes(lanes), checks(checks), unlimited(unlimited) {}

  /// Declares what replacements call; to be called first. Fails, with an error,
  /// when the module uses one of the names for something else.
  LogicalResult declareFunctions();

  void replace(LLVM::CallOp call, const IntrinsicInfo &info);

  unsigned numHelpers = 0;

private:
  using BodyEmitter = function_ref<void(Emitter &, Block &)>;

  void replaceBlock2D(LLVM::CallOp call, const IntrinsicInfo &info);
  void replaceBlock1D(LLVM::CallOp call, const IntrinsicInfo &info);
  /// What the helper of a checked message gets besides; none without checks.
  SmallVector<Value> getCheckArgs(LLVM::CallOp call);
  /// Checks where a 1-D message begins, in the body of its helper.
  void emitCheck1D(Emitter &emitter, Value address, Type result,
                   ValueRange args);
  void replaceDpas(LLVM::CallOp call, const DpasMessage &message);
  void replaceConversion(LLVM::CallOp call, IntrinsicKind kind);
  void replaceId(LLVM::CallOp call, const WorkItemQuery &query);
  void replaceAddressed(LLVM::CallOp call, const IntrinsicInfo &info);
  void replaceRegion(LLVM::CallOp call, const RegionMessage &region);
  void replaceMath(LLVM::CallOp call, MathFunction function);
  /// Where shared local memory starts, for `call` in a kernel.
  Value getSharedBase(OpBuilder &builder, LLVM::CallOp call);
  void replaceBarrier(LLVM::CallOp call, bool execution);

  /// Calls the helper for `info`, a piece of the message of `call`; `args` are
  /// the surface arguments and the data of a write.
  Value callBlock2D(LLVM::CallOp call, const IntrinsicInfo &info,
                    SmallVector<Value> args, ArrayRef<Value> checkArgs);
  void emitBlock2DBody(Emitter &emitter, const IntrinsicInfo &info,
                       ValueRange args);
  LLVM::LLVMFuncOp getHelper(StringRef name, Type result, TypeRange params,
                             BodyEmitter emitBody);
  LLVM::CallOp callHelper(OpBuilder &builder, Location loc,
                          LLVM::LLVMFuncOp helper, ValueRange args);

  ModuleOp module;
  const LaneView &lanes;
  CheckSites *checks;
  bool unlimited;
  llvm::StringMap<LLVM::LLVMFuncOp> helpers;
  llvm::DenseMap<Operation *, LLVM::GlobalOp> sharedMemory;
};

/// Returns from a helper, with `value` unless it is null.
void emitReturn(Emitter &emitter, Value value);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_EMULATOR_H
