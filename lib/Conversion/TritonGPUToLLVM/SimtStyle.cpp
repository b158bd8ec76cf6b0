//===- SimtStyle.cpp - a lane's share of a tile is a vector ---------------===//
//
// Leaves of the lowering for sub-groups of 16 work-items. Blocks and dots
// become `xevm` operations, which later passes turn into OpenCL built-ins or
// GenISA intrinsics; ids, moves between lanes and barriers are OpenCL
// built-ins, which both the GPU compiler and the CPU runtime know.
//
//===----------------------------------------------------------------------===//
#include "Conversion/TritonGPUToLLVM/Builtins.h"
#include "Conversion/TritonGPUToLLVM/CodeGenStyle.h"
#include "Conversion/TritonGPUToLLVM/VectorUtils.h"
#include "Target/Intrinsics/LaneRegroup.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::mlt;

namespace {
constexpr int64_t kNumLanes = 16;

// Arguments of SPIR-V's control barrier: execution and memory scope
// "workgroup", semantics "acquire-release of workgroup memory", and of global
// memory as well.
constexpr int64_t kWorkgroupScope = 2;
constexpr int64_t kAcqRelWorkgroupMemory = 0x108;
constexpr int64_t kCrossWorkgroupMemory = 0x200;

class SimtStyle : public CodeGenStyle {
public:
  explicit SimtStyle(Interface interface) : CodeGenStyle(interface) {}

  StringRef getName() const override { return "simt"; }
  int64_t getNumLanes() const override { return kNumLanes; }

  FailureOr<LaneLayout> getLayout(RankedTensorType type,
                                  std::string *reason) const override {
    return LaneLayout::get(type, kNumLanes, reason);
  }

  LaneLayout getPlainLayout(ArrayRef<int64_t> shape) const override {
    return LaneLayout::getPlain(shape, kNumLanes);
  }

  SmallVector<int32_t> getLocalSize(int64_t numWarps) const override {
    return {static_cast<int32_t>(numWarps * kNumLanes), 1, 1};
  }

  void setKernelAttributes(Operation *kernel, int64_t) const override {
    cast<LLVM::LLVMFuncOp>(kernel).setIntelReqdSubGroupSize(kNumLanes);
  }

  Value getLaneId(OpBuilder &builder, Location loc) const override {
    return callBuiltin(builder, loc, "_Z22get_sub_group_local_idv",
                       builder.getI32Type(), {}, BuiltinEffect::Pure);
  }

  Value getWarpId(OpBuilder &builder, Location loc) const override {
    // Compilers derive the sub-group id from per-lane local ids; the broadcast
    // tells them that it is the same in all lanes.
    Value id = callBuiltin(builder, loc, "_Z16get_sub_group_idv",
                           builder.getI32Type(), {}, BuiltinEffect::Pure);
    return emitBroadcast(builder, loc, id, 0);
  }

  Value getProgramId(OpBuilder &builder, Location loc,
                     int axis) const override {
    return getGridValue(builder, loc, "_Z12get_group_idj", axis);
  }

  Value getNumPrograms(OpBuilder &builder, Location loc,
                       int axis) const override {
    return getGridValue(builder, loc, "_Z14get_num_groupsj", axis);
  }

  Value broadcast(OpBuilder &builder, Location loc, Value value,
                  int64_t lane) const override {
    ++numShuffles;
    return onShufflable(builder, loc, value, [&](Value v) {
      return emitBroadcast(builder, loc, v, lane);
    });
  }

  Value shuffleXor(OpBuilder &builder, Location loc, Value value,
                   int64_t mask) const override {
    Value lanes = createConstant(builder, loc, builder.getI32Type(), mask);
    return emitShuffle(builder, loc, "_Z21sub_group_shuffle_xor", value, lanes);
  }

  Value shuffle(OpBuilder &builder, Location loc, Value value,
                Value lane) const override {
    return emitShuffle(builder, loc, "_Z17sub_group_shuffle", value, lane);
  }

  // Older compilers of the device, which the other interfaces are for, were not
  // tried with assembly.
  bool canRegroup(Type type) const override {
    return interface == Interface::Builtin && mlt::canRegroup(type);
  }

  std::optional<std::pair<Value, Value>> regroup(OpBuilder &builder,
                                                 Location loc, Value first,
                                                 Value second,
                                                 int64_t width) const override {
    if (!canRegroup(first.getType()))
      return std::nullopt;
    numShuffles += 2;
    auto create = [&](bool odd) {
      return createRegroup(builder, loc, first, second, {width, odd});
    };
    Value even = create(false);
    return std::pair(even, create(true));
  }

