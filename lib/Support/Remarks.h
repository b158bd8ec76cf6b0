//===- Remarks.h - why the compiler decided as it did -----------*- C++ -*-===//
//
// The one way in which passes explain themselves. A remark goes to MLIR's
// remark engine, so that it costs nothing unless somebody asked, and can be
// chosen by topic: `mlt-opt --remarks-filter=REGEX` (or -missed, -analyse for
// one kind), as text at the op's location or as YAML (`--remark-format=yaml`);
// `mltc build --remarks` asks for all. Messages are one line, lower case.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_SUPPORT_REMARKS_H
#define MLTC_SUPPORT_REMARKS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::mlt {

/// Topics of remarks, which `--remarks-filter` matches; a new one also goes to
/// docs/remarks.md.
namespace topic {
/// Which accesses are 2-D block messages.
inline constexpr llvm::StringLiteral kBlockIO = "block-io";
/// Why a value changes its layout.
inline constexpr llvm::StringLiteral kLayout = "layout-conversion";
/// Which loads of a loop are prefetched.
inline constexpr llvm::StringLiteral kPrefetch = "prefetch";
/// How roots are split over warps.
inline constexpr llvm::StringLiteral kTiling = "tiling";
} // namespace topic

using RemarkWriter = llvm::function_ref<void(llvm::raw_ostream &)>;

namespace detail {
template <typename Emitter>
void emitRemark(Emitter emit, Operation *op, StringRef topic,
                RemarkWriter write) {
  // Texts are written for a listener only.
  if (!op->getContext()->getRemarkEngine())
    return;
  auto func = op->getParentOfType<FunctionOpInterface>();
  auto inFlight =
      emit(op->getLoc(), remark::RemarkOpts::name(op->getName().getStringRef())
                             .category(topic)
                             .function(func ? func.getName() : StringRef()));
  if (!inFlight)
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  inFlight << StringRef(text);
}
} // namespace detail

/// Says why `op` did not get the better form.
inline void remarkMissed(Operation *op, StringRef topic, RemarkWriter write) {
  detail::emitRemark(remark::missed, op, topic, write);
}

/// Says what was decided for `op`, and why.
inline void remarkAnalysis(Operation *op, StringRef topic, RemarkWriter write) {
  detail::emitRemark(remark::analysis, op, topic, write);
}

} // namespace mlir::mlt

#endif // MLTC_SUPPORT_REMARKS_H
