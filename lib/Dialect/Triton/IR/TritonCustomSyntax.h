//===- TritonCustomSyntax.h - custom assembly directives ------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONCUSTOMSYNTAX_H
#define MLTC_DIALECT_TRITON_TRITONCUSTOMSYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::tt {

using UnresolvedOperands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

/// `[..], [..], [..]`: three operand lists of the same length. The operations
/// store no lengths, so lists of other lengths would be regrouped silently.
ParseResult parseOperandLists(OpAsmParser &parser, UnresolvedOperands &first,
                              UnresolvedOperands &second,
                              UnresolvedOperands &third);
void printOperandLists(OpAsmPrinter &printer, Operation *op, OperandRange first,
                       OperandRange second, OperandRange third);

/// The same with two lists.
ParseResult parseOperandLists(OpAsmParser &parser, UnresolvedOperands &first,
                              UnresolvedOperands &second);
void printOperandLists(OpAsmPrinter &printer, Operation *op, OperandRange first,
                       OperandRange second);

} // namespace mlir::tt

#endif // MLTC_DIALECT_TRITON_TRITONCUSTOMSYNTAX_H
