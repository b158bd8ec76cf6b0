//===- BlockIO.cpp - which accesses can be 2-D block messages
//---------------===//
//
// A block message with an illegal surface does not fault, it reads something
// else. So every rule of the target is proven here, or turned into a condition
// that is checked at launch, or the access is refused with the reason.
//
// Rules: the message has a form for element size, role and orientation; the
// contiguous dimension is known; offsets along it are multiples of 4 bytes; the
// base is aligned, or is at least a multiple of 4 bytes so that the lowering
// can move the rest of its misalignment into the offset, which is not negative
// then; width, height and pitch are in range.
//
//===----------------------------------------------------------------------===//
#include "Analysis/BlockIO/BlockIO.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mlt;

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

BlockPointerOrigin mlt::traceBlockPointer(Value pointer,
                                          const ForwardingEdges &edges) {
  BlockPointerOrigin origin;
  SmallVector<Value> worklist{pointer};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto make = value.getDefiningOp<tt::MakeTensorPtrOp>()) {
      origin.makes.push_back(make);
    } else if (auto advance = value.getDefiningOp<tt::AdvanceOp>()) {
      origin.advances.push_back(advance);
      worklist.push_back(advance.getPtr());
    } else if (auto select = value.getDefiningOp<arith::SelectOp>()) {
      worklist.append({select.getTrueValue(), select.getFalseValue()});
    }
    for (OpOperand *source : edges.getSources(value))
      worklist.push_back(source->get());
  }
  return origin;
}

std::string mlt::getSourceLine(Operation *op) {
  Location loc = op->getLoc();
  while (true) {
    if (auto named = dyn_cast<NameLoc>(loc)) {
      loc = named.getChildLoc();
    } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
      loc = call.getCallee();
      if (isa<UnknownLoc>(loc))
        loc = call.getCaller();
    } else if (auto fused = dyn_cast<FusedLoc>(loc);
               fused && !fused.getLocations().empty()) {
      loc = fused.getLocations().front();
    } else {
      break;
    }
  }
  auto file = dyn_cast<FileLineColLoc>(loc);
  if (!file)
    return {};
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()))
      .str();
}

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

struct BlockIOAnalysis::Request {
  Operation *access;
  StringRef name; // load, store or prefetch
  RankedTensorType block;
  unsigned elemBytes = 0;
  BlockPointerOrigin origin;
  tt::MakeTensorPtrOp make;
  unsigned fast = 1, slow = 0;
  /// The kernel argument that is the base, if it is one as it stands.
  std::optional<unsigned> baseArgument;
  /// Whether offsets and base were proven, and are not required, to be
  /// multiples of 4 bytes.
  bool startsAtDword = false;
  /// Whether the base may be misaligned, so that the lowering moves it down and
  /// the surface grows by as much; if so, the conditions under which it is not
  /// (nullopt: none that a launch could meet).
  bool compensated = false;
  std::optional<SmallVector<Attribute>> alignedIf;
  /// Whether the block may begin in front of its rows, where a base that was
  /// moved down would let in what lies there.
  bool startsBefore = false;
  SmallVector<Attribute> preconditions;
};

BlockIOAnalysis::BlockIOAnalysis(tt::FuncOp func,
                                 const TargetDescription &target)
    : func(func), target(target), edges(func), expressions(func, edges),
      roles(func), builder(func.getContext()) {}

/// Finds the message form for the tile, or says why there is none.
static std::optional<std::string>
checkForm(StringRef name, RankedTensorType block, bool transposed,
          std::optional<std::pair<int64_t, int64_t>> form) {
  std::string what =
      (Twine(transposed ? "transposed " : "") + "2-D block " + name + " of " +
       Twine(tt::getElementBitWidth(block)) + "-bit elements")
          .str();
  if (!form)
    return "the target has no " + what + " for this use";
  auto [minRows, minColumns] = *form;
  if (block.getDimSize(0) < minRows || block.getDimSize(1) < minColumns)
    return ("a tile of " + Twine(block.getDimSize(0)) + "x" +
            Twine(block.getDimSize(1)) + " is smaller than the " +
            Twine(minRows) + "x" + Twine(minColumns) + " of a " + what)
        .str();
  return std::nullopt;
}

