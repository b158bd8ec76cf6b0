//===- Mangling.h - Itanium names of OpenCL built-ins ---------------------===//
//
// The part of the Itanium mangling that OpenCL C built-ins use: scalars, short
// vectors, pointers with an address space, and substitutions. A device compiler
// resolves a built-in by its mangled name alone and turns a name it does not
// know into a call that fails at load time, so both directions are exact here:
// what we emit is built from types, and what we read must parse to the end.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TARGET_INTRINSICS_MANGLING_H
#define MLTC_TARGET_INTRINSICS_MANGLING_H

#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::mlt {

/// A parameter type of an OpenCL built-in. `code` is the Itanium code of the
/// scalar ("i", "t", "f", "Dh", ..., "v" behind a pointer).
struct MangledType {
  std::string code;
  unsigned lanes = 1;
  bool isPointer = false;
  unsigned addressSpace = 0;
  bool isConst = false;

  static MangledType scalar(StringRef code) { return {code.str()}; }
  static MangledType vector(unsigned lanes, StringRef code) {
    return {code.str(), lanes};
  }
  static MangledType pointer(unsigned addressSpace, bool isConst,
                             StringRef code) {
    return {code.str(), 1, true, addressSpace, isConst};
  }

  /// True for the unsigned integer codes.
  bool isUnsigned() const;
  /// Whether a value of LLVM dialect type `type` can be passed for this.
  bool accepts(Type type) const;
};

/// A name taken apart. `params` is empty for a function without parameters.
struct MangledName {
  StringRef base;
  SmallVector<MangledType, 8> params;
};

/// `_Z<length><base><params>` with substitutions for repeated compound types.
std::string mangle(StringRef base, ArrayRef<MangledType> params);

/// Takes `name` apart; fails with a reason when it is not fully understood.
llvm::Expected<MangledName> demangle(StringRef name);

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_MANGLING_H
