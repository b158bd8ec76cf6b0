//===- Builtins.h - calls of OpenCL and SPIR-V built-in functions ---------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_BUILTINS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_BUILTINS_H

#include "mlir/IR/Builders.h"

namespace mlir::mlt {

/// What a built-in does beyond computing its result from its arguments.
enum class BuiltinEffect {
  /// Nothing.
  Pure,
  /// Reads other lanes: must not be moved to where other lanes are missing.
  CrossLane,
  /// Orders memory accesses of several warps.
  Barrier,
  /// Accesses memory for its own lane.
  Memory,
};

/// The Itanium mangling of a scalar or a vector of them, signed for integers.
std::string mangleType(Type type);

/// Calls `name`, declaring it in the module around the insertion point if need
/// be. Returns the result, or a null value when `result` is null (void).
Value callBuiltin(OpBuilder &builder, Location loc, StringRef name, Type result,
                  ValueRange arguments, BuiltinEffect effect);

/// Calls the OpenCL function `base` on `arguments`, scalars or vectors of one
/// length, any length. The results have elements of type `result`.
Value callFunction(OpBuilder &builder, Location loc, StringRef base,
                   Type result, ValueRange arguments);

/// The same element by element, for names with argument types that
/// `mangleType` does not give.
Value callBuiltinByElement(OpBuilder &builder, Location loc, StringRef base,
                           StringRef mangledArguments, Type result,
                           ValueRange arguments);

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_BUILTINS_H
