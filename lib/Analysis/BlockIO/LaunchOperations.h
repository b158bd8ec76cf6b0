//===- LaunchOperations.h - the operations of launch expressions ----------===//
#ifndef MLTC_ANALYSIS_BLOCKIO_LAUNCHOPERATIONS_H
#define MLTC_ANALYSIS_BLOCKIO_LAUNCHOPERATIONS_H

#include "mlir/IR/Builders.h"

namespace mlir::mlt {

/// A binary operation that launch expressions are made of: what the compiler
/// writes into them and what it makes of them when it checks them itself.
struct LaunchOperation {
  /// The name under which the runtime knows it.
  llvm::StringLiteral name;
  /// Whether a right operand of zero traps.
  bool divides;
  bool (*matches)(Operation *op);
  Value (*create)(OpBuilder &builder, Location loc, Value lhs, Value rhs);

  /// The entry for an operation, or for a name; null when there is none.
  static const LaunchOperation *find(Operation *op);
  static const LaunchOperation *find(StringRef name);
};

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_BLOCKIO_LAUNCHOPERATIONS_H
