//===- BlockForms.cpp - the block message or dot that a tile fits ---------===//
//
// Asked twice: before the conversion, to refuse with a reason what no single
// instruction does, and by the patterns.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/BlockForms.h"
#include "Dialect/MLT/IR/MLTDialect.h"

using namespace mlir;
using namespace mlir::mlt;

static LogicalResult refuse(std::string *reason, const Twine &text) {
  if (reason)
    *reason = text.str();
  return failure();
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

/// Checks what all messages ask for.
static LogicalResult checkBlock(RankedTensorType type,
                                const BlockOrigin &origin,
                                std::string *reason) {
  if (type.getRank() != 2 || origin.order.size() != 2)
    return refuse(reason,
                  "expected a block of two dimensions, got " + print(type));
  return success();
}

FailureOr<BlockMessage> mlt::getLoadForm(const TargetDescription &target,
                                         RankedTensorType type,
                                         const BlockOrigin &origin,
                                         std::string *reason) {
  if (failed(checkBlock(type, origin, reason)))
    return failure();
  BlockRole role = BlockRole::Plain;
  if (auto operand = dyn_cast_if_present<OperandAttr>(type.getEncoding()))
    role = operand.getOpIdx() == 0 ? BlockRole::OperandA : BlockRole::OperandB;
  int64_t bits = tt::getElementBitWidth(type);
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  bool transpose = origin.order[0] == 0;
  const BlockLoadForm *form = target.findLoad(bits, role, transpose);
  // Operand B of 32 bits has the plain image, so it carries no encoding.
  if (!form && role == BlockRole::Plain && bits == 32)
    form = target.findLoad(bits, BlockRole::OperandB, transpose);
  if (!form)
    return refuse(reason, "the target has no " +
                              Twine(transpose ? "transposed " : "") +
                              "2-D block load for " + print(type));
  if (columns % form->tileWidth != 0 ||
      columns / form->tileWidth > form->maxBlocks || rows > form->maxHeight)
    return refuse(reason, "expected at most " + Twine(form->maxHeight) +
                              " rows and 1 to " + Twine(form->maxBlocks) +
                              " times " + Twine(form->tileWidth) +
                              " columns for one block load, got " +
                              print(type));
  BlockMessage message;
  message.transpose = form->transpose;
  message.vnni = form->vnni;
  if (!transpose) {
    message.bits = bits;
    message.tileWidth = form->tileWidth;
    message.tileHeight = rows;
    message.blocks = columns / form->tileWidth;
    return message;
  }
  // Reads `columns` rows of memory, each `rows` elements in dwords, and
  // transposes the dwords: exactly the packed image of operand B.
  message.bits = 32;
  message.tileWidth = rows * bits / 32;
  message.tileHeight = columns;
  message.blocks = 1;
  return message;
}

FailureOr<BlockMessage> mlt::getStoreForm(const TargetDescription &target,
                                          RankedTensorType type,
                                          const BlockOrigin &origin,
                                          std::string *reason) {
  if (failed(checkBlock(type, origin, reason)))
    return failure();
  int64_t bits = tt::getElementBitWidth(type);
  const BlockForm *form = target.findStore(bits);
  if (!form || origin.order[0] == 0 || type.getEncoding())
    return refuse(reason,
                  "the target has no such 2-D block store of " + print(type));
  if (type.getDimSize(1) != form->tileWidth ||
      type.getDimSize(0) > form->maxHeight)
    return refuse(reason, "expected at most " + Twine(form->maxHeight) +
                              " rows and " + Twine(form->tileWidth) +
                              " columns for one block store, got " +
                              print(type));
  BlockMessage message;
  message.bits = bits;
  message.tileWidth = form->tileWidth;
  message.tileHeight = type.getDimSize(0);
  message.blocks = 1;
  return message;
}

FailureOr<BlockMessage> mlt::getPrefetchForm(const TargetDescription &target,
                                             RankedTensorType type,
                                             const BlockOrigin &origin,
                                             std::string *reason) {
  if (failed(checkBlock(type, origin, reason)))
    return failure();
  int64_t bits = tt::getElementBitWidth(type);
  const BlockForm *form = target.findPrefetch(bits);
  if (!form)
    return refuse(reason,
                  "the target has no 2-D block prefetch for " + print(type));
  // As the block lies in memory.
  int64_t width = type.getDimSize(origin.order[0]);
  int64_t height = type.getDimSize(origin.order[1]);
  int64_t tileWidth = std::min(width, form->tileWidth);
  if (width / tileWidth > form->maxBlocks || height > form->maxHeight)
    return refuse(reason, "expected at most " + Twine(form->maxHeight) +
                              " rows of " +
                              Twine(form->maxBlocks * form->tileWidth) +
                              " elements for one prefetch, got " + print(type));
  BlockMessage message;
  message.bits = bits;
  message.tileWidth = tileWidth;
  message.tileHeight = height;
  message.blocks = width / tileWidth;
  return message;
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

namespace {
struct DotElement {
  StringRef name;
  xevm::ElemType type;
};
} // namespace

/// The name of an operand's element type in target descriptions; f32 operands
/// are taken as tf32.
static std::optional<DotElement> getDotElement(Type type, bool isOperand) {
  if (type.isF16())
    return DotElement{"f16", xevm::ElemType::F16};
  if (type.isBF16())
    return DotElement{"bf16", xevm::ElemType::BF16};
  if (type.isInteger(8))
    return DotElement{"i8", xevm::ElemType::S8};
  if (type.isInteger(32) && !isOperand)
    return DotElement{"i32", xevm::ElemType::S32};
  if (!type.isF32())
    return std::nullopt;
  return isOperand ? DotElement{"tf32", xevm::ElemType::TF32}
                   : DotElement{"f32", xevm::ElemType::F32};
}

FailureOr<DotMessage> mlt::getDotForm(const TargetDescription &target,
                                      tt::DotOp op, std::string *reason) {
  auto a = cast<RankedTensorType>(op.getA().getType());
  auto b = cast<RankedTensorType>(op.getB().getType());
  auto c = cast<RankedTensorType>(op.getC().getType());
  if (a.getElementType().isF32() &&
      op.getInputPrecision() != tt::InputPrecision::TF32)
    return refuse(reason, "the dot instruction takes f32 operands as tf32 "
                          "only; expected inputPrecision = tf32");
  auto aElement = getDotElement(a.getElementType(), /*isOperand=*/true);
  auto bElement = getDotElement(b.getElementType(), /*isOperand=*/true);
  auto cElement = getDotElement(c.getElementType(), /*isOperand=*/false);
  const DotForm *form = nullptr;
  if (aElement && bElement && cElement)
    form = target.findDot(aElement->name, bElement->name, cElement->name);
  if (!form)
    return refuse(reason, "the target has no dot instruction for " + print(a) +
                              " * " + print(b) + " + " + print(c));
  int64_t rank = c.getRank();
  DotMessage message{c.getDimSize(rank - 2), c.getDimSize(rank - 1),
                     a.getDimSize(rank - 1), aElement->type,
                     bElement->type,         cElement->type};
  bool batched = rank > 2 && c.getNumElements() != message.m * message.n;
  if (batched || message.n != target.dotN || message.k != form->k ||
      !llvm::is_contained(target.dotM, message.m))
    return refuse(reason, "expected the size of one dot instruction, n = " +
                              Twine(target.dotN) +
                              " and k = " + Twine(form->k) + ", got " +
                              print(a) + " * " + print(b));
  // Operand B always has its own image unless that is the plain one; so does
  // operand A of 8 and 32 bits.
  auto hasImage = [](RankedTensorType type, unsigned opIdx, bool needed) {
    auto operand = dyn_cast_if_present<OperandAttr>(type.getEncoding());
    return operand ? operand.getOpIdx() == opIdx : !needed;
  };
  int64_t bits = tt::getElementBitWidth(a);
  if (!hasImage(a, 0, bits != 16) || !hasImage(b, 1, bits != 32) ||
      c.getEncoding())
    return refuse(reason, "expected operands in the register image of the dot "
                          "instruction ('#mlt.operand'), got " +
                              print(a) + " * " + print(b));
  return message;
}
