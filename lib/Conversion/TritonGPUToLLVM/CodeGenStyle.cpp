//===- CodeGenStyle.cpp - choice of the code generation style -------------===//
//
// The only place that knows which styles and interfaces exist, so that asking
// for another one is refused once and with the list of what there is.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::mlt;

TileMemory::~TileMemory() = default;
CodeGenStyle::~CodeGenStyle() = default;

Value CodeGenStyle::select(OpBuilder &builder, Location loc, Value vector,
                           ArrayRef<int64_t> indices) const {
  return selectElements(builder, loc, vector, indices);
}

namespace {
/// A style, an interface it can use, and how to make it.
struct StyleEntry {
  llvm::StringLiteral style, name;
  Interface interface;
  std::unique_ptr<CodeGenStyle> (*create)(Interface);
};
} // namespace

static constexpr StyleEntry entries[] = {
    {"simt", "builtin", Interface::Builtin, createSimtStyle},
    {"simt", "genisa", Interface::GenISA, createSimtStyle},
    {"simt", "portable", Interface::Portable, createSimtStyle},
    {"simd", "vc", Interface::VC, createSimdStyle},
    // The same calls, for --convert-vc-to-raw-send.
    {"simd", "vc-raw", Interface::VCRaw, createSimdStyle},
};

StringRef CodeGenStyle::getInterfaceName() const {
  return llvm::find_if(entries,
                       [&](const StyleEntry &entry) {
                         return entry.interface == interface;
                       })
      ->name;
}

/// "'a' or 'b'", without repetitions.
static std::string listNames(ArrayRef<StringRef> names) {
  llvm::SmallSetVector<StringRef, 4> unique(names.begin(), names.end());
  std::string text;
  for (auto [index, name] : llvm::enumerate(unique)) {
    if (index > 0)
      text += index + 1 == unique.size() ? " or " : ", ";
    text += ("'" + name + "'").str();
  }
  return text;
}

std::unique_ptr<CodeGenStyle>
CodeGenStyle::create(Location loc, StringRef style, StringRef interface) {
  SmallVector<StringRef> styles, interfaces;
  for (const StyleEntry &entry : entries) {
    styles.push_back(entry.style);
    if (entry.style != style)
      continue;
    if (entry.name == interface)
      return entry.create(entry.interface);
    interfaces.push_back(entry.name);
  }
  if (interfaces.empty())
    emitError(loc) << "expected style " << listNames(styles) << ", got '"
                   << style << "'";
  else
    emitError(loc) << "expected interface " << listNames(interfaces)
                   << " in style '" << style << "', got '" << interface << "'";
  return nullptr;
}