/// The dimension that is contiguous: the one that is said to be, if its stride
/// is known, else any whose stride is.
std::optional<std::string> BlockIOAnalysis::findRows(Request &request) const {
  if (request.origin.makes.size() != 1)
    return "the block pointer may come from several definitions";
  request.make = request.origin.makes.front();
  Type base = request.make.getBase().getType();
  if (cast<tt::PointerType>(base).getAddressSpace() != 1)
    return "the block is not in global memory";
  request.elemBytes = tt::getElementBitWidth(request.block) / 8;
  ValueRange strides = request.make.getStrides();
  SmallVector<unsigned> candidates(request.make.getOrder());
  auto found = llvm::find_if(candidates, [&](unsigned dim) {
    return LaunchExpressions::getConstant(strides[dim]) == 1;
  });
  if (found == candidates.end())
    return "no dimension has a stride that is known to be 1";
  request.fast = *found;
  request.slow = 1 - request.fast;
  return std::nullopt;
}

/// Elements lie at multiples of their size; everything else is a promise.
int64_t BlockIOAnalysis::getRowAlignment(const Request &request) const {
  tt::MakeTensorPtrOp make = request.make;
  SmallVector<tt::AdvanceOp> advances = request.origin.advances;
  int64_t bytes = request.elemBytes;
  int64_t alignment = target.block2D.baseAlignment;
  auto include = [&](Value elements) {
    alignment =
        std::min(alignment,
                 bytes * std::min(alignment, expressions.getDivisor(elements)));
  };
  Value base = make.getBase();
  while (auto add = base.getDefiningOp<tt::AddPtrOp>()) {
    include(add.getOffset());
    base = add.getPtr();
  }
  std::optional<unsigned> argument = expressions.getArgument(base);
  alignment = std::min(
      alignment,
      std::max(bytes, argument ? expressions.getPromise(*argument) : bytes));
  include(make.getOffsets()[request.fast]);
  for (tt::AdvanceOp advance : advances)
    include(advance.getOffsets()[request.fast]);
  if (request.block.getRank() == 2)
    include(make.getStrides()[request.slow]);
  return std::max<int64_t>(1, alignment);
}

/// A vector has one row. It has to fill the lanes, like rows of a message.
bool BlockIOAnalysis::isRow(const Request &request) const {
  Type element = request.block.getElementType();
  return request.block.getRank() == 1 && element.isIntOrFloat() &&
         element.getIntOrFloatBitWidth() >= 8 &&
         request.block.getNumElements() % target.subGroupSize == 0;
}

std::optional<std::string> BlockIOAnalysis::checkShape(Request &request) const {
  unsigned bits = tt::getElementBitWidth(request.block);
  if (request.block.getRank() != 2)
    return ("the block has rank " + Twine(request.block.getRank()) +
            ", expected 2")
        .str();
  bool transposed = request.fast == 0;
  std::optional<std::pair<int64_t, int64_t>> form;
  if (auto load = dyn_cast<tt::LoadOp>(request.access)) {
    if (const BlockLoadForm *found =
            findLoadForm(target, bits, roles.get(load.getResult()), transposed))
      form = {transposed ? found->maxHeight : 1, found->tileWidth};
  } else if (isa<tt::StoreOp>(request.access)) {
    const BlockForm *found = target.findStore(bits);
    if (found && !transposed)
      form = {1, found->tileWidth};
  } else if (target.findPrefetch(bits)) {
    form = {1, 1};
  }
  return checkForm(request.name, request.block, transposed, form);
}

std::optional<std::string>
BlockIOAnalysis::checkPadding(Request &request) const {
  auto load = dyn_cast<tt::LoadOp>(request.access);
  if (load && load.getPadding() == tt::PaddingOption::PAD_NAN &&
      !load.getBoundaryCheck().empty())
    return "2-D block loads pad with zeros, expected NaN";
  return std::nullopt;
}

