//===- TritonRelease.cpp - whose text is printed --------------------------===//
//
// The release is an interface that a registry extension adds to the dialect, so
// that it belongs to a context, as everything else that printing depends on.
//
//===----------------------------------------------------------------------===//
#include "Dialect/Triton/IR/TritonRelease.h"
#include "Dialect/Triton/IR/Triton.h"

using namespace mlir;
using namespace mlir::tt;

namespace {
struct PrintedRelease : DialectInterface::Base<PrintedRelease> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintedRelease)
  PrintedRelease(Dialect *dialect, TritonRelease release)
      : Base(dialect), release(release) {}
  TritonRelease release;
};

struct PrintedReleaseExtension
    : DialectExtension<PrintedReleaseExtension, TritonDialect> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintedReleaseExtension)
  explicit PrintedReleaseExtension(TritonRelease release) : release(release) {}
  void apply(MLIRContext *, TritonDialect *dialect) const override {
    dialect->addInterface<PrintedRelease>(release);
  }
  TritonRelease release;
};
} // namespace

StringRef tt::stringifyTritonRelease(TritonRelease release) {
  static constexpr llvm::StringLiteral names[] = {"3.2", "3.3", "3.5", "3.7",
                                                  "3.9"};
  return names[static_cast<unsigned>(release)];
}

TritonRelease tt::getPrintedRelease(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<TritonDialect>();
  auto *printed =
      dialect ? dialect->getRegisteredInterface<PrintedRelease>() : nullptr;
  return printed ? printed->release : TritonRelease::Newest;
}

void tt::registerPrintedRelease(DialectRegistry &registry,
                                TritonRelease release) {
  registry.addExtension(TypeID::get<PrintedReleaseExtension>(),
                        std::make_unique<PrintedReleaseExtension>(release));
}
