//===- PipelineNames.cpp - helps with mistyped pass names -----------------===//
//
// MLIR says that a name in a textual pipeline is not registered, but not which
// name was meant. The registry cannot be listed; the command line can, because
// every pass and pipeline is also a flag.
//
//===----------------------------------------------------------------------===//
#include "PipelineNames.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using llvm::StringRef;

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.';
}

/// Calls `visit` with every pass name of a textual pipeline and its column:
/// what is followed by '(' is an operation, what is in braces are options.
static void forEachPassName(StringRef pipeline,
                            llvm::function_ref<void(StringRef, size_t)> visit) {
  unsigned braces = 0;
  for (size_t i = 0; i < pipeline.size();) {
    if (pipeline[i] == '{')
      ++braces;
    else if (pipeline[i] == '}' && braces > 0)
      --braces;
    if (braces > 0 || !isNameCharacter(pipeline[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < pipeline.size() && isNameCharacter(pipeline[end]))
      ++end;
    if (end == pipeline.size() || pipeline[end] != '(')
      visit(pipeline.slice(i, end), i);
    i = end;
  }
}

static bool isRegistered(StringRef name) {
  return PassInfo::lookup(name) || PassPipelineInfo::lookup(name);
}

/// The registered pass or pipeline whose name is nearest to `name`; empty when
/// nothing is near.
static StringRef findNearest(StringRef name) {
  StringRef nearest;
  unsigned best = std::max<size_t>(2, name.size() / 3) + 1;
  for (auto &option : llvm::cl::getRegisteredOptions()) {
    StringRef candidate = option.first;
    unsigned distance =
        name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best && isRegistered(candidate)) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

void mlt::suggestPassNames(llvm::ArrayRef<const char *> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef pipeline = StringRef(arguments[i]).ltrim('-');
    if (!pipeline.consume_front("pass-pipeline"))
      continue;
    if (!pipeline.consume_front("="))
      pipeline = i + 1 < arguments.size() ? arguments[i + 1] : "";
    forEachPassName(pipeline, [](StringRef name, size_t column) {
      if (isRegistered(name))
        return;
      llvm::WithColor::error(llvm::errs(), "mlt-opt")
          << "unknown pass '" << name << "' at column " << column + 1
          << " of the pipeline";
      if (StringRef nearest = findNearest(name); !nearest.empty())
        llvm::errs() << "; did you mean '" << nearest << "'?";
      llvm::errs() << "\n";
    });
  }
}