std::optional<std::string>
BlockIOAnalysis::checkOffsets(Request &request) const {
  int64_t unit = target.block2D.widthMultiple / request.elemBytes;
  auto isAligned = [&](Value offset) {
    return expressions.requireMultiple(
        offset, unit, "a 2-D block starts at a multiple of 4 bytes in its row",
        request.preconditions);
  };
  size_t before = request.preconditions.size();
  bool aligned = isAligned(request.make.getOffsets()[request.fast]);
  for (tt::AdvanceOp advance : request.origin.advances)
    aligned &= isAligned(advance.getOffsets()[request.fast]);
  request.startsAtDword &= request.preconditions.size() == before;
  if (aligned)
    return std::nullopt;
  return ("the offset along the contiguous dimension is not known to be a "
          "multiple of " +
          Twine(unit) + " elements")
      .str();
}

std::optional<std::string> BlockIOAnalysis::checkBase(Request &request) const {
  int64_t alignment = target.block2D.baseAlignment;
  int64_t smallest = target.block2D.widthMultiple;
  std::string tooSmall = ("the base address is not known to be a multiple of " +
                          Twine(smallest) + " bytes")
                             .str();
  Value base = request.make.getBase();
  bool moved = false;
  request.alignedIf.emplace();
  while (auto add = base.getDefiningOp<tt::AddPtrOp>()) {
    moved = true;
    Value offset = add.getOffset();
    if (!expressions.requireMultiple(
            offset, smallest / request.elemBytes,
            "the base of a 2-D block is a multiple of 4 bytes",
            request.preconditions))
      return tooSmall;
    if (request.alignedIf &&
        !expressions.requireMultiple(
            offset, alignment / request.elemBytes,
            "a block that may begin in front of its rows has a base that is a "
            "multiple of 64 bytes",
            *request.alignedIf))
      request.alignedIf.reset();
    base = add.getPtr();
  }
  // Nothing but multiples was asked for until now.
  request.startsAtDword = request.preconditions.empty();
  std::optional<unsigned> argument = expressions.getArgument(base);
  if (!argument) {
    // A pointer from memory is aligned like an element at least.
    if (request.elemBytes < smallest)
      return tooSmall;
    request.compensated = true;
    request.alignedIf.reset();
    return std::nullopt;
  }
  request.startsAtDword &= expressions.getPromise(*argument) % smallest == 0;
  if (!moved) {
    if (expressions.getPromise(*argument) % alignment != 0)
      request.baseArgument = argument;
    return std::nullopt;
  }
  request.compensated = !request.alignedIf || !request.alignedIf->empty();
  if (expressions.getPromise(*argument) % alignment == 0)
    return std::nullopt;
  NamedAttribute entries[] = {
      builder.getNamedAttr("kind", builder.getStringAttr("base_alignment")),
      builder.getNamedAttr("arg", builder.getI32IntegerAttr(*argument)),
      builder.getNamedAttr("value", builder.getI32IntegerAttr(alignment)),
      builder.getNamedAttr(
          "reason",
          builder.getStringAttr("the base of 2-D blocks starts here"))};
  request.preconditions.push_back(builder.getDictionaryAttr(entries));
  return std::nullopt;
}

/// Where the base is moved down to the alignment, the row begins behind the
/// surface's, and nothing in front of it may be asked for.
std::optional<std::string> BlockIOAnalysis::checkStart(Request &request) const {
  ArrayRef<int32_t> checked;
  if (auto load = dyn_cast<tt::LoadOp>(request.access))
    checked = load.getBoundaryCheck();
  else if (auto store = dyn_cast<tt::StoreOp>(request.access))
    checked = store.getBoundaryCheck();
  if (!request.compensated ||
      !llvm::is_contained(checked, int32_t(request.fast)))
    return std::nullopt;
  auto isNonNegative = [&](Value offset) {
    return scalars.isNonNegative(scalars.get(offset));
  };
  bool proven = isNonNegative(request.make.getOffsets()[request.fast]);
  for (tt::AdvanceOp advance : request.origin.advances)
    proven &= isNonNegative(advance.getOffsets()[request.fast]);
  if (proven)
    return std::nullopt;
  request.startsBefore = true;
  if (!request.alignedIf)
    return "the block may begin in front of its rows, and the base is not "
           "known to be a multiple of 64 bytes";
  llvm::append_range(request.preconditions, *request.alignedIf);
  request.compensated = false;
  return std::nullopt;
}

