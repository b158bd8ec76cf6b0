//===- Dpas.cpp - The systolic instruction --------------------------------===//
//
// C[r][n] += sum over k of A[r][k] * B[k][n], eight dwords deep, 16 columns.
// The order in which the hardware adds is not public: here k ascends, and the
// sum is rounded to float after every product.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine.h"

#include <cstdlib>

using namespace mltc::sim;

namespace {

constexpr int depth = 8, columns = 16;

/// Elements of a packed dword.
template <typename S> constexpr int fold = 4 / int(sizeof(S));

/// B as numbers, row k of 16 columns; a register holds `fold` rows.
template <typename C, typename S>
void unpackRight(const uint8_t *from, C (*out)[columns]) {
  for (int d = 0; d < depth; ++d) {
    S packed[fold<S> * columns];
    std::memcpy(packed, from + d * grfBytes, grfBytes);
#ifdef __F16C__
    if constexpr (std::is_same_v<S, Half>) {
      const __m256i even = _mm256_set1_epi32(0xFFFF);
      for (int half = 0; half < 2; ++half) {
        __m256i word;
        std::memcpy(&word, packed + 16 * half, 32);
        __m256i low = _mm256_and_si256(word, even),
                high = _mm256_srli_epi32(word, 16);
        // Packs within 128-bit halves; the permutation restores the order.
        __m256i both = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high),
                                                _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_store_ps(out[2 * d] + 8 * half,
                        _mm256_cvtph_ps(_mm256_castsi256_si128(both)));
        _mm256_store_ps(out[2 * d + 1] + 8 * half,
                        _mm256_cvtph_ps(_mm256_extracti128_si256(both, 1)));
      }
      continue;
    }
#endif
    for (int j = 0; j < fold<S>; ++j)
      for (int n = 0; n < columns; ++n)
        out[d * fold<S> + j][n] = decodeElement<C>(packed[fold<S> * n + j]);
  }
}

template <typename C, typename S> void unpackLeft(const uint8_t *from, C *out) {
  constexpr int inner = depth * fold<S>;
#ifdef __F16C__
  if constexpr (std::is_same_v<S, Half>) {
    for (int k = 0; k < inner; k += 8) {
      __m128i half;
      std::memcpy(&half, from + 2 * k, 16);
      _mm256_storeu_ps(out + k, _mm256_cvtph_ps(half));
    }
    return;
  }
#endif
  for (int k = 0; k < inner; ++k)
    out[k] = decodeElement<C>(loadBytes<S>(from + k * sizeof(S)));
}

/// `Rows` rows of the product, added to those at `from`; null stands for zeros.
template <typename C, int Inner, int Rows>
void multiply(const C (*left)[Inner], const C (*right)[columns],
              const uint8_t *from, uint8_t *to) {
  C sum[Rows][columns];
#ifdef __FMA__
  if constexpr (std::is_same_v<C, float>) {
    const float *first = reinterpret_cast<const float *>(from);
    float *last = reinterpret_cast<float *>(to);
    __m256 low[Rows], high[Rows];
    for (int r = 0; r < Rows; ++r) {
      low[r] =
          from ? _mm256_loadu_ps(first + columns * r) : _mm256_setzero_ps();
      high[r] =
          from ? _mm256_loadu_ps(first + columns * r + 8) : _mm256_setzero_ps();
    }
    for (int k = 0; k < Inner; ++k) {
      __m256 b0 = _mm256_load_ps(right[k]), b1 = _mm256_load_ps(right[k] + 8);
      for (int r = 0; r < Rows; ++r) {
        __m256 a = _mm256_broadcast_ss(&left[r][k]);
        low[r] = _mm256_fmadd_ps(a, b0, low[r]);
        high[r] = _mm256_fmadd_ps(a, b1, high[r]);
      }
    }
    for (int r = 0; r < Rows; ++r) {
      _mm256_storeu_ps(last + columns * r, low[r]);
      _mm256_storeu_ps(last + columns * r + 8, high[r]);
    }
    return;
  }
#endif
  if (from)
    std::memcpy(sum, from, sizeof sum);
  else
    std::memset(sum, 0, sizeof sum);
  for (int r = 0; r < Rows; ++r)
    for (int k = 0; k < Inner; ++k)
      for (int n = 0; n < columns; ++n) {
        if constexpr (std::is_floating_point_v<C>)
          sum[r][n] = std::fma(left[r][k], right[k][n], sum[r][n]);
        else
          sum[r][n] = C(uint32_t(sum[r][n]) +
                        uint32_t(left[r][k]) * uint32_t(right[k][n]));
      }
  std::memcpy(to, sum, sizeof sum);
}

