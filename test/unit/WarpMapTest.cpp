//===- WarpMapTest.cpp - test of the meaning of encodings
//------------------===//
//
// Compares WarpMap with ownership worked out element by element from the
// dialect (getWarpDistribution, getWarpCoordinates): what a map says, that its
// name means the same, and that transposing and reshaping leave every element
// in the warps that it was in, at the same place among the elements of a warp.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
int64_t checked = 0, wrong = 0;

void expect(bool condition, llvm::StringRef what, Attribute encoding) {
  ++checked;
  if (condition)
    return;
  ++wrong;
  llvm::outs() << what << ": " << encoding << "\n";
}

/// For every warp, the row-major indices of its elements in row-major order of
/// its tile; nullopt when some element belongs to nobody.
using Ownership = std::vector<std::vector<int64_t>>;

std::optional<Ownership> getOwnership(ArrayRef<int64_t> shape,
                                      Attribute encoding) {
  auto type = RankedTensorType::get(
      shape, IntegerType::get(encoding.getContext(), 32), encoding);
  std::optional<ttg::WarpDistribution> distribution =
      ttg::getWarpDistribution(type);
  auto root = cast<ttg::BlockedEncodingAttr>(
      cast<ttg::WarpEncodingAttr>(encoding).getRoot());
  int64_t numWarps = 1;
  for (int64_t count : root.getWarpsPerCTA())
    numWarps *= count;
  std::vector<bool> owned(type.getNumElements());
  Ownership result;
  for (int64_t warp = 0; warp < numWarps; ++warp) {
    SmallVector<int64_t> coordinates = ttg::getWarpCoordinates(root, warp);
    std::vector<int64_t> elements{0};
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      int64_t size = distribution->sizePerWarp[dim], tile = 0;
      if (std::optional<unsigned> rootDim = distribution->rootDims[dim])
        tile = coordinates[*rootDim] % distribution->numTiles[dim];
      std::vector<int64_t> next;
      for (int64_t index : elements)
        for (int64_t i = 0; i < size; ++i)
          next.push_back(index * extent + tile * size + i);
      elements = std::move(next);
    }
    for (int64_t index : elements)
      owned[index] = true;
    result.push_back(std::move(elements));
  }
  if (llvm::is_contained(owned, false))
    return std::nullopt;
  return result;
}

/// The row-major index, in the transposed tensor, of an element of `shape`.
int64_t transposeIndex(int64_t index, ArrayRef<int64_t> shape,
                       ArrayRef<int32_t> order) {
  SmallVector<int64_t> position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    position[dim] = index % shape[dim];
    index /= shape[dim];
  }
  int64_t result = 0;
  for (int32_t dim : order)
    result = result * shape[dim] + position[dim];
  return result;
}

void checkTransposed(ArrayRef<int64_t> shape, Attribute encoding,
                     const Ownership &before, const WarpMap &map) {
  SmallVector<int32_t> order =
      llvm::to_vector(llvm::reverse(llvm::seq<int32_t>(0, shape.size())));
  Attribute name = map.permute(order).toEncoding(encoding.getContext());
  if (!name)
    return;
  SmallVector<int64_t> transposed(llvm::reverse(shape));
  std::optional<Ownership> after = getOwnership(transposed, name);
  expect(after.has_value(), "transposed layout has no owners", encoding);
  for (size_t warp = 0; after && warp < before.size(); ++warp) {
    std::vector<int64_t> moved;
    for (int64_t index : before[warp])
      moved.push_back(transposeIndex(index, shape, order));
    llvm::sort(moved);
    std::vector<int64_t> sorted((*after)[warp]);
    llvm::sort(sorted);
    expect(moved == sorted, "transposition moves elements", encoding);
  }
}

void checkReshaped(ArrayRef<int64_t> shape, ArrayRef<int64_t> target,
                   Attribute encoding, const Ownership &before,
                   const WarpMap &map) {
  std::optional<WarpMap> reshaped = map.reshape(target);
  if (!reshaped)
    return;
  Attribute name = reshaped->toEncoding(encoding.getContext());
  if (!name)
    return;
  std::optional<Ownership> after = getOwnership(target, name);
  expect(after && *after == before, "reshape moves elements", encoding);
}

void checkEncoding(ArrayRef<int64_t> shape, Attribute encoding) {
  std::optional<Ownership> before = getOwnership(shape, encoding);
  std::optional<WarpMap> map = WarpMap::get(shape, encoding);
  expect(before.has_value() == map.has_value(),
         "the map and the owners disagree on coverage", encoding);
  if (!before || !map)
    return;
  Attribute name = map->toEncoding(encoding.getContext());
  if (name) {
    expect(areEquivalent(shape, name, encoding), "the name is not equivalent",
           encoding);
    expect(getOwnership(shape, name) == before, "the name means another map",
           encoding);
  }
  checkTransposed(shape, encoding, *before, *map);
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  for (int64_t first = 1; first <= elements; first *= 2) {
    checkReshaped(shape, {first, elements / first}, encoding, *before, *map);
    checkReshaped(shape, {elements / first, 1, first}, encoding, *before, *map);
  }
}

/// The encoding itself, and what dots and reductions derive from it.
void checkFamily(ArrayRef<int64_t> shape, Attribute encoding, unsigned depth) {
  checkEncoding(shape, encoding);
  if (depth == 0)
    return;
  MLIRContext *context = encoding.getContext();
  if (shape.size() == 2)
    for (unsigned operand : {0u, 1u})
      checkFamily(shape,
                  ttg::DotOperandEncodingAttr::get(context, operand, encoding),
                  depth - 1);
  for (unsigned dim = 0; shape.size() > 1 && dim < shape.size(); ++dim) {
    SmallVector<int64_t> sliced(shape);
    sliced.erase(sliced.begin() + dim);
    checkFamily(sliced, ttg::SliceEncodingAttr::get(context, dim, encoding),
                depth - 1);
  }
}
} // namespace

int main() {
  MLIRContext context;
  context.loadDialect<ttg::TritonGPUDialect>();
  for (int64_t rows : {1, 8})
    for (int64_t columns : {4, 16})
      for (int64_t down : {1, 2, 8})
        for (int64_t across : {1, 4})
          for (int64_t height : {1, 4})
            for (int64_t width : {2, 16}) {
              auto encoding = ttg::BlockedEncodingAttr::get(
                  &context, {height, width}, {down, across}, {1, 0});
              checkFamily({rows, columns}, encoding, 2);
              auto deep = ttg::BlockedEncodingAttr::get(
                  &context, {height, 1, width}, {down, 2, across}, {2, 1, 0});
              checkFamily({rows, 2, columns}, deep, 2);
            }
  llvm::outs() << checked << " properties checked, " << wrong << " wrong\n";
  return wrong == 0 ? 0 : 1;
}
