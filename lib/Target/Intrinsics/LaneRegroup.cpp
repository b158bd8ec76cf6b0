//===- LaneRegroup.cpp - lanes of two registers in another order ----------===//
//
// An instruction of the device reads its operand through a region: so many
// elements in a row, and a stride to the next row, over two adjacent registers.
// OpenCL has no function for that; a shuffle between lanes that it does have
// costs up to four moves, and a select before it. So the move is written in
// the device's assembly, which SPIR-V carries as text. This file is the only
// one that knows the text.
//
//===----------------------------------------------------------------------===//
#include "Target/Intrinsics/LaneRegroup.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::mlt;

/// A vector register that is written, one that is read.
static constexpr StringLiteral kConstraints = "=rw,rw";

/// All lanes take part, whatever the control flow around is.
static std::string getText(LaneRegroup regroup) {
  return llvm::formatv("mov (M1_NM, {0}) $0(0,0)<1> $1(0,{1})<{2};{3},1>",
                       LaneRegroup::kNumLanes, regroup.getSource(0),
                       2 * regroup.width, regroup.width);
}

bool mlt::canRegroup(Type type) {
  return type.isF32() || type.isSignlessInteger(32);
}

Value mlt::createRegroup(OpBuilder &builder, Location loc, Value first,
                         Value second, LaneRegroup regroup) {
  Type type = first.getType();
  Value both = LLVM::PoisonOp::create(builder, loc, VectorType::get(2, type));
  Value values[] = {first, second};
  for (auto [index, value] : llvm::enumerate(values)) {
    Value position = LLVM::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(index)));
    both = LLVM::InsertElementOp::create(builder, loc, both, value, position);
  }
  return LLVM::InlineAsmOp::create(builder, loc, type, both, getText(regroup),
                                   kConstraints, /*has_side_effects=*/false,
                                   /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None,
                                   /*asm_dialect=*/LLVM::AsmDialectAttr(),
                                   /*operand_attrs=*/ArrayAttr())
      .getRes();
}

std::optional<LaneRegroup> mlt::decodeRegroup(LLVM::InlineAsmOp op) {
  if (op.getConstraints() != kConstraints || op.getNumOperands() != 1 ||
      op.getNumResults() != 1 || !canRegroup(op.getRes().getType()) ||
      op.getOperand(0).getType() != VectorType::get(2, op.getRes().getType()))
    return std::nullopt;
  for (int64_t width = 1; width < LaneRegroup::kNumLanes; width *= 2)
    for (bool odd : {false, true})
      if (LaneRegroup regroup{width, odd};
          op.getAsmString() == getText(regroup))
        return regroup;
  return std::nullopt;
}
