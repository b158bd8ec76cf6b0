//===- TargetDescription.cpp - reads the device data ----------------------===//
//
// The JSON files are compiled into the tools, so that a tool needs no data
// path.
//
//===----------------------------------------------------------------------===//
#include "Target/Description/TargetDescription.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::mlt;
namespace json = llvm::json;

namespace {
struct EmbeddedFile {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};
const EmbeddedFile embeddedFiles[] = {
#include "Target/Description/TargetData.inc"
};

// {"value": N, "source": "..."} -> N.
int64_t cited(const json::Object &object, StringRef key) {
  return *object.getObject(key)->getInteger("value");
}

BlockRole parseRole(StringRef role) {
  return llvm::StringSwitch<BlockRole>(role)
      .Case("a", BlockRole::OperandA)
      .Case("b", BlockRole::OperandB)
      .Default(BlockRole::Plain);
}

SmallVector<int64_t> integers(const json::Array &array) {
  SmallVector<int64_t> result;
  for (const json::Value &value : array)
    result.push_back(*value.getAsInteger());
  return result;
}

BlockForm parseForm(const json::Object &form) {
  return {static_cast<unsigned>(*form.getInteger("bits")),
          *form.getInteger("tile_width"), *form.getInteger("max_height"),
          form.getInteger("max_blocks").value_or(1)};
}

void parseDot(const json::Object &dot, TargetDescription &target) {
  target.dotN = *dot.getInteger("n");
  for (int64_t rows : integers(*dot.getArray("m")))
    target.dotM.push_back(rows);
  for (const json::Value &value : *dot.getArray("types")) {
    const json::Object &form = *value.getAsObject();
    DotForm result{form.getString("a")->str(),
                   form.getString("b")->str(),
                   {},
                   *form.getInteger("k")};
    for (const json::Value &acc : *form.getArray("acc"))
      result.accumulators.push_back(acc.getAsString()->str());
    target.dotForms.push_back(std::move(result));
  }
}

void parseBlock2D(const json::Object &block, TargetDescription &target) {
  target.block2D = {*block.getInteger("base_alignment_bytes"),
                    *block.getInteger("min_width_bytes"),
                    *block.getInteger("width_multiple_bytes"),
                    *block.getInteger("min_pitch_bytes"),
                    *block.getInteger("pitch_multiple_bytes"),
                    *block.getInteger("max_extent_log2"),
                    *block.getInteger("max_row_bytes"),
                    *block.getInteger("max_bytes")};
  for (const json::Value &value : *block.getArray("loads")) {
    const json::Object &form = *value.getAsObject();
    BlockForm extents = parseForm(form);
    StringRef mode = *form.getString("mode");
    target.loads.push_back({extents.bits, parseRole(*form.getString("role")),
                            mode == "transpose", mode == "vnni",
                            extents.tileWidth, extents.maxHeight,
                            extents.maxBlocks});
  }
  for (const json::Value &value : *block.getArray("stores"))
    target.stores.push_back(parseForm(*value.getAsObject()));
  for (const json::Value &value : *block.getArray("prefetches"))
    target.prefetches.push_back(parseForm(*value.getAsObject()));
}

TargetDescription parse(const json::Object &root) {
  TargetDescription target;
  target.name = root.getString("name")->str();
  target.subGroupSize = cited(root, "sub_group_size");
  target.slmBytes = cited(root, "slm_bytes");
  const json::Object &grf = *root.getObject("grf");
  target.registerBytes = *grf.getInteger("register_bytes");
  target.reservedPermilleSimt = cited(grf, "reserved_permille_simt");
  target.reservedPermilleSimd = cited(grf, "reserved_permille_simd");
  target.reservedPermilleEarly = cited(grf, "reserved_permille_early");
  for (const json::Value &value : *grf.getArray("modes")) {
    const json::Object &mode = *value.getAsObject();
    target.grfModes.push_back(
        {*mode.getInteger("registers"), *mode.getInteger("max_warps")});
  }
  parseDot(*root.getObject("dot"), target);
  const json::Object &block = *root.getObject("block_1d");
  target.block1D = {*block.getInteger("load_alignment_bytes"),
                    *block.getInteger("store_alignment_bytes")};
  parseBlock2D(*root.getObject("block_2d"), target);
  const json::Object &warps = *root.getObject("auto_warps");
  target.autoWarps = {integers(*warps.getArray("gemm_tile_per_warp")),
                      *warps.getInteger("attention_rows_per_warp"),
                      *warps.getInteger("elementwise_elements_per_lane"),
                      *warps.getInteger("elementwise_max_warps")};
  return target;
}

/// All descriptions, parsed on first use. The files are part of the build and
/// checked by its tests, hence the unchecked look-ups above.
const llvm::StringMap<TargetDescription> &getAll() {
  static const llvm::StringMap<TargetDescription> all = [] {
    llvm::StringMap<TargetDescription> result;
    for (const EmbeddedFile &file : embeddedFiles)
      result.try_emplace(
          file.name,
          parse(*llvm::cantFail(json::parse(file.text)).getAsObject()));
    return result;
  }();
  return all;
}
} // namespace

llvm::Expected<const TargetDescription *>
TargetDescription::lookup(StringRef name) {
  auto it = getAll().find(name);
  if (it != getAll().end())
    return &it->second;
  std::string known;
  for (const EmbeddedFile &file : embeddedFiles)
    known += (known.empty() ? "'" : ", '") + file.name.str() + "'";
  return llvm::createStringError("unknown target '" + name +
                                 "', expected one of " + known);
}

const TargetDescription *TargetDescription::get(Operation *op) {
  StringRef name = "pvc";
  Operation *module = op;
  while (module && !isa<ModuleOp>(module))
    module = module->getParentOp();
  if (module)
    if (auto attr = module->getAttrOfType<StringAttr>("mlt.target"))
      name = attr.getValue();
  llvm::Expected<const TargetDescription *> target = lookup(name);
  if (target)
    return *target;
  op->emitError() << llvm::toString(target.takeError());
  return nullptr;
}

const BlockLoadForm *TargetDescription::findLoad(unsigned bits, BlockRole role,
                                                 bool transpose) const {
  for (const BlockLoadForm &form : loads)
    if (form.bits == bits && form.role == role && form.transpose == transpose)
      return &form;
  return nullptr;
}

static const BlockForm *findForm(llvm::ArrayRef<BlockForm> forms,
                                 unsigned bits) {
  for (const BlockForm &form : forms)
    if (form.bits == bits)
      return &form;
  return nullptr;
}

const BlockForm *TargetDescription::findStore(unsigned bits) const {
  return findForm(stores, bits);
}

const BlockForm *TargetDescription::findPrefetch(unsigned bits) const {
  return findForm(prefetches, bits);
}

const DotForm *TargetDescription::findDot(StringRef a, StringRef b,
                                          StringRef acc) const {
  for (const DotForm &form : dotForms)
    if (form.a == a && form.b == b &&
        llvm::is_contained(form.accumulators, acc))
      return &form;
  return nullptr;
}

int64_t TargetDescription::getDotRows(int64_t m) const {
  int64_t best = dotM.front();
  for (int64_t rows : dotM)
    if (rows <= m)
      best = std::max(best, rows);
  return best;
}
