//===- TritonAttrs.cpp - enumerations and attributes of the tt dialect ----===//
#include "Dialect/Triton/IR/TritonAttrs.h"
#include "Dialect/Triton/IR/TritonDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;

#include "Dialect/Triton/IR/TritonEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/Triton/IR/TritonAttrs.cpp.inc"

void TritonDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/Triton/IR/TritonAttrs.cpp.inc"
      >();
}
