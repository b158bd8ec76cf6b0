//===- Emitter.h - writing LLVM dialect code briefly ----------------------===//
//
// Arithmetic for the code of helpers, and the emitters of their bodies. All
// methods create ops at the builder's insertion point.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_EMITTER_H
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_EMITTER_H

#include "Target/Intrinsics/DeviceCalls.h"
#include "Target/Intrinsics/Intrinsics.h"
#include "Transforms/EmulateIntrinsics/LaneView.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::mlt {

/// The barrier of SPIR-V: scopes of execution and memory, memory semantics.
inline constexpr llvm::StringLiteral kControlBarrierName =
    "_Z22__spirv_ControlBarrieriii";

/// The vectors `parts` one after another, joined in a tree.
Value concatenateVectors(OpBuilder &builder, Location loc,
                         ArrayRef<Value> parts);

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, const LaneView &lanes)
      : builder(builder), loc(loc), lanes(lanes) {}

  Type intType(unsigned bits) { return builder.getIntegerType(bits); }
  /// `type` with the shape of `like`'s type.
  Type withShape(Value like, Type type);
  /// Integer constant of `type`, splat for a vector.
  Value constant(Type type, int64_t value);
  Value constantLike(Value like, int64_t value) {
    return constant(like.getType(), value);
  }

  Value add(Value a, Value b) { return create<LLVM::AddOp>(a, b); }
  Value sub(Value a, Value b) { return create<LLVM::SubOp>(a, b); }
  Value mul(Value a, Value b) { return create<LLVM::MulOp>(a, b); }
  Value bitOr(Value a, Value b) { return create<LLVM::OrOp>(a, b); }
  Value bitAnd(Value a, Value b) { return create<LLVM::AndOp>(a, b); }
  Value add(Value a, int64_t b) { return b ? add(a, constantLike(a, b)) : a; }
  Value mul(Value a, int64_t b) {
    return b != 1 ? mul(a, constantLike(a, b)) : a;
  }
  Value bitOr(Value a, int64_t b) { return bitOr(a, constantLike(a, b)); }
  Value bitAnd(Value a, int64_t b) { return bitAnd(a, constantLike(a, b)); }
  Value shl(Value a, unsigned n) {
    return n ? create<LLVM::ShlOp>(a, constantLike(a, n)) : a;
  }
  Value lshr(Value a, unsigned n) {
    return n ? create<LLVM::LShrOp>(a, constantLike(a, n)) : a;
  }
  Value ashr(Value a, unsigned n) {
    return n ? create<LLVM::AShrOp>(a, constantLike(a, n)) : a;
  }
  Value icmp(LLVM::ICmpPredicate predicate, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  }
  Value icmp(LLVM::ICmpPredicate predicate, Value a, int64_t b) {
    return icmp(predicate, a, constantLike(a, b));
  }
  Value select(Value condition, Value a, Value b) {
    return LLVM::SelectOp::create(builder, loc, condition, a, b);
  }
  /// Zero-extends or truncates an integer to `bits`.
  Value resize(Value a, unsigned bits);
  Value signExtend(Value a, unsigned bits);
  Value bitcast(Value a, Type type);
  Value extract(Value vector, unsigned index);
  /// Elements `mask` of `vector`.
  Value shuffle(Value vector, ArrayRef<int32_t> mask) {
    return LLVM::ShuffleVectorOp::create(builder, loc, vector, vector, mask);
  }
  /// Elements `begin` .. `begin + size - 1` of `vector`.
  Value slice(Value vector, int64_t begin, int64_t size) {
    return shuffle(vector,
                   llvm::to_vector(llvm::seq<int32_t>(begin, begin + size)));
  }
  /// The vectors `parts` one after another.
  Value concatenate(ArrayRef<Value> parts) {
    return concatenateVectors(builder, loc, parts);
  }
  /// A vector of `values`, or the only value itself when `type` is a scalar.
  Value pack(Type type, ArrayRef<Value> values);

  /// Value of the first lane, on all lanes.
  Value uniform(Value value) { return lanes.broadcast(builder, loc, value, 0); }
  Value broadcast(Value value, unsigned lane) {
    return lanes.broadcast(builder, loc, value, lane);
  }

  /// Quotient and remainder of `index` by 2^`log2` as run-time values; the same
  /// values for the same question.
  std::pair<Value, Value> divideOnce(const LaneIndex &index, unsigned log2);

  // Number formats, element by element; f32 in and out where not said.
  /// Bits of f32 rounded to tf32 (nearest even), as f32.
  Value roundToTF32(Value value);
  /// bf16 bits (i16) of f32, nearest even.
  Value floatToBF16(Value value);
  Value bf16ToFloat(Value bits);

  OpBuilder &builder;
  Location loc;
  const LaneView &lanes;

private:
  template <typename OpTy> Value create(Value a, Value b) {
    return OpTy::create(builder, loc, a, b);
  }

  using Division = std::tuple<int64_t, int64_t, void *, unsigned>;
  llvm::DenseMap<Division, std::pair<Value, Value>> divisions;
};

/// Alignment, in bytes, of the base that a 2-D block message can address.
inline constexpr int64_t kBlock2DBaseAlignment = 64;

/// What a 2-D block message works on, in the units of OpenCL: bytes, rows and
/// elements, nothing minus one. The same on all lanes.
struct Surface {
  /// i64.
  Value base;
  /// In bytes, rows, bytes; i32, the pitch perhaps i64.
  Value width, height, pitch;
  /// i32 in elements and rows, signed.
  Value x, y;
  /// Whether the low bits of the base count, as they do in no message.
  bool anyBase = false;
};

/// Reads a block; the result has type `message.dataType`.
Value emitBlockRead2D(Emitter &emitter, const Block2DMessage &message,
                      const Surface &surface);
/// Writes `data` of type `message.dataType`.
void emitBlockWrite2D(Emitter &emitter, const Block2DMessage &message,
                      const Surface &surface, Value data);

/// The same where one work-item holds the whole register image.
Value emitFlatBlockRead2D(Emitter &emitter, const Block2DMessage &message,
                          const Surface &surface);
void emitFlatBlockWrite2D(Emitter &emitter, const Block2DMessage &message,
                          const Surface &surface, Value data);

/// 1-D blocks; `pointer` is the same on all lanes.
Value emitBlockRead1D(Emitter &emitter, const Block1DMessage &message,
                      Value pointer, Type type);
void emitBlockWrite1D(Emitter &emitter, const Block1DMessage &message,
                      Value pointer, Value data);

/// acc + A B; the result has the type of `acc`.
Value emitDpas(Emitter &emitter, const DpasMessage &message, Value acc, Value a,
               Value b);

} // namespace mlir::mlt

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_EMITTER_H
