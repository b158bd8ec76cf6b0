//===- LayoutMaterializer.h - writes layouts into types
//---------------------===//
#ifndef MLTC_CONVERSION_TRITONTOTRITONGPUWARP_LAYOUTMATERIALIZER_H
#define MLTC_CONVERSION_TRITONTOTRITONGPUWARP_LAYOUTMATERIALIZER_H

#include "Analysis/Layout/LayoutAnalysis.h"
#include "mlir/IR/Builders.h"

namespace mlir::mlt {

/// Puts the result of a finished analysis into the types of `func`: sets every
/// encoding, clones cheap operations per layout and converts where a use wants
/// another layout than the definition has.
class LayoutMaterializer {
public:
  LayoutMaterializer(FunctionOpInterface func, const LayoutAnalysis &analysis)
      : func(func), analysis(analysis) {}

  /// Fails, with an error at the operation, when a block pointer would have to
  /// be converted.
  LogicalResult run();

  unsigned getNumConversions() const { return numConversions; }
  unsigned getNumClones() const { return numClones; }

private:
  void setResultTypes(Operation *op);
  LogicalResult setOperands(Operation *op);
  bool canRematerialize(Value value, Attribute encoding,
                        unsigned &budget) const;
  Value rematerialize(Value value, Attribute encoding);
  Value convert(OpOperand &operand, Attribute encoding);
  Value convertAboveViews(OpOperand &operand, Attribute encoding);
  void eraseUnusedOriginals(ArrayRef<Operation *> originals);
  void updateFunctionType();

  FunctionOpInterface func;
  const LayoutAnalysis &analysis;
  llvm::DenseMap<std::pair<Value, Attribute>, Value> clones;
  llvm::DenseMap<std::pair<Value, Attribute>, Value> conversions;
  /// Views that were done again behind a conversion, users first.
  llvm::SetVector<Operation *> redoneViews;
  unsigned numConversions = 0;
  unsigned numClones = 0;
};

} // namespace mlir::mlt

#endif // MLTC_CONVERSION_TRITONTOTRITONGPUWARP_LAYOUTMATERIALIZER_H
