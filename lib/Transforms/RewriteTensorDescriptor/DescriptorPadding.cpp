//===- DescriptorPadding.cpp - padding of descriptor accesses
//---------------===//
//
// Padding belongs to a descriptor when it is made and to an access once it is a
// load. Between the two there may be loops and branches.
//
//===----------------------------------------------------------------------===//
#include "Transforms/RewriteTensorDescriptor/DescriptorPadding.h"
#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;

/// All make_tensor_descriptor operations that may have made `descriptor`.
static SmallVector<tt::MakeTensorDescOp>
findSources(Value descriptor, const ForwardingEdges &edges) {
  SmallVector<tt::MakeTensorDescOp> result;
  SmallVector<Value> worklist{descriptor};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto make = value.getDefiningOp<tt::MakeTensorDescOp>())
      result.push_back(make);
    if (auto select = value.getDefiningOp<arith::SelectOp>())
      worklist.append({select.getTrueValue(), select.getFalseValue()});
    for (OpOperand *source : edges.getSources(value))
      worklist.push_back(source->get());
  }
  return result;
}

LogicalResult DescriptorPadding::analyze(tt::FuncOp func) {
  ForwardingEdges edges(func);
  WalkResult result = func.walk([&](Operation *op) {
    if (!isa<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op))
      return WalkResult::advance();
    std::optional<tt::PaddingOption> padding;
    for (tt::MakeTensorDescOp make : findSources(op->getOperand(0), edges)) {
      if (padding && *padding != make.getPadding()) {
        InFlightDiagnostic diag =
            op->emitError() << "expected descriptors of one padding, got both "
                               "zero and nan";
        diag.attachNote(make.getLoc()) << "one of the descriptors";
        return WalkResult(diag);
      }
      padding = make.getPadding();
    }
    if (padding)
      paddings[op] = *padding;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
