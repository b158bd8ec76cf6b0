//===- TritonGPUOps.cpp - operations of the ttg dialect -------------------===//
//
// `ttg.barrier` and its list of memories, which is written without quotes.
//
//===----------------------------------------------------------------------===//
#include "Dialect/TritonGPU/IR/TritonGPUOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "Dialect/TritonGPU/IR/TritonGPUEnums.cpp.inc"

using namespace mlir;
using namespace mlir::ttg;

/// Reads words joined by `|`.
static ParseResult parseBarrierSpaces(OpAsmParser &parser,
                                      BarrierSpaceAttr &attr) {
  BarrierSpace spaces = BarrierSpace::None;
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<BarrierSpace> space = symbolizeBarrierSpace(word);
    if (!space)
      return parser.emitError(loc)
             << "expected local, global_read, global_write, tensor_read, "
                "tensor_write, all or none, got '"
             << word << "'";
    spaces = spaces | *space;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  attr = BarrierSpaceAttr::get(parser.getContext(), spaces);
  return success();
}

static void printBarrierSpaces(OpAsmPrinter &printer, BarrierOp,
                               BarrierSpaceAttr attr) {
  printer << stringifyBarrierSpace(attr.getValue());
}

#define GET_OP_CLASSES
#include "Dialect/TritonGPU/IR/TritonGPUOps.cpp.inc"

void ttg::TritonGPUDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "Dialect/TritonGPU/IR/TritonGPUOps.cpp.inc"
      >();
}
