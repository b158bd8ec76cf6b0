//===- DeviceFunctions.h - functions that every OpenCL device has ---------===//
//
// Calls of the device's own math functions which MLIR has no operation for are
// `tt.extern_elementwise` of the library named here until they become LLVM. The
// list is closed: llvm-spirv turns exactly known names into instructions, any
// other stays a call that no device resolves.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_SUPPORT_DEVICEFUNCTIONS_H
#define MLTC_SUPPORT_DEVICEFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::mlt {

inline constexpr llvm::StringLiteral kDeviceLibraryName = "opencl";

/// A function and how many arguments it takes.
struct DeviceFunction {
  llvm::StringLiteral name;
  unsigned numArguments;
};

inline constexpr DeviceFunction kDeviceFunctions[] = {
    {"cospi", 1},        {"exp10", 1},        {"fdim", 2},
    {"ilogb", 1},        {"ldexp", 2},        {"lgamma", 1},
    {"logb", 1},         {"native_cos", 1},   {"native_divide", 2},
    {"native_exp", 1},   {"native_exp10", 1}, {"native_log", 1},
    {"native_log10", 1}, {"native_log2", 1},  {"native_sin", 1},
    {"native_tan", 1},   {"nextafter", 2},    {"pow", 2},
    {"pown", 2},         {"remainder", 2},    {"sinpi", 1},
    {"tgamma", 1},
};

/// The function of that name, or null.
inline const DeviceFunction *findDeviceFunction(llvm::StringRef name) {
  const auto *it =
      llvm::find_if(kDeviceFunctions,
                    [&](const DeviceFunction &f) { return f.name == name; });
  return it == std::end(kDeviceFunctions) ? nullptr : it;
}

} // namespace mlir::mlt

#endif // MLTC_SUPPORT_DEVICEFUNCTIONS_H
