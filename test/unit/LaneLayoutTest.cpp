//===- LaneLayoutTest.cpp - test of the lane table ------------------------===//
//
// Exhaustive over small tiles: both directions of the table are inverse, the
// active lanes hold every element once, and the layouts that come from 2-D
// block messages are what the rule for their register images says: the message
// writes a byte image, and element k (T bytes) of lane l is bytes (16 k + l) T
// of it.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/LaneLayout.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
constexpr int64_t kLanes = 16;
int64_t checked = 0, wrong = 0;

void expect(bool condition, llvm::StringRef what, Type type) {
  ++checked;
  if (condition)
    return;
  ++wrong;
  llvm::outs() << what << ": " << type << "\n";
}

/// The image of blocks of `columns` columns: rows one after another, `rowPack`
/// rows of one column next to each other (VNNI). `unit`: bytes that a lane gets
/// at a time, `size`: bytes of an element.
struct Image {
  int64_t columns, rowPack, unit, size;

  int64_t getByte(int64_t rows, int64_t row, int64_t column) const {
    int64_t blockBytes =
        std::max<int64_t>(rows * columns * size, kLanes * unit);
    int64_t packedRow = row / rowPack;
    return (column / columns) * blockBytes +
           (packedRow * columns + column % columns) * rowPack * size +
           row % rowPack * size;
  }

  Place getPlace(int64_t rows, int64_t row, int64_t column) const {
    int64_t byte = getByte(rows, row, column);
    return {byte / unit % kLanes,
            byte / unit / kLanes * (unit / size) + byte % unit / size};
  }
};

void checkInverse(RankedTensorType type) {
  FailureOr<LaneLayout> layout = LaneLayout::get(type, kLanes);
  expect(succeeded(layout), "has a layout", type);
  if (failed(layout))
    return;
  bool inverse = true, inRange = true;
  for (int64_t element = 0; element < type.getNumElements(); ++element)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      Place place = layout->getPlace(element, lane);
      inverse &= layout->getElement(place) == element;
      inRange &= place.lane < kLanes && place.slot < layout->getNumSlots();
    }
  expect(inverse, "a place holds its element", type);
  expect(inRange, "places are in range", type);

  std::vector<int64_t> holders(type.getNumElements());
  for (int64_t lane = 0; lane < layout->getNumActiveLanes(); ++lane)
    for (int64_t slot = 0; slot < layout->getNumSlots(); ++slot)
      ++holders[layout->getElement({lane, slot})];
  expect(llvm::all_equal(holders) && holders.front() == 1,
         "active lanes hold every element once", type);
}

void checkImage(RankedTensorType type, Image image) {
  FailureOr<LaneLayout> layout = LaneLayout::get(type, kLanes);
  expect(succeeded(layout), "has a layout", type);
  if (failed(layout))
    return;
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  bool same = true;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      same &= layout->getPlace(row * columns + column, 0) ==
              image.getPlace(rows, row, column);
  expect(same, "is the image of a block message", type);
}

/// The flat image is the one that `lanes` lanes share, read register by
/// register.
void checkFlat(RankedTensorType type, const Image *image) {
  FailureOr<LaneLayout> layout = LaneLayout::getFlat(type, kLanes);
  expect(succeeded(layout), "has a flat layout", type);
  if (failed(layout))
    return;
  bool inverse = layout->getNumSlots() == type.getNumElements();
  bool same = true;
  for (int64_t element = 0; element < type.getNumElements(); ++element) {
    Place place = layout->getPlace(element, 0);
    inverse &= place.lane == 0 && place.slot < layout->getNumSlots() &&
               layout->getElement(place) == element;
    if (image)
      same &= place.slot == image->getByte(type.getDimSize(0),
                                           element / type.getDimSize(1),
                                           element % type.getDimSize(1)) /
                                image->size;
  }
  expect(inverse, "a slot of the flat layout holds its element", type);
  expect(same, "is the image of a block message", type);
}