template <typename C, int Inner>
void multiplyAll(int rows, const C (*left)[Inner], const C (*right)[columns],
                 const uint8_t *from, uint8_t *to) {
  constexpr int line = columns * int(sizeof(C));
  auto step = [&](int done) {
    rows -= done, left += done, to += done * line;
    from = from ? from + done * line : nullptr;
  };
  for (; rows >= 4; step(4))
    multiply<C, Inner, 4>(left, right, from, to);
  for (; rows; step(1))
    multiply<C, Inner, 1>(left, right, from, to);
}

template <typename C, typename Acc> void loadSum(const uint8_t *from, C *sum) {
  for (int n = 0; n < columns; ++n)
    sum[n] = decodeElement<C>(loadBytes<Acc>(from + n * sizeof(Acc)));
}

int bytesOfSum(const Instruction &inst) {
  return inst.repeat * columns * info(inst.dst.type).size;
}

/// Whether rows that are written early would be read late.
bool overlaps(const Instruction &inst) {
  int64_t gap = inst.to - inst.from[0];
  return inst.from[0] >= 0 && gap && std::abs(gap) < bytesOfSum(inst);
}

/// B as numbers. Neighbouring instructions mostly share it, so it is kept from
/// one to the next: between the two nothing else can happen to a thread.
template <typename C, typename B> struct Right {
  alignas(64) C values[depth * fold<B>][columns] = {};
  const Thread *owner = nullptr;
  const Instruction *last = nullptr;

  void load(const Thread &thread, const Instruction &inst) {
    if (owner != &thread || last + 1 != &inst || !keeps(*last, inst))
      unpackRight<C, B>(thread.image + inst.from[1], values);
    owner = &thread;
    last = &inst;
  }

  /// Whether the second finds the B of the first.
  static bool keeps(const Instruction &first, const Instruction &second) {
    int from = int(second.from[1]), to = first.to;
    return first.from[1] == from &&
           (to + bytesOfSum(first) <= from || from + depth * grfBytes <= to);
  }
};

/// A and B: their storage; D, S: destination and third source.
template <typename C, typename A, typename B, typename D, typename S>
void execute(Context &, Thread &thread, const Instruction &inst) {
  constexpr int inner = depth * fold<A>;
  // Sums in registers of the type they are made in need no copy.
  constexpr bool inPlace = std::is_same_v<C, D> && std::is_same_v<C, S>;
  static thread_local Right<C, B> right;
  right.load(thread, inst);
  alignas(64) C left[8][inner];
  for (int r = 0; r < inst.repeat; ++r)
    unpackLeft<C, A>(thread.image + inst.from[2] + r * depth * 4, left[r]);
  uint32_t mask = executionMask(thread, inst);
  uint8_t *to = thread.image + inst.to;
  const uint8_t *third = thread.image + inst.from[0];
  if (inPlace && mask == laneMask(columns) && !overlaps(inst)) {
    multiplyAll<C, inner>(inst.repeat, left, right.values,
                          inst.from[0] < 0 ? nullptr : third, to);
    return;
  }
  alignas(64) C sum[8][columns] = {};
  if (inst.from[0] >= 0)
    for (int r = 0; r < inst.repeat; ++r)
      loadSum<C, S>(third + r * columns * int(sizeof(S)), sum[r]);
  uint8_t *sums = reinterpret_cast<uint8_t *>(sum);
  multiplyAll<C, inner>(inst.repeat, left, right.values, sums, sums);
  // Sources may overlap the destination, so it is written last.
  D out[8][columns];
  for (int r = 0; r < inst.repeat; ++r)
    for (int n = 0; n < columns; ++n)
      out[r][n] = encodeElement<D>(sum[r][n]);
  if (mask == laneMask(columns)) {
    std::memcpy(to, out, size_t(inst.repeat) * sizeof out[0]);
    return;
  }
  for (int r = 0; r < inst.repeat; ++r)
    for (int n = 0; n < columns; ++n)
      if (mask >> n & 1)
        std::memcpy(to + (r * columns + n) * int(sizeof(D)), &out[r][n],
                    sizeof(D));
}

