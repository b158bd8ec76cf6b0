//===- TargetDescription.h - what a device can do, as data ----------------===//
//
// A pass never contains a device constant: it asks the description named by the
// module attribute `mlt.target`. Descriptions are the JSON files in
// lib/Target/data, which the Python side reads as well; each number there names
// its source.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TARGET_DESCRIPTION_H
#define MLTC_TARGET_DESCRIPTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Operation;
class Type;
namespace mlt {

/// What a block that is loaded will be used for.
enum class BlockRole { Plain, OperandA, OperandB };

/// One form of 2-D block load. Extents in elements of `bits`, of the matrix in
/// registers: for a transposed form `tileWidth` x `maxHeight` are the columns
/// and rows after the transposition.
struct BlockLoadForm {
  unsigned bits;
  BlockRole role;
  bool transpose;
  bool vnni;
  int64_t tileWidth;
  int64_t maxHeight;
  int64_t maxBlocks;
};

/// One form of 2-D block store or prefetch. Extents in elements of `bits`.
struct BlockForm {
  unsigned bits;
  int64_t tileWidth;
  int64_t maxHeight;
  int64_t maxBlocks;
};

/// One type combination of the dot instruction. Names: f16, bf16, tf32, i8, ...
struct DotForm {
  std::string a, b;
  std::vector<std::string> accumulators;
  int64_t k;
};

/// Limits of the surface that a 2-D block message addresses, in bytes.
struct Block2DLimits {
  int64_t baseAlignment;
  int64_t minWidth, widthMultiple;
  int64_t minPitch, pitchMultiple;
  /// Width, height and pitch are at most 2^maxExtentLog2.
  int64_t maxExtentLog2;
  int64_t maxRowBytes, maxBytes;
};

/// Where 1-D block messages may begin, in bytes.
struct Block1DLimits {
  int64_t loadAlignment;
  int64_t storeAlignment;
};

struct GRFMode {
  int64_t registers;
  int64_t maxWarps;
};

/// The choices of `num-warps=auto`.
struct AutoWarps {
  llvm::SmallVector<int64_t, 2> gemmTilePerWarp;
  int64_t attentionRowsPerWarp;
  int64_t elementsPerLane;
  int64_t maxWarps;
};

class TargetDescription {
public:
  /// The built-in description called `name`, or an error that lists the names.
  static llvm::Expected<const TargetDescription *> lookup(llvm::StringRef name);

  /// The description of the module around `op` (`mlt.target`, default "pvc").
  /// Emits an error at `op` and returns nullptr for an unknown name.
  static const TargetDescription *get(mlir::Operation *op);

  std::string name;
  int64_t subGroupSize;
  int64_t slmBytes;
  int64_t registerBytes;
  std::vector<GRFMode> grfModes;
  /// The part of a thread's registers that values of a kernel should leave to
  /// the device's compiler, for arguments, addresses and scalars.
  int64_t reservedPermilleSimt;
  int64_t reservedPermilleSimd;
  /// The part that loads which go ahead of their use must not touch (simd).
  int64_t reservedPermilleEarly;
  int64_t dotN;
  std::vector<int64_t> dotM;
  std::vector<DotForm> dotForms;
  Block1DLimits block1D;
  Block2DLimits block2D;
  std::vector<BlockLoadForm> loads;
  std::vector<BlockForm> stores;
  std::vector<BlockForm> prefetches;
  AutoWarps autoWarps;

  /// The load form for elements of `bits` in `role`, or nullptr.
  const BlockLoadForm *findLoad(unsigned bits, BlockRole role,
                                bool transpose) const;
  const BlockForm *findStore(unsigned bits) const;
  const BlockForm *findPrefetch(unsigned bits) const;

  /// The dot form for operands named `a` and `b` that accumulates in `acc`.
  const DotForm *findDot(llvm::StringRef a, llvm::StringRef b,
                         llvm::StringRef acc) const;

  /// Largest repeat count (rows of a dot instruction) that does not exceed `m`.
  int64_t getDotRows(int64_t m) const;
};

} // namespace mlt
} // namespace mlir

#endif // MLTC_TARGET_DESCRIPTION_H
