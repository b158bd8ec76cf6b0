//===- VectorUtils.cpp - building and taking apart LLVM vectors -----------===//
//
// Small helpers over llvm.extractelement, insertelement and shufflevector, so
// that the lowerings read as what they do to tiles.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::mlt;

Type mlt::getVectorType(Type element, int64_t count) {
  return count == 1 ? element : VectorType::get({count}, element);
}

int64_t mlt::getVectorLength(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

Type mlt::getUnitType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

Value mlt::createConstant(OpBuilder &builder, Location loc, Type type,
                          int64_t value) {
  TypedAttr attr;
  Type scalar = getUnitType(type);
  if (isa<FloatType>(scalar))
    attr = builder.getFloatAttr(scalar, static_cast<double>(value));
  else
    attr = builder.getIntegerAttr(scalar, value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return LLVM::ConstantOp::create(builder, loc, type, attr);
}

/// The scalar that element `index` of `vector` was made from, if it was; null
/// otherwise. Taking it directly keeps vectors that are only built to be taken
/// apart again out of the code.
static Value findScalar(Value vector, int64_t index) {
  while (Operation *op = vector.getDefiningOp()) {
    if (auto insert = dyn_cast<LLVM::InsertElementOp>(op)) {
      APInt position;
      if (!matchPattern(insert.getPosition(), m_ConstantInt(&position)))
        return Value();
      if (position.getSExtValue() == index)
        return insert.getValue();
      vector = insert.getVector();
      continue;
    }
    auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op);
    if (!shuffle)
      return Value();
    index = shuffle.getMask()[index];
    int64_t length = getVectorLength(shuffle.getV1().getType());
    if (index < 0)
      return Value();
    vector = index < length ? shuffle.getV1() : shuffle.getV2();
    index %= length;
  }
  return Value();
}

Value mlt::getElement(OpBuilder &builder, Location loc, Value vector,
                      int64_t index) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  if (Value scalar = findScalar(vector, index))
    return scalar;
  Value position = createConstant(builder, loc, builder.getI32Type(), index);
  return LLVM::ExtractElementOp::create(builder, loc, vector, position);
}

SmallVector<Value> mlt::getElements(OpBuilder &builder, Location loc,
                                    Value vector) {
  SmallVector<Value> result;
  for (int64_t i = 0, e = getVectorLength(vector.getType()); i < e; ++i)
    result.push_back(getElement(builder, loc, vector, i));
  return result;
}

Value mlt::buildVector(OpBuilder &builder, Location loc,
                       ArrayRef<Value> scalars) {
  if (scalars.size() == 1)
    return scalars.front();
  Type type = getVectorType(scalars.front().getType(), scalars.size());
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [index, scalar] : llvm::enumerate(scalars)) {
    Value position = createConstant(builder, loc, builder.getI32Type(), index);
    result =
        LLVM::InsertElementOp::create(builder, loc, result, scalar, position);
  }
  return result;
}

Value mlt::splatVector(OpBuilder &builder, Location loc, Value scalar,
                       int64_t count) {
  if (count == 1)
    return scalar;
  Type type = getVectorType(scalar.getType(), count);
  Value poison = LLVM::PoisonOp::create(builder, loc, type);
  Value zero = createConstant(builder, loc, builder.getI32Type(), 0);
  Value first =
      LLVM::InsertElementOp::create(builder, loc, poison, scalar, zero);
  return LLVM::ShuffleVectorOp::create(builder, loc, first, poison,
                                       SmallVector<int32_t>(count, 0));
}

Value mlt::selectElements(OpBuilder &builder, Location loc, Value vector,
                          ArrayRef<int64_t> indices) {
  int64_t length = getVectorLength(vector.getType());
  bool identity = static_cast<int64_t>(indices.size()) == length;
  for (auto [position, index] : llvm::enumerate(indices))
    identity &= static_cast<int64_t>(position) == index;
  if (identity)
    return vector;
  if (indices.size() == 1)
    return getElement(builder, loc, vector, indices.front());
  if (length == 1)
    return splatVector(builder, loc, vector, indices.size());
  auto scalars = llvm::map_to_vector(
      indices, [&](int64_t index) { return findScalar(vector, index); });
  if (llvm::all_of(scalars, [](Value scalar) { return scalar; }))
    return llvm::all_equal(scalars)
               ? splatVector(builder, loc, scalars.front(), scalars.size())
               : buildVector(builder, loc, scalars);
  Value poison = LLVM::PoisonOp::create(builder, loc, vector.getType());
  return LLVM::ShuffleVectorOp::create(
      builder, loc, vector, poison,
      SmallVector<int32_t>(indices.begin(), indices.end()));
}

SmallVector<Value> mlt::splitVector(OpBuilder &builder, Location loc,
                                    Value vector, int64_t length) {
  int64_t total = getVectorLength(vector.getType());
  if (total <= length)
    return {vector};
  SmallVector<Value> pieces;
  for (int64_t begin = 0; begin < total; begin += length)
    pieces.push_back(selectElements(
        builder, loc, vector,
        llvm::to_vector(llvm::seq(begin, std::min(begin + length, total)))));
  return pieces;
}

Value mlt::concatVectors(OpBuilder &builder, Location loc,
                         ArrayRef<Value> pieces) {
  if (pieces.size() == 1)
    return pieces.front();
  if (!isa<VectorType>(pieces.front().getType()))
    return buildVector(builder, loc, pieces);
  // Pairwise, since llvm.shufflevector takes two vectors of one type.
  SmallVector<Value> level(pieces);
  while (level.size() > 1) {
    if (level.size() % 2 != 0) {
      SmallVector<Value> scalars;
      for (Value piece : level)
        llvm::append_range(scalars, getElements(builder, loc, piece));
      return buildVector(builder, loc, scalars);
    }
    SmallVector<Value> next;
    int32_t length = getVectorLength(level.front().getType());
    auto mask = llvm::to_vector(llvm::seq<int32_t>(0, 2 * length));
    for (size_t i = 0; i < level.size(); i += 2)
      next.push_back(LLVM::ShuffleVectorOp::create(builder, loc, level[i],
                                                   level[i + 1], mask));
    level = std::move(next);
  }
  return level.front();
}

Value mlt::bitcastTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return LLVM::BitcastOp::create(builder, loc, type, value);
}
