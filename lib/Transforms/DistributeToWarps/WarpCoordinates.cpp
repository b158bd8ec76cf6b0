//===- WarpCoordinates.cpp - which part of a tile a warp has --------------===//
#include "Transforms/DistributeToWarps/WarpCoordinates.h"
#include "Analysis/Layout/WarpMap.h"
#include "Dialect/MLT/IR/MLTDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mlt;
using namespace mlir::ttg;

RankedTensorType mlt::getEncodedTensor(Type type) {
  RankedTensorType tensor = getTensorType(type);
  if (tensor && isa_and_present<WarpEncodingAttr>(tensor.getEncoding()))
    return tensor;
  return {};
}

static Value createI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

WarpCoordinates::WarpCoordinates(tt::FuncOp func) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Location loc = func.getLoc();
  warpId = WarpIdOp::create(builder, loc);
  func.walk([&](Operation *op) {
    for (Type type :
         llvm::concat<const Type>(op->getResultTypes(), op->getOperandTypes()))
      if (RankedTensorType tensor = getEncodedTensor(type))
        add(builder, loc,
            getRootEncoding(cast<WarpEncodingAttr>(tensor.getEncoding())));
  });
}

void WarpCoordinates::add(OpBuilder &builder, Location loc,
                          BlockedEncodingAttr root) {
  if (coordinates.contains(root))
    return;
  ArrayRef<int64_t> warps = root.getWarpsPerCTA();
  SmallVector<Value> result(warps.size());
  Value rest = warpId;
  for (unsigned dim = warps.size(); dim-- > 0;) {
    // The slowest dimension needs no remainder: ids are below the product.
    if (dim == 0) {
      result[dim] = rest;
      break;
    }
    Value extent = createI32(builder, loc, warps[dim]);
    result[dim] = arith::RemUIOp::create(builder, loc, rest, extent);
    rest = arith::DivUIOp::create(builder, loc, rest, extent);
  }
  coordinates.insert({root, result});
}

Value WarpCoordinates::getOffset(OpBuilder &builder, Location loc,
                                 const WarpDistribution &distribution,
                                 unsigned dim) const {
  int64_t tiles = distribution.numTiles[dim];
  if (tiles == 1)
    return {};
  unsigned rootDim = *distribution.rootDims[dim];
  Value index = coordinates.find(distribution.root)->second[rootDim];
  if (tiles < distribution.root.getWarpsPerCTA()[rootDim])
    index = arith::RemUIOp::create(builder, loc, index,
                                   createI32(builder, loc, tiles));
  return arith::MulIOp::create(
      builder, loc, index,
      createI32(builder, loc, distribution.sizePerWarp[dim]));
}

SmallVector<Value>
WarpCoordinates::getOffsets(OpBuilder &builder, Location loc,
                            const WarpDistribution &distribution) const {
  SmallVector<Value> offsets;
  for (unsigned dim = 0; dim < distribution.numTiles.size(); ++dim) {
    Value offset = getOffset(builder, loc, distribution, dim);
    offsets.push_back(offset ? offset : createI32(builder, loc, 0));
  }
  return offsets;
}

Value WarpCoordinates::getOwnership(
    OpBuilder &builder, Location loc,
    const WarpDistribution &distribution) const {
  ArrayRef<Value> mine = coordinates.find(distribution.root)->second;
  Value owner;
  for (auto [rootDim, tiles] : distribution.getReplication()) {
    // The coordinate is below `tiles` in the first copy of the tiles.
    Value first =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              mine[rootDim], createI32(builder, loc, tiles));
    owner = owner ? arith::AndIOp::create(builder, loc, owner, first) : first;
  }
  return owner;
}