void checkFlat(MLIRContext &context) {
  Type f32 = Float32Type::get(&context);
  checkFlat(RankedTensorType::get({}, f32), nullptr);
  for (int64_t a = 1; a <= 64; a *= 2) {
    checkFlat(RankedTensorType::get({a}, f32), nullptr);
    for (int64_t b = 1; b <= 64; b *= 2) {
      checkFlat(RankedTensorType::get({a, b}, f32), nullptr);
      checkFlat(RankedTensorType::get({2, a, b}, f32), nullptr);
    }
  }
  for (int64_t bits : {8, 16, 32})
    for (int64_t rows = 8; rows <= 32; rows *= 2) {
      Type element = IntegerType::get(&context, bits);
      int64_t size = bits / 8, wide = bits == 8 ? 32 : 8;
      Image a{bits == 16 ? 16 : wide, 1, size, size};
      checkFlat(RankedTensorType::get({rows, 64}, element,
                                      OperandAttr::get(&context, 0)),
                &a);
      Image b{16, 4 / size, 4, size};
      checkFlat(RankedTensorType::get({rows, 32}, element,
                                      OperandAttr::get(&context, 1)),
                &b);
    }
  expect(failed(LaneLayout::getFlat(
             RankedTensorType::get({8, 8}, Float16Type::get(&context),
                                   OperandAttr::get(&context, 1)),
             kLanes)),
         "refused", f32);
}

void checkPlain(MLIRContext &context) {
  Type f32 = Float32Type::get(&context);
  checkInverse(RankedTensorType::get({}, f32));
  for (int64_t a = 1; a <= 128; a *= 2) {
    checkInverse(RankedTensorType::get({a}, f32));
    for (int64_t b = 1; b <= 64; b *= 2) {
      checkInverse(RankedTensorType::get({a, b}, f32));
      if (a <= 4)
        for (int64_t c = 1; c <= 32; c *= 2)
          checkInverse(RankedTensorType::get({a, b, c}, f32));
    }
  }
  for (int64_t rows = 1; rows <= 32; rows *= 2)
    for (int64_t columns = 16; columns <= 64; columns *= 2)
      for (int64_t bits : {8, 16, 32})
        checkImage(RankedTensorType::get({rows, columns},
                                         IntegerType::get(&context, bits)),
                   {16, 1, bits / 8, bits / 8});
}

void checkOperands(MLIRContext &context) {
  auto get = [&](int64_t rows, int64_t columns, unsigned bits, unsigned opIdx) {
    return RankedTensorType::get({rows, columns},
                                 IntegerType::get(&context, bits),
                                 OperandAttr::get(&context, opIdx));
  };
  for (int64_t rows = 1; rows <= 32; rows *= 2)
    for (int64_t blocks = 1; blocks <= 2; blocks *= 2) {
      RankedTensorType bytes = get(rows, 32 * blocks, 8, 0);
      checkInverse(bytes);
      checkImage(bytes, {32, 1, 2, 1});
      checkImage(get(rows, 16 * blocks, 16, 0), {16, 1, 2, 2});
      RankedTensorType tf32 = get(rows, 8 * blocks, 32, 0);
      checkInverse(tf32);
      checkImage(tf32, {8, 1, 4, 4});
      for (unsigned bits : {8u, 16u, 32u}) {
        int64_t pack = 32 / bits;
        if (rows % pack != 0)
          continue;
        RankedTensorType b = get(rows, 16 * blocks, bits, 1);
        checkInverse(b);
        checkImage(b, {16, pack, 4, bits / 8});
      }
    }
  // What has no image is refused.
  expect(failed(LaneLayout::get(get(8, 8, 16, 1), kLanes)), "refused",
         get(8, 8, 16, 1));
  expect(failed(LaneLayout::get(get(8, 16, 8, 0), kLanes)), "refused",
         get(8, 16, 8, 0));
  expect(failed(LaneLayout::get(get(16, 16, 64, 0), kLanes)), "refused",
         get(16, 16, 64, 0));
}
} // namespace

int main() {
  MLIRContext context;
  context.loadDialect<MLTDialect>();
  checkPlain(context);
  checkOperands(context);
  checkFlat(context);
  llvm::outs() << checked << " properties checked, " << wrong << " wrong\n";
  return wrong != 0;
}
