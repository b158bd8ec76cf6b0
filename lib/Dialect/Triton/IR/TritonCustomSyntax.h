//===- TritonCustomSyntax.h - custom assembly directives ------------------===//
#ifndef MLTC_DIALECT_TRITON_TRITONCUSTOMSYNTAX_H
#define MLTC_DIALECT_TRITON_TRITONCUSTOMSYNTAX_H

#include "Dialect/Triton/IR/TritonAttrs.h"
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

/// Cache hints and the attribute dictionary of an access. Two spellings are
/// read: `cacheModifier = ..` and `evictionPolicy = ..` in any order before the
/// dictionary, or `cachePolicy = #tt.cache_policy<..>` in it.
ParseResult parseLoadHints(OpAsmParser &parser, CacheModifierAttr &cache,
                           EvictionPolicyAttr &evict, NamedAttrList &attrs);
void printLoadHints(OpAsmPrinter &printer, Operation *op,
                    CacheModifierAttr cache, EvictionPolicyAttr evict,
                    DictionaryAttr attrs);
ParseResult parseStoreHints(OpAsmParser &parser, CacheModifierAttr &cache,
                            EvictionPolicyAttr &evict, NamedAttrList &attrs);
void printStoreHints(OpAsmPrinter &printer, Operation *op,
                     CacheModifierAttr cache, EvictionPolicyAttr evict,
                     DictionaryAttr attrs);
ParseResult parseDescriptorLoadHints(OpAsmParser &parser,
                                     CacheModifierAttr &cache,
                                     EvictionPolicyAttr &evict,
                                     NamedAttrList &attrs);
void printDescriptorLoadHints(OpAsmPrinter &printer, Operation *op,
                              CacheModifierAttr cache, EvictionPolicyAttr evict,
                              DictionaryAttr attrs);

} // namespace mlir::tt

#endif // MLTC_DIALECT_TRITON_TRITONCUSTOMSYNTAX_H
