//===- ForwardingEdges.cpp - what control flow passes on
//--------------------===//
//
// scf and cf describe forwarding through two interfaces. Analyses that follow a
// value across loops and branches want one list, and want it in both
// directions.
//
//===----------------------------------------------------------------------===//
#include "Analysis/ForwardingEdges/ForwardingEdges.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::mlt;

ForwardingEdges::ForwardingEdges(Operation *root) {
  auto connect = [&](OpOperand &operand, Value target) {
    targets[&operand].push_back(target);
    sources[target].push_back(&operand);
  };
  root->walk([&](Operation *op) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      RegionBranchSuccessorMapping mapping;
      branch.getSuccessorOperandInputMapping(mapping);
      // The mapping is in the order of addresses, which no result may follow.
      auto connectAll = [&](Operation *from) {
        for (OpOperand &operand : from->getOpOperands())
          for (Value input : mapping.lookup(&operand))
            connect(operand, input);
      };
      connectAll(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (!block.empty())
            connectAll(block.getTerminator());
    }
    if (auto branch = dyn_cast<BranchOpInterface>(op))
      for (auto [index, successor] : llvm::enumerate(op->getSuccessors())) {
        SuccessorOperands operands = branch.getSuccessorOperands(index);
        unsigned produced = operands.getProducedOperandCount();
        for (unsigned i : llvm::seq(produced, operands.size()))
          connect(operands.getMutableForwardedOperands()[i - produced],
                  successor->getArgument(i));
      }
  });
}
