//===- DeviceCalls.h - calls to device functions --------------------------===//
#ifndef MLTC_TARGET_INTRINSICS_DEVICECALLS_H
#define MLTC_TARGET_INTRINSICS_DEVICECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::mlt {

/// What a device function may do besides computing its result.
enum class DeviceEffects {
  /// Depends on its arguments and, if convergent, on those of other lanes.
  None,
  ReadMemory,
  ReadWriteMemory,
};

/// The declaration of device function `name`, created in the module around the
/// insertion point when missing. Device functions take part in sub-group
/// operations, so they are convergent unless `convergent` says otherwise.
/// Fails with an error at `loc` when `name` stands for something else.
FailureOr<LLVM::LLVMFuncOp> getDeviceFunction(OpBuilder &builder, Location loc,
                                              StringRef name, Type result,
                                              TypeRange params,
                                              DeviceEffects effects,
                                              bool convergent = true);

/// A call to device function `name`; `result` is null for none.
FailureOr<LLVM::CallOp> createDeviceCall(OpBuilder &builder, Location loc,
                                         StringRef name, Type result,
                                         ValueRange args, DeviceEffects effects,
                                         bool convergent = true);

/// `stem` with the types that an overloaded intrinsic is meant for in LLVM's
/// spelling: "stem.v8f32.i64".
std::string getOverloadedName(StringRef stem, TypeRange types);

/// An integer constant of type `type`.
Value createInt(OpBuilder &builder, Location loc, Type type, int64_t value);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_DEVICECALLS_H
