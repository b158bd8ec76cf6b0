//===- PipelineNames.h - helps with mistyped pass names -------------------===//
#ifndef MLTC_TOOLS_MLT_OPT_PIPELINENAMES_H
#define MLTC_TOOLS_MLT_OPT_PIPELINENAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::mlt {

/// For every pass name in the `--pass-pipeline` of `arguments` that is not
/// registered: prints it with its position and the nearest name there is.
void suggestPassNames(llvm::ArrayRef<const char *> arguments);

} // namespace mlir::mlt

#endif // MLTC_TOOLS_MLT_OPT_PIPELINENAMES_H
