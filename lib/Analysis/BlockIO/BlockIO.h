//===- BlockIO.h - which accesses can be 2-D block messages
//-----------------===//
#ifndef MLTC_ANALYSIS_BLOCKIO_BLOCKIO_H
#define MLTC_ANALYSIS_BLOCKIO_BLOCKIO_H

#include "Analysis/BlockIO/LaunchExpressions.h"
#include "Analysis/OperandRole/OperandRole.h"
#include "Analysis/PointerShape/Scalars.h"
#include "Dialect/Triton/IR/Triton.h"
#include "Target/Description/TargetDescription.h"
#include <string>

namespace mlir::mlt {

/// Marks a function some of whose block pointers were made from pointers: their
/// tensors are as large as its accesses, not as the arrays it is given.
inline constexpr llvm::StringLiteral kRaisedAttrName = "mlt.raised";

/// Where a block pointer comes from.
struct BlockPointerOrigin {
  /// The operations that may have made it, and those that moved it since.
  SmallVector<tt::MakeTensorPtrOp> makes;
  SmallVector<tt::AdvanceOp> advances;
};

/// Follows a block pointer back through advances, selects and control flow.
BlockPointerOrigin traceBlockPointer(Value pointer,
                                     const ForwardingEdges &edges);

/// The outcome for one access.
struct BlockIOVerdict {
  bool legal = false;
  /// Whether the tile fits the messages, and its rows are known to be
  /// contiguous: what is illegal otherwise is where they begin or how far they
  /// are apart, which messages for single rows do not ask for.
  bool hasRows = false;
  /// The dimension that is contiguous in memory, where legal or in rows.
  unsigned fastDim = 0;
  /// Whether it has one dimension.
  bool isVector = false;
  /// What every row of every tile is known to begin at a multiple of (bytes, a
  /// power of two), where in rows.
  int64_t rowAlignment = 1;
  /// Why not, where illegal; empty for a vector in rows.
  std::string reason;
  /// What has to hold at launch (dictionaries of `mlt.preconditions`).
  SmallVector<Attribute> preconditions;
  /// Whether a device without the target's limits can do it at every launch:
  /// all that the preconditions ask for are such limits.
  bool exact = false;
};

/// The one predicate that decides whether a load, store or prefetch through a
/// block pointer can be done with 2-D block messages of the target. Works on
/// warp tiles.
class BlockIOAnalysis {
public:
  BlockIOAnalysis(tt::FuncOp func, const TargetDescription &target);

  BlockIOVerdict classify(Operation *access) const;

  const ForwardingEdges &getEdges() const { return edges; }

private:
  struct Request;
  std::optional<std::string> findRows(Request &request) const;
  bool isRow(const Request &request) const;
  int64_t getRowAlignment(const Request &request) const;
  std::optional<std::string> checkShape(Request &request) const;
  std::optional<std::string> checkPadding(Request &request) const;
  std::optional<std::string> checkBase(Request &request) const;
  std::optional<std::string> checkOffsets(Request &request) const;
  std::optional<std::string> checkStart(Request &request) const;
  std::optional<std::string> checkSurface(Request &request) const;
  bool isExact(const Request &request) const;
  void requireRoom(Request &request, DictionaryAttr width,
                   DictionaryAttr pitch) const;

  tt::FuncOp func;
  const TargetDescription &target;
  ForwardingEdges edges;
  LaunchExpressions expressions;
  OperandRoles roles;
  mutable Scalars scalars;
  mutable Builder builder;
};

/// "kernel.py:85:29" for an operation, empty when it has no such location.
std::string getSourceLine(Operation *op);

} // namespace mlir::mlt

#endif // MLTC_ANALYSIS_BLOCKIO_BLOCKIO_H
