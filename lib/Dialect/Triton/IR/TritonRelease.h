//===- TritonRelease.h - whose text is printed ------------------*- C++ -*-===//
//
// The text of Triton IR changed between releases of Triton. All of it is read;
// what is printed is the newest form, unless a tool asks for an older one.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONRELEASE_H
#define MLTC_DIALECT_TRITON_TRITONRELEASE_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace mlir::tt {

/// The releases whose text differs; the order is that of time.
enum class TritonRelease { V3_2, V3_3, V3_5, V3_7, V3_9, Newest = V3_9 };

/// "3.9" and so on.
StringRef stringifyTritonRelease(TritonRelease release);

/// The release that text is printed for in `context`.
TritonRelease getPrintedRelease(MLIRContext *context);

/// Has all text in contexts of `registry` printed for `release`.
void registerPrintedRelease(DialectRegistry &registry, TritonRelease release);

} // namespace mlir::tt

#endif // MLTC_DIALECT_TRITON_TRITONRELEASE_H
