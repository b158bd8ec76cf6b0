//===- CheckedAccess.h - the hardware's rules for block messages ----------===//
//
// What is undefined on the device must not look right on the CPU. With the
// pass option `checked`, each block message tests the hardware's rules at
// run time; the first word behind an extra kernel argument records a violation,
// with the place in the source and the rule. A kernel on a CPU device can
// neither trap nor print reliably; memory that the launcher owns it can write.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_CHECKEDACCESS_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_CHECKEDACCESS_H

#include "Target/Description/TargetDescription.h"
#include "Transforms/EmulateIntrinsics/Emitter.h"

namespace mlir::mlt {

/// Emits i32: 0 when `surface` obeys the rules for `message`, else the number
/// of the first rule that it breaks.
Value emitRuleCheck(Emitter &emitter, const Block2DMessage &message,
                    const Surface &surface, const Block2DLimits &limits);

/// The same for a 1-D block message that begins at `address`, an i64.
Value emitRuleCheck1D(Emitter &emitter, Value address, bool isWrite,
                      const Block1DLimits &limits);

/// Leaves the helper where `rule` is not 0: reports it to `site`, pointer and
/// number, and returns all-ones, a NaN in every float format, of type `data`
/// unless that is null.
void emitReport(Emitter &emitter, Value rule, Type data, ValueRange site);

/// The extra arguments of the kernels and the places that report to them.
class CheckSites {
public:
  /// Gives every kernel that `calls` are in its argument. Fails with an error
  /// at a call that is not in a kernel.
  LogicalResult prepare(ArrayRef<LLVM::CallOp> calls);

  /// The kernel argument to pass on for `call`.
  Value getArgument(LLVM::CallOp call);
  /// A new site for `call`; numbers start at 0 in each kernel.
  int64_t addSite(LLVM::CallOp call, StringRef what);

  /// Lists sites and rules in `mlt.kernel` of each kernel, under `checks`.
  void attach(const TargetDescription &target);

private:
  struct Kernel {
    unsigned argument;
    SmallVector<Attribute> sites;
  };
  llvm::MapVector<Operation *, Kernel> kernels;
};

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_CHECKEDACCESS_H
