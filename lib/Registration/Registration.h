//===- Registration.h - every dialect and pass of the tools ---------------===//
//
// One list, so that mlt-opt, mlt-translate and later tools agree.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_REGISTRATION_H
#define MLTC_REGISTRATION_H

namespace mlir {
class DialectRegistry;
namespace mlt {

/// Inserts all dialects, and the extensions that inlining and LLVM translation
/// need.
void registerAllDialects(DialectRegistry &registry);

/// Registers all passes and named pipelines.
void registerAllPasses();

} // namespace mlt
} // namespace mlir

#endif // MLTC_REGISTRATION_H
