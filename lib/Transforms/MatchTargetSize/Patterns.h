//===- Patterns.h - splitting operations into pieces ----------------------===//
#ifndef MLTC_TRANSFORMS_MATCHTARGETSIZE_PATTERNS_H
#define MLTC_TRANSFORMS_MATCHTARGETSIZE_PATTERNS_H

#include "Transforms/MatchTargetSize/PiecePlan.h"
#include "Transforms/MatchTargetSize/Tile.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::mlt {

/// Converts a tile to its pieces, as the plan says for that very value.
struct PieceConverter : TypeConverter {
  explicit PieceConverter(const PiecePlan &plan);
};

/// Base of all patterns here: knows the plan and makes tiles of operands.
template <typename OpT> struct SplitPattern : OpConversionPattern<OpT> {
  using Adaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;

  SplitPattern(const TypeConverter &converter, MLIRContext *context,
               const PiecePlan &plan)
      : OpConversionPattern<OpT>(converter, context), plan(plan) {}

protected:
  /// The tile of `original`, whose pieces the conversion hands over as
  /// `pieces`. `shape` keeps the piece shape alive for the tile.
  TilePieces makeTile(Value original, ValueRange pieces,
                      SmallVector<int64_t> &shape) const {
    shape = plan.getPiece(original);
    return TilePieces(getTileType(original.getType()), shape, pieces);
  }

  const PiecePlan &plan;
};

void populateSplitElementwisePatterns(const PieceConverter &converter,
                                      RewritePatternSet &patterns,
                                      const PiecePlan &plan);
void populateSplitShapePatterns(const PieceConverter &converter,
                                RewritePatternSet &patterns,
                                const PiecePlan &plan);
void populateSplitMemoryPatterns(const PieceConverter &converter,
                                 RewritePatternSet &patterns,
                                 const PiecePlan &plan);
void populateSplitDotPatterns(const PieceConverter &converter,
                              RewritePatternSet &patterns,
                              const PiecePlan &plan);
void populateSplitReducePatterns(const PieceConverter &converter,
                                 RewritePatternSet &patterns,
                                 const PiecePlan &plan);
void populateSplitControlFlowPatterns(const PieceConverter &converter,
                                      RewritePatternSet &patterns,
                                      const PiecePlan &plan);

/// True for reshapes that only add or drop leading dimensions of size 1.
bool isUnitReshape(Operation *op);

/// Turns splits and joins that cut or put together a tile along one dimension
/// into parts of the tile.
void halveTiles(Operation *root, int64_t lanes);

/// True for operations that have a pattern; all others keep whole tiles.
bool canSplit(Operation *op);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_MATCHTARGETSIZE_PATTERNS_H
