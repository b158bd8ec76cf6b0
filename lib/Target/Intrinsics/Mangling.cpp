//===- Mangling.cpp - Itanium names of OpenCL built-ins -------------------===//
//
// A recursive-descent reader and a writer for the names described in
// Mangling.h. Substitution candidates follow the Itanium rules: compound types
// only, a qualified pointee before the pointer to it.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/Mangling.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mlt;

/// Bits of the integer or float with Itanium code `code`; 0 for void.
static unsigned getBits(StringRef code) {
  return llvm::StringSwitch<unsigned>(code)
      .Cases({"c", "a", "h"}, 8)
      .Cases({"s", "t", "Dh"}, 16)
      .Cases({"i", "j", "f"}, 32)
      .Cases({"l", "m", "d"}, 64)
      .Case("b", 1)
      .Default(0);
}

static bool isFloatCode(StringRef code) {
  return code == "f" || code == "d" || code == "Dh";
}

bool MangledType::isUnsigned() const {
  return code == "h" || code == "t" || code == "j" || code == "m";
}

bool MangledType::accepts(Type type) const {
  if (isPointer) {
    auto ptr = dyn_cast<LLVM::LLVMPointerType>(type);
    return ptr && ptr.getAddressSpace() == addressSpace;
  }
  if (lanes > 1) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector || vector.getRank() != 1 ||
        vector.getNumElements() != static_cast<int64_t>(lanes))
      return false;
    type = vector.getElementType();
  }
  unsigned bits = getBits(code);
  if (isFloatCode(code))
    return isa<Float16Type, Float32Type, Float64Type>(type) &&
           type.getIntOrFloatBitWidth() == bits;
  return bits && type.isInteger(bits);
}

//===----------------------------------------------------------------------===//
// Writer
//===----------------------------------------------------------------------===//

namespace {
class Mangler {
public:
  void append(const MangledType &type) {
    if (type.isPointer) {
      std::string pointee = getPointee(type);
      if (useSubstitution("P" + pointee))
        return;
      out += "P";
      if (pointee == type.code)
        out += pointee;
      else if (!useSubstitution(pointee)) {
        out += pointee;
        candidates.push_back(pointee);
      }
      candidates.push_back("P" + pointee);
      return;
    }
    if (type.lanes == 1) {
      out += type.code;
      return;
    }
    std::string text = "Dv" + std::to_string(type.lanes) + "_" + type.code;
    if (useSubstitution(text))
      return;
    out += text;
    candidates.push_back(text);
  }

  std::string out;

private:
  static std::string getPointee(const MangledType &type) {
    std::string text;
    if (type.addressSpace)
      text += "U3AS" + std::to_string(type.addressSpace);
    if (type.isConst)
      text += "K";
    return text + type.code;
  }

  bool useSubstitution(const std::string &text) {
    auto it = llvm::find(candidates, text);
    if (it == candidates.end())
      return false;
    size_t index = it - candidates.begin();
    out += "S";
    if (index)
      out += llvm::utostr(index - 1);
    out += "_";
    return true;
  }

  /// Compound types so far, spelled out; candidate i is S_ (0), S0_ (1), ...
  SmallVector<std::string> candidates;
};
} // namespace

std::string mlt::mangle(StringRef base, ArrayRef<MangledType> params) {
  Mangler mangler;
  mangler.out = ("_Z" + Twine(base.size()) + base).str();
  if (params.empty())
    mangler.out += "v";
  for (const MangledType &type : params)
    mangler.append(type);
  return mangler.out;
}

//===----------------------------------------------------------------------===//
// Reader
//===----------------------------------------------------------------------===//

namespace {
class Demangler {
public:
  Demangler(StringRef text) : rest(text) {}

  bool atEnd() const { return rest.empty(); }
  StringRef remaining() const { return rest; }

  std::optional<MangledType> parseType() {
    if (rest.starts_with("S"))
      return parseSubstitution();
    if (rest.consume_front("P"))
      return parsePointer();
    if (rest.starts_with("Dv"))
      return parseVector();
    return parseScalar();
  }

private:
  std::optional<MangledType> parseScalar() {
    if (rest.consume_front("Dh"))
      return MangledType::scalar("Dh");
    static constexpr StringRef codes = "vbcahstijlmfd";
    if (rest.empty() || !codes.contains(rest.front()))
      return std::nullopt;
    StringRef code = rest.take_front();
    rest = rest.drop_front();
    return MangledType::scalar(code);
  }

  std::optional<MangledType> parseVector() {
    unsigned lanes;
    if (!rest.consume_front("Dv") || rest.consumeInteger(10, lanes) ||
        lanes < 2 || lanes > 1024 || !rest.consume_front("_"))
      return std::nullopt;
    std::optional<MangledType> element = parseScalar();
    if (!element || element->code == "v")
      return std::nullopt;
    element->lanes = lanes;
    candidates.push_back(*element);
    return element;
  }

  std::optional<MangledType> parsePointer() {
    std::optional<MangledType> type = parsePointee();
    if (!type || type->isPointer || type->lanes != 1)
      return std::nullopt;
    type->isPointer = true;
    candidates.push_back(*type);
    return type;
  }

  std::optional<MangledType> parsePointee() {
    if (rest.starts_with("S"))
      return parseSubstitution();
    unsigned addressSpace = 0;
    if (rest.consume_front("U3AS") &&
        (rest.empty() || !llvm::isDigit(rest.front())))
      return std::nullopt;
    else if (!rest.empty() && llvm::isDigit(rest.front())) {
      addressSpace = rest.front() - '0';
      rest = rest.drop_front();
    }
    bool isConst = rest.consume_front("K");
    std::optional<MangledType> type = parseScalar();
    if (!type)
      return std::nullopt;
    type->addressSpace = addressSpace;
    type->isConst = isConst;
    if (addressSpace || isConst)
      candidates.push_back(*type);
    return type;
  }

  std::optional<MangledType> parseSubstitution() {
    rest.consume_front("S");
    unsigned index = 0;
    if (!rest.starts_with("_")) {
      if (rest.consumeInteger(10, index))
        return std::nullopt;
      ++index;
    }
    if (!rest.consume_front("_") || index >= candidates.size())
      return std::nullopt;
    return candidates[index];
  }

  StringRef rest;
  SmallVector<MangledType> candidates;
};
} // namespace

llvm::Expected<MangledName> mlt::demangle(StringRef name) {
  auto fail = [&](const Twine &reason) {
    return llvm::createStringError("cannot read the mangled name '" + name +
                                   "': " + reason);
  };
  StringRef rest = name;
  unsigned length;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) ||
      length == 0)
    return fail("expected '_Z' and a length");
  if (length >= rest.size())
    return fail("expected " + Twine(length) +
                " characters and then parameter types");
  MangledName result;
  result.base = rest.take_front(length);
  Demangler demangler(rest.drop_front(length));
  while (!demangler.atEnd()) {
    std::string at = demangler.remaining().str();
    std::optional<MangledType> type = demangler.parseType();
    if (!type)
      return fail("expected a parameter type at '" + at + "'");
    result.params.push_back(*type);
  }
  if (result.params.size() == 1 && result.params[0].code == "v" &&
      !result.params[0].isPointer)
    result.params.clear();
  return result;
}
