//===- CodeGenStyle.cpp - choice of the code generation style -------------===//
//
// The only place that knows which styles and interfaces exist, so that asking
// for another one is refused once and with the list of what there is.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace mlir;
using namespace mlir::mlt;

CodeGenStyle::~CodeGenStyle() = default;

static constexpr llvm::StringLiteral interfaceNames[] = {"builtin", "genisa",
                                                         "portable"};

StringRef CodeGenStyle::getInterfaceName() const {
  return interfaceNames[static_cast<int>(interface)];
}

std::unique_ptr<CodeGenStyle>
CodeGenStyle::create(Location loc, StringRef style, StringRef interface) {
  const auto *name = llvm::find(interfaceNames, interface);
  if (name == std::end(interfaceNames)) {
    emitError(loc) << "expected interface 'builtin', 'genisa' or 'portable', "
                      "got '"
                   << interface << "'";
    return nullptr;
  }
  if (style == "simt")
    return createSimtStyle(static_cast<Interface>(name - interfaceNames));
  if (style == "simd")
    emitError(loc) << "style 'simd' is not available yet";
  else
    emitError(loc) << "expected style 'simt' or 'simd', got '" << style << "'";
  return nullptr;
}
