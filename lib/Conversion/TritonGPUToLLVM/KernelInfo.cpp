//===- KernelInfo.cpp - what the manifest says of a kernel ----------------===//
//
// The manifest is written from an attribute on the lowered function, so that
// nobody has to understand LLVM types to know what the kernel's arguments are.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/KernelInfo.h"
#include "Dialect/MLT/IR/LaunchAttrs.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The name in `loc`, empty when there is none.
static StringRef getArgumentName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (StringRef name = getArgumentName(part); !name.empty())
        return name;
  return "";
}

static DictionaryAttr getArgumentInfo(tt::FuncOp kernel, unsigned index) {
  Builder builder(kernel.getContext());
  BlockArgument argument = kernel.getArgument(index);
  NamedAttrList info;
  if (StringRef name = getArgumentName(argument.getLoc()); !name.empty())
    info.append("name", builder.getStringAttr(name));

  Type type = kernel.getFunctionType().getInput(index);
  auto pointer = dyn_cast<tt::PointerType>(type);
  auto kind = kernel.getArgAttrOfType<StringAttr>(index, kArgKindAttr);
  info.append("kind",
              kind ? kind
                   : builder.getStringAttr(pointer ? "pointer" : "scalar"));
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (pointer) {
    stream << pointer.getPointeeType();
    info.append("addrspace",
                builder.getI32IntegerAttr(pointer.getAddressSpace()));
  } else {
    stream << type;
  }
  info.append("type", builder.getStringAttr(text));
  if (auto divisibility =
          kernel.getArgAttrOfType<IntegerAttr>(index, "tt.divisibility"))
    info.append("divisibility",
                builder.getI32IntegerAttr(divisibility.getInt()));
  return info.getDictionary(kernel.getContext());
}

/// True for kernels that keep accumulators of matrix products in registers:
/// they are compiled with the large register file at once.
static bool hasDot(tt::FuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<tt::DotOp, tt::DotScaledOp>(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

DictionaryAttr mlt::getKernelInfo(tt::FuncOp kernel, const CodeGenStyle &style,
                                  int64_t numWarps, int64_t slmBytes) {
  Builder builder(kernel.getContext());
  SmallVector<Attribute> arguments;
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i)
    arguments.push_back(getArgumentInfo(kernel, i));
  auto preconditions = kernel->getAttrOfType<ArrayAttr>(kPreconditionsAttr);
  if (!preconditions)
    preconditions = builder.getArrayAttr({});
  return builder.getDictionaryAttr({
      builder.getNamedAttr("args", builder.getArrayAttr(arguments)),
      builder.getNamedAttr("has_dot", builder.getBoolAttr(hasDot(kernel))),
      builder.getNamedAttr("interface",
                           builder.getStringAttr(style.getInterfaceName())),
      builder.getNamedAttr("num_warps", builder.getI32IntegerAttr(numWarps)),
      builder.getNamedAttr("preconditions", preconditions),
      builder.getNamedAttr("slm_bytes", builder.getI32IntegerAttr(slmBytes)),
      builder.getNamedAttr("style", builder.getStringAttr(style.getName())),
      builder.getNamedAttr("sub_group_size",
                           builder.getI32IntegerAttr(style.getNumLanes())),
  });
}
