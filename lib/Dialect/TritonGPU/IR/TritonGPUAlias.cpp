//===- TritonGPUAlias.cpp - the older dialect prefix
//------------------------===//
//
// Triton 3.2 and the paper spell the layout dialect `triton_gpu`. Text in that
// spelling is parsed into `ttg` attributes, so that nothing behind the parser
// knows of it. Module attributes keep their name until
// `convert-triton-to-tritongpu-warp` reads them.
//
//===----------------------------------------------------------------------===//
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace {
class TritonGPUAliasDialect : public Dialect {
public:
  explicit TritonGPUAliasDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                TypeID::get<TritonGPUAliasDialect>()) {
    context->loadDialect<ttg::TritonGPUDialect>();
  }
  static StringRef getDialectNamespace() { return "triton_gpu"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return getContext()
        ->getLoadedDialect<ttg::TritonGPUDialect>()
        ->parseAttribute(parser, type);
  }

  LogicalResult verifyOperationAttribute(Operation *, NamedAttribute) override {
    return success();
  }
};
} // namespace

void ttg::registerTritonGPUAliasDialect(DialectRegistry &registry) {
  registry.insert<TritonGPUAliasDialect>();
}