  Value loadBlock(OpBuilder &builder, Location loc, const BlockMessage &message,
                  VectorType type) const override {
    return xevm::BlockLoad2dOp::create(
        builder, loc, type, message.base, message.width, message.height,
        message.pitch, message.x, message.y, message.bits, message.tileWidth,
        message.tileHeight, message.blocks, message.transpose, message.vnni,
        xevm::LoadCacheControlAttr{});
  }

  void storeBlock(OpBuilder &builder, Location loc, const BlockMessage &message,
                  Value data) const override {
    xevm::BlockStore2dOp::create(
        builder, loc, message.base, message.width, message.height,
        message.pitch, message.x, message.y, message.bits, message.tileWidth,
        message.tileHeight, data, xevm::StoreCacheControlAttr{});
  }

  void prefetchBlock(OpBuilder &builder, Location loc,
                     const BlockMessage &message) const override {
    auto cached = xevm::LoadCacheControlAttr::get(
        builder.getContext(), xevm::LoadCacheControl::L1C_L2UC_L3C);
    xevm::BlockPrefetch2dOp::create(builder, loc, message.base, message.width,
                                    message.height, message.pitch, message.x,
                                    message.y, message.bits, message.tileWidth,
                                    message.tileHeight, message.blocks, cached);
  }

  Value dot(OpBuilder &builder, Location loc, const DotMessage &message,
            Value a, Value b, Value c) const override {
    MLIRContext *context = builder.getContext();
    auto shape =
        xevm::MMAShapeAttr::get(context, message.m, message.n, message.k);
    auto types =
        xevm::MMATypesAttr::get(context, message.accumulator, message.a,
                                message.b, message.accumulator);
    return xevm::MMAOp::create(builder, loc, c.getType(), a, b, c, shape,
                               types);
  }

  /// The lanes have an element each.
  bool hasRow(int64_t count, int64_t) const override {
    return count >= kNumLanes;
  }

  Value loadRow(OpBuilder &builder, Location loc, Value pointer,
                Type share) const override {
    Type element = getUnitType(share);
    int64_t length = getMessageLength(share);
    SmallVector<Value> pieces;
    for (int64_t i = 0; i < getVectorLength(share); i += length)
      pieces.push_back(xevm::BlockLoadOp::create(
          builder, loc, getVectorType(element, length),
          getShare(builder, loc, pointer, element, i),
          xevm::LoadCacheControlAttr{}));
    return concatVectors(builder, loc, pieces);
  }

  void storeRow(OpBuilder &builder, Location loc, Value pointer,
                Value data) const override {
    Type element = getUnitType(data.getType());
    int64_t length = getMessageLength(data.getType());
    for (auto [index, piece] :
         llvm::enumerate(splitVector(builder, loc, data, length)))
      xevm::BlockStoreOp::create(
          builder, loc,
          getShare(builder, loc, pointer, element, index * length), piece,
          xevm::StoreCacheControlAttr{});
  }

  Value roundToTF32(OpBuilder &builder, Location loc,
                    Value value) const override {
    // The built-in takes vectors. That matters: rounded one by one, elements
    // are copied once more to become operands of a dot.
    if (interface == Interface::Builtin)
      return callFunction(builder, loc, "__spirv_RoundFToTF32INTEL",
                          getUnitType(value.getType()), value);
    SmallVector<Value> results;
    for (Value element : getElements(builder, loc, value))
      results.push_back(roundElementToTF32(builder, loc, element));
    return buildVector(builder, loc, results);
  }

  Value truncateToBF16(OpBuilder &builder, Location loc,
                       Value value) const override {
    SmallVector<Value> results;
    for (Value piece : splitVector(builder, loc, value, kMaxCallVector)) {
      Type result =
          getVectorType(builder.getI16Type(), getVectorLength(piece.getType()));
      results.push_back(callBuiltin(builder, loc,
                                    "_Z27__spirv_ConvertFToBF16INTEL" +
                                        mangleType(piece.getType()),
                                    result, piece, BuiltinEffect::Pure));
    }
    return concatVectors(builder, loc, results);
  }

  Value truncateToF16(OpBuilder &builder, Location loc,
                      Value value) const override {
    std::string type = mangleType(getUnitType(value.getType()));
    return callBuiltinByElement(builder, loc, "convert_half_rtz", type,
                                builder.getF16Type(), value);
  }

