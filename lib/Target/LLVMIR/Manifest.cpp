//===- Manifest.cpp - the record of the kernels in a module ---------------===//
//
// The runtime trusts the manifest alone, so everything in it is taken from what
// the compiler put on the module, and what can be checked against the functions
// is. Attributes become JSON by kind; nothing here knows what a precondition or
// an argument kind means.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/Intrinsics.h"
#include "Target/LLVMIR/Translation.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mlt;
namespace json = llvm::json;

/// Version of the layout that is written here.
static constexpr int64_t kManifestVersion = 1;

//===----------------------------------------------------------------------===//
// Attributes to JSON
//===----------------------------------------------------------------------===//

static std::optional<json::Value> toJSON(Attribute attr);

template <typename Range>
static std::optional<json::Value> toJSONArray(const Range &range) {
  json::Array result;
  for (auto element : range) {
    if constexpr (std::is_convertible_v<decltype(element), Attribute>) {
      std::optional<json::Value> value = toJSON(element);
      if (!value)
        return std::nullopt;
      result.push_back(std::move(*value));
    } else {
      result.push_back(static_cast<int64_t>(element));
    }
  }
  return json::Value(std::move(result));
}

static std::optional<json::Value> toJSON(DictionaryAttr attr) {
  json::Object result;
  for (NamedAttribute entry : attr) {
    std::optional<json::Value> value = toJSON(entry.getValue());
    if (!value)
      return std::nullopt;
    result[entry.getName().getValue()] = std::move(*value);
  }
  return json::Value(std::move(result));
}

