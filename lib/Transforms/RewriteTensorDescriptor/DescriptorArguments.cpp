//===- DescriptorArguments.cpp - descriptors as kernel arguments
//------------===//
//
// Stock Triton's launcher for devices without a descriptor unit passes a
// descriptor as base, sizes, strides and two flags. The kernel is given exactly
// these arguments. The flags are run-time values while padding is a property of
// each load here; what the compiled code relies on is written down as launch
// preconditions, so a launch that wants something else is refused.
//
//===----------------------------------------------------------------------===//
#include "Transforms/RewriteTensorDescriptor/DescriptorArguments.h"
#include "Dialect/MLT/IR/LaunchAttrs.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
/// Builds the arguments of one function anew.
class ArgumentFlattener {
public:
  explicit ArgumentFlattener(tt::FuncOp func)
      : func(func), body(&func.getBody().front()),
        builder(OpBuilder::atBlockBegin(body)) {}

  void run();

private:
  BlockArgument insert(Type type, StringRef kind, const Twine &suffix,
                       int64_t divisibility);
  void flatten(unsigned index);
  void require(BlockArgument argument, int64_t value, StringRef reason);

  tt::FuncOp func;
  Block *body;
  OpBuilder builder;
  /// Where the next argument goes, and what the one being replaced was called.
  unsigned position = 0;
  Location argumentLoc = builder.getUnknownLoc();
  std::string name;
  SmallVector<Attribute> preconditions;
};
} // namespace

BlockArgument ArgumentFlattener::insert(Type type, StringRef kind,
                                        const Twine &suffix,
                                        int64_t divisibility) {
  SmallVector<NamedAttribute> attributes;
  attributes.push_back(
      builder.getNamedAttr(kArgKindAttr, builder.getStringAttr(kind)));
  if (divisibility > 1)
    attributes.push_back(builder.getNamedAttr(
        "tt.divisibility", builder.getI32IntegerAttr(divisibility)));
  Location loc = argumentLoc;
  if (!name.empty())
    loc = NameLoc::get(builder.getStringAttr(name + suffix), argumentLoc);
  (void)func.insertArgument(position, type,
                            builder.getDictionaryAttr(attributes), loc);
  return body->getArgument(position++);
}

/// Records that an integer argument has one value at every launch. The
/// descriptor in front of the argument is still there, and will be gone.
void ArgumentFlattener::require(BlockArgument argument, int64_t value,
                                StringRef reason) {
  int32_t index = argument.getArgNumber() - 1;
  auto dictionary = [&](StringRef key, Attribute attr) {
    return builder.getDictionaryAttr(builder.getNamedAttr(key, attr));
  };
  NamedAttribute entries[] = {
      builder.getNamedAttr("kind", builder.getStringAttr("expr")),
      builder.getNamedAttr("compare", builder.getStringAttr("eq")),
      builder.getNamedAttr("lhs",
                           dictionary("arg", builder.getI32IntegerAttr(index))),
      builder.getNamedAttr(
          "rhs", dictionary("const", builder.getI64IntegerAttr(value))),
      builder.getNamedAttr("reason", builder.getStringAttr(reason))};
  preconditions.push_back(builder.getDictionaryAttr(entries));
}

void ArgumentFlattener::flatten(unsigned index) {
  auto desc = cast<tt::TensorDescType>(body->getArgument(index).getType());
  Type element = desc.getSignlessBlockType().getElementType();
  Type i64 = builder.getI64Type(), i1 = builder.getI1Type();
  int64_t rank = desc.getRank();
  // Addresses and row starts are multiples of 16 bytes: the descriptor class
  // checks that when it is constructed.
  int64_t unit = 16;
  int64_t elements =
      std::max<int64_t>(1, unit * 8 / element.getIntOrFloatBitWidth());

  argumentLoc = body->getArgument(index).getLoc();
  name.clear();
  if (auto named = dyn_cast<NameLoc>(argumentLoc)) {
    name = named.getName().str();
    argumentLoc = named.getChildLoc();
  }
  position = index + 1;
  Value base =
      insert(tt::PointerType::get(element), "descriptor_base", "", unit);
  SmallVector<Value> shape, strides;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value size = insert(i64, "descriptor_shape", ".shape." + Twine(dim), 1);
    shape.push_back(arith::TruncIOp::create(builder, argumentLoc,
                                            builder.getI32Type(), size));
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool last = dim + 1 == rank;
    BlockArgument stride = insert(i64, "descriptor_stride",
                                  ".stride." + Twine(dim), last ? 1 : elements);
    strides.push_back(stride);
    if (!last)
      continue;
    require(stride, 1, "the last dimension of a descriptor is contiguous");
    strides.back() = arith::ConstantIntOp::create(builder, argumentLoc, i64, 1);
  }
  BlockArgument padding = insert(i1, "descriptor_flag", ".padding", 1);
  require(padding, 0, "compiled for descriptors that pad with zeros");
  BlockArgument rounding = insert(i1, "descriptor_flag", ".round", 1);
  if (element.isF32())
    require(rounding, 0, "compiled for descriptors that do not round");

  auto rebuilt = tt::MakeTensorDescOp::create(builder, argumentLoc, desc, base,
                                              shape, strides);
  body->getArgument(index).replaceAllUsesWith(rebuilt);
  (void)func.eraseArgument(index);
}

void ArgumentFlattener::run() {
  if (auto existing = func->getAttrOfType<ArrayAttr>(kPreconditionsAttr))
    preconditions.append(existing.begin(), existing.end());
  // From the first to the last, so that indices are final when recorded.
  for (unsigned index = 0; index < body->getNumArguments(); ++index)
    if (isa<tt::TensorDescType>(body->getArgument(index).getType()))
      flatten(index);
  if (!preconditions.empty())
    func->setAttr(kPreconditionsAttr, builder.getArrayAttr(preconditions));
}

LogicalResult mlt::flattenDescriptorArguments(tt::FuncOp func) {
  bool hasDescriptors = llvm::any_of(func.getArgumentTypes(), [](Type type) {
    return isa<tt::TensorDescType>(type);
  });
  if (llvm::any_of(func.getResultTypes(),
                   [](Type type) { return isa<tt::TensorDescType>(type); }))
    return func.emitError("expected no tensor descriptor as result; inline "
                          "the function first");
  if (!hasDescriptors)
    return success();
  if (func.isPrivate() || func.isExternal())
    return func.emitError("expected functions that take tensor descriptors to "
                          "be inlined into their kernels first");
  ArgumentFlattener(func).run();
  return success();
}