  void barrier(OpBuilder &builder, Location loc, bool global) const override {
    emitBarrier(builder, loc, "_Z22__spirv_ControlBarrieriii", global);
  }
  void barrierArrive(OpBuilder &builder, Location loc) const override {
    emitBarrier(builder, loc, "_Z33__spirv_ControlBarrierArriveINTELiii");
  }
  void barrierWait(OpBuilder &builder, Location loc) const override {
    emitBarrier(builder, loc, "_Z31__spirv_ControlBarrierWaitINTELiii");
  }

private:
  /// Elements per lane of a 1-D block message for `share`: older compilers do
  /// not know 16 words.
  static int64_t getMessageLength(Type share) {
    int64_t most = getUnitType(share).isInteger(8) ? 16 : 8;
    return std::min(getVectorLength(share), most);
  }

  /// Where element `index` of the lanes begins.
  static Value getShare(OpBuilder &builder, Location loc, Value pointer,
                        Type element, int64_t index) {
    if (index == 0)
      return pointer;
    return LLVM::GEPOp::create(
        builder, loc, pointer.getType(), element, pointer,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index * kNumLanes)});
  }

  Value getGridValue(OpBuilder &builder, Location loc, StringRef name,
                     int axis) const {
    Value dim = createConstant(builder, loc, builder.getI32Type(), axis);
    Value id = callBuiltin(builder, loc, name, builder.getI64Type(), dim,
                           BuiltinEffect::Pure);
    return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), id);
  }

  static Value emitBroadcast(OpBuilder &builder, Location loc, Value value,
                             int64_t lane) {
    Value index = createConstant(builder, loc, builder.getI32Type(), lane);
    std::string name =
        "_Z19sub_group_broadcast" + mangleType(value.getType()) + "j";
    return callBuiltin(builder, loc, name, value.getType(), {value, index},
                       BuiltinEffect::CrossLane);
  }

  Value emitShuffle(OpBuilder &builder, Location loc, StringRef prefix,
                    Value value, Value lanes) const {
    ++numShuffles;
    return onShufflable(builder, loc, value, [&](Value v) {
      std::string name = prefix.str() + mangleType(v.getType()) + "j";
      return callBuiltin(builder, loc, name, v.getType(), {v, lanes},
                         BuiltinEffect::CrossLane);
    });
  }

  /// Booleans travel between lanes as i32.
  static Value onShufflable(OpBuilder &builder, Location loc, Value value,
                            function_ref<Value(Value)> move) {
    if (!value.getType().isInteger(1))
      return move(value);
    Value wide =
        LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), value);
    return LLVM::TruncOp::create(builder, loc, builder.getI1Type(), move(wide));
  }

  Value roundElementToTF32(OpBuilder &builder, Location loc,
                           Value value) const {
    Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
    if (interface == Interface::GenISA) {
      Value bits = callBuiltin(builder, loc, "llvm.genx.GenISA.ftotf32.i32.f32",
                               i32, value, BuiltinEffect::Pure);
      return LLVM::BitcastOp::create(builder, loc, f32, bits);
    }
    return roundBitsToTF32(builder, loc, value);
  }

  /// Ties to even on the 13 low bits of the mantissa; NaN stays NaN.
  static Value roundBitsToTF32(OpBuilder &builder, Location loc, Value value) {
    Type i32 = builder.getI32Type();
    auto constant = [&](int64_t v) {
      return createConstant(builder, loc, i32, v);
    };
    Value bits = LLVM::BitcastOp::create(builder, loc, i32, value);
    Value shifted = LLVM::LShrOp::create(builder, loc, bits, constant(13));
    Value odd = LLVM::AndOp::create(builder, loc, shifted, constant(1));
    Value half = LLVM::AddOp::create(builder, loc, odd, constant(0xfff));
    Value sum = LLVM::AddOp::create(builder, loc, bits, half);
    Value cut = LLVM::AndOp::create(builder, loc, sum, constant(-0x2000));
    Value rounded =
        LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), cut);
    Value isNaN = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno,
                                       value, value);
    Value quiet = LLVM::OrOp::create(builder, loc, bits, constant(0x400000));
    Value nan =
        LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), quiet);
    return LLVM::SelectOp::create(builder, loc, isNaN, nan, rounded);
  }

  void emitBarrier(OpBuilder &builder, Location loc, StringRef name,
                   bool global = false) const {
    Type i32 = builder.getI32Type();
    Value scope = createConstant(builder, loc, i32, kWorkgroupScope);
    Value semantics = createConstant(builder, loc, i32,
                                     kAcqRelWorkgroupMemory |
                                         (global ? kCrossWorkgroupMemory : 0));
    callBuiltin(builder, loc, name, Type(), {scope, scope, semantics},
                BuiltinEffect::Barrier);
  }
};
} // namespace

std::unique_ptr<CodeGenStyle> mlt::createSimtStyle(Interface interface) {
  return std::make_unique<SimtStyle>(interface);
}