template <typename C, typename A, typename B, typename D>
Exec withThird(Type third) {
  if (third == Type::None)
    return execute<C, A, B, D, D>;
  if constexpr (std::is_floating_point_v<C>) {
    if (third == Type::F)
      return execute<C, A, B, D, float>;
    return execute<C, A, B, D, A>;
  } else {
    return execute<C, A, B, D, int32_t>;
  }
}

template <typename A> Exec floatForm(const Instruction &inst) {
  return inst.dst.type == Type::F
             ? withThird<float, A, A, float>(inst.src[0].type)
             : withThird<float, A, A, A>(inst.src[0].type);
}

template <typename A> Exec integerForm(Type right) {
  return right == Type::B ? execute<int32_t, A, int8_t, int32_t, int32_t>
                          : execute<int32_t, A, uint8_t, int32_t, int32_t>;
}

bool isAccumulator(Type type, Type operand) {
  if (!info(operand).isFloat)
    return type == Type::D || type == Type::UD;
  bool isShort = type == Type::HF || type == Type::BF;
  return type == Type::F ||
         (isShort && (type == operand || operand == Type::BF8));
}

void checkRange(const Operand &operand, int bytes) {
  if (operand.kind == Operand::Register && operand.offset + bytes > accBase)
    throw SimError("operand of dpas reaches beyond the last register");
}

void check(const Instruction &inst) {
  Type a = inst.src[2].type, b = inst.src[1].type;
  if (inst.src[1].kind != Operand::Register ||
      inst.src[2].kind != Operand::Register ||
      inst.dst.kind != Operand::Register)
    throw SimError("expected registers as operands of dpas");
  if (!isAccumulator(inst.dst.type, a) || (inst.src[0].kind != Operand::Null &&
                                           !isAccumulator(inst.src[0].type, a)))
    throw SimError("unknown accumulator type of dpas");
  bool isFloat = info(a).isFloat;
  if (isFloat ? a != b : info(b).isFloat || info(b).size != 1)
    throw SimError("unknown combination of operand types of dpas");
  if (inst.lanes != columns || inst.predicated || inst.saturate)
    throw SimError("expected dpas of 16 lanes without predicate or saturation");
  int sum = inst.repeat * columns;
  checkRange(inst.dst, sum * info(inst.dst.type).size);
  if (inst.src[0].kind == Operand::Register)
    checkRange(inst.src[0], sum * info(inst.src[0].type).size);
  checkRange(inst.src[1], bytesOfDpas(inst, 1));
  checkRange(inst.src[2], bytesOfDpas(inst, 2));
}

} // namespace

void mltc::sim::bindDpas(Instruction &inst) {
  check(inst);
  bool added = inst.src[0].kind == Operand::Register;
  inst.from[0] = added ? inst.src[0].offset : -1;
  inst.from[1] = inst.src[1].offset;
  inst.from[2] = inst.src[2].offset;
  inst.to = inst.dst.offset;
  Type right = inst.src[1].type;
  if (right != Type::B && right != Type::UB && !info(right).isFloat)
    return bindNarrowDpas(inst);
  switch (inst.src[2].type) {
  case Type::HF:
    inst.exec = floatForm<Half>(inst);
    break;
  case Type::BF:
    inst.exec = floatForm<Bfloat>(inst);
    break;
  case Type::TF32:
    inst.exec = withThird<float, Tf32, Tf32, float>(inst.src[0].type);
    break;
  case Type::B:
    inst.exec = integerForm<int8_t>(inst.src[1].type);
    break;
  case Type::UB:
    inst.exec = integerForm<uint8_t>(inst.src[1].type);
    break;
  case Type::BF8:
  case Type::S4:
  case Type::U4:
  case Type::S2:
  case Type::U2:
    return bindNarrowDpas(inst);
  default:
    throw SimError("unknown combination of operand types of dpas");
  }
}