/// Where the base is moved down to the alignment, rows get longer by up to the
/// same amount, and have to stay within the pitch. That holds when nothing is
/// moved after all or when there is room behind the rows.
void BlockIOAnalysis::requireRoom(Request &request, DictionaryAttr width,
                                  DictionaryAttr pitch) const {
  if (!request.compensated)
    return;
  const Block2DLimits &limits = target.block2D;
  int64_t room =
      (limits.baseAlignment - limits.widthMultiple) / request.elemBytes;
  StringRef reason = "a base that is no multiple of 64 bytes needs room "
                     "between the rows";
  DictionaryAttr needed =
      expressions.binary("add", width, expressions.constant(room));
  if (!request.alignedIf) {
    request.preconditions.push_back(
        expressions.condition("ge", pitch, needed, reason));
    return;
  }
  DictionaryAttr misaligned;
  for (Attribute attr : *request.alignedIf) {
    auto entry = cast<DictionaryAttr>(attr);
    DictionaryAttr rest =
        expressions.binary("rem_s", cast<DictionaryAttr>(entry.get("lhs")),
                           cast<DictionaryAttr>(entry.get("rhs")));
    misaligned = misaligned ? expressions.binary("or", misaligned, rest) : rest;
  }
  DictionaryAttr missing =
      expressions.binary("max_s", expressions.constant(0),
                         expressions.binary("sub", needed, pitch));
  request.preconditions.push_back(expressions.condition(
      "eq", expressions.binary("min_u", misaligned, missing),
      expressions.constant(0), reason));
}

/// What an integer is at least and at most.
static std::pair<int64_t, int64_t> getLimits(Value value) {
  if (std::optional<int64_t> constant = LaunchExpressions::getConstant(value))
    return {*constant, *constant};
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::MinSIOp, arith::MaxSIOp>(op))
    return {std::numeric_limits<int64_t>::min(),
            std::numeric_limits<int64_t>::max()};
  auto [low, high] = getLimits(op->getOperand(0));
  auto [otherLow, otherHigh] = getLimits(op->getOperand(1));
  if (isa<arith::MinSIOp>(op))
    return {std::min(low, otherLow), std::min(high, otherHigh)};
  return {std::max(low, otherLow), std::max(high, otherHigh)};
}

namespace {
/// A size of the surface: its constant value, or unknown before the launch.
struct SurfaceSize {
  StringRef name;
  StringRef unit;
  Value value;
  int64_t scale; // units per element

  /// In units.
  std::optional<int64_t> get() const {
    std::optional<int64_t> constant = LaunchExpressions::getConstant(value);
    if (!constant)
      return std::nullopt;
    return *constant * scale;
  }

  /// Why a known value breaks the limits, if it does.
  std::optional<std::string> violates(int64_t minimum, int64_t maximum,
                                      int64_t multiple) const {
    std::optional<int64_t> known = get();
    std::string found =
        (name + " of " + Twine(known.value_or(0)) + " " + unit + " is ").str();
    if (!known)
      return std::nullopt;
    if (*known < minimum)
      return found + "less than " + llvm::itostr(minimum);
    if (*known > maximum)
      return found + "greater than " + llvm::itostr(maximum);
    if (*known % multiple != 0)
      return found + "not a multiple of " + llvm::itostr(multiple);
    return std::nullopt;
  }
};
} // namespace