static std::optional<json::Value> toJSON(IntegerAttr attr) {
  if (attr.getType().isInteger(1))
    return json::Value(!attr.getValue().isZero());
  if (attr.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return json::Value(attr.getValue().getSExtValue());
}

static std::optional<json::Value> toJSON(TypeAttr attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr.getValue();
  return json::Value(std::move(text));
}

/// nullopt for kinds of attributes that have no JSON form.
static std::optional<json::Value> toJSON(Attribute attr) {
  using Result = std::optional<json::Value>;
  return TypeSwitch<Attribute, Result>(attr)
      .Case([](StringAttr a) { return json::Value(a.getValue().str()); })
      .Case<IntegerAttr, TypeAttr, DictionaryAttr>(
          [](auto a) { return toJSON(a); })
      .Case([](FloatAttr a) { return json::Value(a.getValueAsDouble()); })
      .Case([](UnitAttr) { return json::Value(true); })
      .Case([](ArrayAttr a) { return toJSONArray(a.getValue()); })
      .Case<DenseI32ArrayAttr, DenseI64ArrayAttr>(
          [](auto a) { return toJSONArray(a.asArrayRef()); })
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// One kernel function and its record.
class KernelRecord {
public:
  explicit KernelRecord(LLVM::LLVMFuncOp function)
      : function(function),
        record(function->getAttrOfType<DictionaryAttr>(kKernelAttr)) {}

  FailureOr<json::Object> convert();
  FailureOr<std::string> getString(StringRef key);

private:
  FailureOr<int64_t> getInteger(StringRef key);
  FailureOr<json::Value> getValue(StringRef key);
  FailureOr<json::Array> getArguments();
  FailureOr<SmallVector<int64_t>> getLocalSize();
  InFlightDiagnostic error() {
    return emitError(function.getLoc())
           << "kernel '" << function.getName() << "': ";
  }

  LLVM::LLVMFuncOp function;
  DictionaryAttr record;
};
} // namespace

FailureOr<json::Value> KernelRecord::getValue(StringRef key) {
  if (!record) {
    error() << "expected a dictionary '" << kKernelAttr << "'";
    return failure();
  }
  Attribute attr = record.get(key);
  if (!attr) {
    error() << "expected '" << key << "' in '" << kKernelAttr << "'";
    return failure();
  }
  std::optional<json::Value> value = toJSON(attr);
  if (!value) {
    error() << "'" << key << "' holds something that JSON cannot: " << attr;
    return failure();
  }
  return *value;
}

FailureOr<std::string> KernelRecord::getString(StringRef key) {
  FailureOr<json::Value> value = getValue(key);
  if (failed(value))
    return failure();
  std::optional<StringRef> text = value->getAsString();
  if (text)
    return text->str();
  error() << "expected '" << key << "' to be a string";
  return failure();
}

FailureOr<int64_t> KernelRecord::getInteger(StringRef key) {
  FailureOr<json::Value> value = getValue(key);
  if (failed(value))
    return failure();
  std::optional<int64_t> number = value->getAsInteger();
  if (number && *number >= 0)
    return *number;
  error() << "expected '" << key << "' to be a number that is not negative";
  return failure();
}

FailureOr<json::Array> KernelRecord::getArguments() {
  FailureOr<json::Value> value = getValue("args");
  if (failed(value))
    return failure();
  json::Array *arguments = value->getAsArray();
  if (!arguments) {
    error() << "expected 'args' to be an array";
    return failure();
  }
  // A checked kernel has one argument more, described apart.
  size_t expected = function.getNumArguments() - (record.get("checks") ? 1 : 0);
  if (arguments->size() != expected) {
    error() << "expected 'args' to describe " << expected << " arguments, got "
            << arguments->size();
    return failure();
  }
  for (auto [index, argument] : llvm::enumerate(*arguments)) {
    json::Object *fields = argument.getAsObject();
    if (!fields || !fields->getString("kind") || !fields->getString("type")) {
      error() << "expected 'kind' and 'type' for argument " << index;
      return failure();
    }
    (*fields)["index"] = static_cast<int64_t>(index);
  }
  return std::move(*arguments);
}

FailureOr<SmallVector<int64_t>> KernelRecord::getLocalSize() {
  DenseI32ArrayAttr size = function.getReqdWorkGroupSizeAttr();
  if (!size || size.size() != 3) {
    error() << "expected 'reqd_work_group_size' of three numbers";
    return failure();
  }
  return SmallVector<int64_t>(size.asArrayRef());
}

FailureOr<json::Object> KernelRecord::convert() {
  FailureOr<int64_t> subGroupSize = getInteger("sub_group_size");
  FailureOr<int64_t> numWarps = getInteger("num_warps");
  FailureOr<int64_t> slmBytes = getInteger("slm_bytes");
  if (failed(subGroupSize) || failed(numWarps) || failed(slmBytes))
    return failure();
  FailureOr<SmallVector<int64_t>> localSize = getLocalSize();
  FailureOr<json::Array> arguments = getArguments();
  if (failed(localSize) || failed(arguments))
    return failure();
  FailureOr<std::string> style = getString("style");
  if (failed(style))
    return failure();
  // A warp is a sub-group in SIMT style, one work-item in SIMD style.
  bool simt = *style == "simt";
  int64_t lanes = simt ? *subGroupSize : 1;
  int64_t items = (*localSize)[0] * (*localSize)[1] * (*localSize)[2];
  if (items != *numWarps * lanes) {
    error() << "expected a work-group of " << *numWarps << " warps x " << lanes
            << " work-items, got " << items;
    return failure();
  }
  if (simt && function.getIntelReqdSubGroupSize() != *subGroupSize) {
    error() << "expected 'intel_reqd_sub_group_size' of " << *subGroupSize;
    return failure();
  }

  json::Object result;
  result["name"] = function.getName().str();
  result["sub_group_size"] = *subGroupSize;
  result["num_warps"] = *numWarps;
  result["local_size"] = json::Array(*localSize);
  result["slm_bytes"] = *slmBytes;
  result["grid_axes"] = json::Array({"x", "y", "z"});
  result["args"] = std::move(*arguments);
  // Whatever else the compiler recorded goes along as it is.
  for (NamedAttribute entry : record) {
    StringRef key = entry.getName().getValue();
    if (key == "style" || key == "interface" || result.get(key))
      continue;
    FailureOr<json::Value> value = getValue(key);
    if (failed(value))
      return failure();
    result[key] = std::move(*value);
  }
  if (!result.get("preconditions"))
    result["preconditions"] = json::Array();
  return result;
}

FailureOr<json::Value> mlt::getManifest(ModuleOp module) {
  auto target = module->getAttrOfType<StringAttr>("mlt.target");
  if (!target) {
    emitError(module.getLoc()) << "expected a module attribute 'mlt.target'";
    return failure();
  }
  json::Array kernels;
  std::optional<std::string> style, interface;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.getCConv() != LLVM::CConv::SPIR_KERNEL)
      continue;
    KernelRecord record(function);
    FailureOr<json::Object> kernel = record.convert();
    if (failed(kernel))
      return failure();
    FailureOr<std::string> kernelStyle = record.getString("style");
    FailureOr<std::string> kernelInterface = record.getString("interface");
    if (failed(kernelStyle) || failed(kernelInterface))
      return failure();
    if ((style && *style != *kernelStyle) ||
        (interface && *interface != *kernelInterface)) {
      emitError(function.getLoc())
          << "expected all kernels of a module to have the "
             "same style and interface";
      return failure();
    }
    style = *kernelStyle;
    interface = *kernelInterface;
    kernels.push_back(std::move(*kernel));
  }
  if (kernels.empty()) {
    emitError(module.getLoc()) << "expected at least one kernel";
    return failure();
  }
  json::Object manifest;
  manifest["version"] = kManifestVersion;
  manifest["target"] = target.getValue().str();
  manifest["style"] = *style;
  manifest["interface"] = *interface;
  manifest["kernels"] = std::move(kernels);
  return json::Value(std::move(manifest));
}
