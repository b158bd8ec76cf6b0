//===- Patterns.h - the pattern list of the lowering to LLVM --------------===//
//
// The lowering has three steps:
//   1. tiles and block pointers become vectors and scalars; structured control
//      flow and arithmetic, now on vectors, stay (`populateTilePatterns`),
//   2. what loops carry without changing it is taken out of them,
//   3. structured control flow and arithmetic become LLVM
//      (`populateDeviceMathPatterns` and upstream's patterns).
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_CONVERSION_TRITONGPUTOLLVM_PATTERNS_H
#define MLTC_CONVERSION_TRITONGPUTOLLVM_PATTERNS_H

#include "Conversion/TritonGPUToLLVM/BlockPointers.h"
#include "Conversion/TritonGPUToLLVM/TypeConverter.h"
#include "Target/Description/TargetDescription.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir {
class LLVMTypeConverter;

namespace mlt {

/// What patterns need beyond the type converter. Outlives the pattern set.
struct LoweringContext {
  const CodeGenStyle &style;
  const TargetDescription &target;
  const BlockPointerAnalysis &blocks;
  int64_t numWarps;
  /// Statistics.
  mutable int64_t numBlockMessages = 0, numDots = 0;
};

/// Base of the patterns of step 1. Types that cannot be carried were refused
/// before; the patterns fail to match on them.
template <typename OpT> class TilePattern : public OpConversionPattern<OpT> {
public:
  TilePattern(const TileTypeConverter &converter,
              const LoweringContext &lowering, MLIRContext *context,
              PatternBenefit benefit = 1)
      : OpConversionPattern<OpT>(converter, context, benefit),
        converter(converter), lowering(lowering), style(lowering.style) {}

protected:
  FailureOr<Tile> getTile(Type type) const { return converter.getTile(type); }

  const TileTypeConverter &converter;
  const LoweringContext &lowering;
  const CodeGenStyle &style;
};

struct PatternArguments {
  RewritePatternSet &patterns;
  const TileTypeConverter &converter;
  const LoweringContext &lowering;

  template <typename... Patterns> void add() const {
    patterns.add<Patterns...>(converter, lowering, patterns.getContext());
  }
};

// Step 1, one function per file.
void populateFunctionPatterns(const PatternArguments &arguments);
void populateElementwisePatterns(const PatternArguments &arguments);
void populateTritonElementwisePatterns(const PatternArguments &arguments);
void populateViewPatterns(const PatternArguments &arguments);
void populateBlockMemoryPatterns(const PatternArguments &arguments);
void populateGatherPatterns(const PatternArguments &arguments);
void populateRowPatterns(const PatternArguments &arguments);
void populateAtomicPatterns(const PatternArguments &arguments);
void populateDotPatterns(const PatternArguments &arguments);
void populateReducePatterns(const PatternArguments &arguments);
void populateSyncPatterns(const PatternArguments &arguments);

/// Step 3: operations of arith and math that upstream lowers to something that
/// the device compilers do not know, or know by another meaning.
void populateDeviceMathPatterns(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns);

/// Emits an error at every operation under `root` that step 1 has no lowering
/// for, with the reason.
LogicalResult checkLowerable(Operation *root,
                             const TileTypeConverter &converter,
                             const LoweringContext &lowering);

} // namespace mlt
} // namespace mlir

#endif // MLTC_CONVERSION_TRITONGPUTOLLVM_PATTERNS_H