std::optional<std::string>
BlockIOAnalysis::checkSurface(Request &request) const {
  const Block2DLimits &limits = target.block2D;
  int64_t elemBytes = request.elemBytes;
  ValueRange shape = request.make.getShape();
  SurfaceSize width{"width", "bytes", shape[request.fast], elemBytes};
  SurfaceSize height{"height", "rows", shape[request.slow], 1};
  SurfaceSize pitch{"pitch", "bytes", request.make.getStrides()[request.slow],
                    elemBytes};
  int64_t largest = int64_t(1) << limits.maxExtentLog2;
  int64_t widthMultiple = std::max(limits.widthMultiple, elemBytes);
  if (auto reason = width.violates(limits.minWidth, largest, widthMultiple))
    return reason;
  if (auto reason =
          pitch.violates(limits.minPitch, largest, limits.pitchMultiple))
    return reason;
  if (auto reason = height.violates(1, largest, 1))
    return reason;
  if (width.get() && pitch.get()) {
    if (*pitch.get() < *width.get())
      return "pitch of " + llvm::itostr(*pitch.get()) +
             " bytes is less than the width of " + llvm::itostr(*width.get()) +
             " bytes";
    int64_t room = limits.baseAlignment - limits.widthMultiple;
    if (*pitch.get() >= *width.get() + room)
      request.compensated = false;
    if (height.get() && !request.baseArgument && !request.compensated)
      return std::nullopt;
  }

  SmallVector<NamedAttribute> entries{
      builder.getNamedAttr("kind", builder.getStringAttr("block_2d")),
      builder.getNamedAttr("access", builder.getStringAttr(request.name)),
      builder.getNamedAttr("elem_bytes", builder.getI32IntegerAttr(elemBytes))};
  if (request.baseArgument)
    entries.push_back(builder.getNamedAttr(
        "base", builder.getI32IntegerAttr(*request.baseArgument)));
  SmallVector<DictionaryAttr, 3> sizes;
  for (const SurfaceSize *size : {&width, &height, &pitch}) {
    DictionaryAttr expression = expressions.build(size->value);
    // Height has no rules but its limits.
    auto [least, most] = getLimits(size->value);
    if (!expression && size == &height && least >= 1 && most <= largest)
      expression = expressions.constant(most);
    if (!expression)
      return ("the " + size->name +
              " depends on values that are not known at "
              "launch")
          .str();
    entries.push_back(builder.getNamedAttr(size->name, expression));
    sizes.push_back(expression);
  }
  requireRoom(request, sizes[0], sizes[2]);
  if (std::string line = getSourceLine(request.access); !line.empty())
    entries.push_back(builder.getNamedAttr("loc", builder.getStringAttr(line)));
  request.preconditions.push_back(builder.getDictionaryAttr(entries));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The predicate
//===----------------------------------------------------------------------===//

/// Limits are what a message cannot do; but a message that transposes dwords
/// does nothing with halves of them, on any device.
bool BlockIOAnalysis::isExact(const Request &request) const {
  if (request.startsBefore)
    return false;
  bool dwords = isa<tt::LoadOp>(request.access) && request.fast == 0 &&
                request.elemBytes < target.block2D.widthMultiple;
  if (!dwords)
    return true;
  tt::MakeTensorPtrOp make = request.make;
  int64_t width = expressions.getDivisor(make.getShape()[request.fast]);
  return request.startsAtDword &&
         width * request.elemBytes % target.block2D.widthMultiple == 0;
}

BlockIOVerdict BlockIOAnalysis::classify(Operation *access) const {
  Request request;
  request.access = access;
  request.name = isa<tt::LoadOp>(access)    ? "load"
                 : isa<tt::StoreOp>(access) ? "store"
                                            : "prefetch";
  Value pointer = access->getOperand(0);
  request.block = cast<RankedTensorType>(
      cast<tt::PointerType>(pointer.getType()).getPointeeType());
  request.origin = traceBlockPointer(pointer, edges);

  BlockIOVerdict verdict;
  auto passes = [&](auto check) {
    if (std::optional<std::string> reason = (this->*check)(request))
      verdict.reason = *reason;
    return verdict.reason.empty();
  };
  if (!passes(&BlockIOAnalysis::findRows))
    return verdict;
  bool isBlock = passes(&BlockIOAnalysis::checkShape);
  verdict.isVector = request.block.getRank() == 1;
  verdict.hasRows = isBlock || isRow(request);
  verdict.fastDim = request.fast;
  if (verdict.hasRows)
    verdict.rowAlignment = getRowAlignment(request);
  if (!isBlock) {
    // A vector lacks nothing.
    if (verdict.hasRows)
      verdict.reason.clear();
    return verdict;
  }
  for (auto check :
       {&BlockIOAnalysis::checkPadding, &BlockIOAnalysis::checkBase,
        &BlockIOAnalysis::checkOffsets, &BlockIOAnalysis::checkStart,
        &BlockIOAnalysis::checkSurface})
    if (!passes(check))
      return verdict;
  verdict.legal = true;
  verdict.exact = isExact(request);
  verdict.preconditions = std::move(request.preconditions);
  return verdict;
}
