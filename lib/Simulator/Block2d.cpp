//===- Block2d.cpp - 2-D block messages -----------------------------------===//
//
// A rectangle of a matrix with bounds, as rows, packed for dpas (VNNI) or
// transposed. Elements outside the matrix read as 0 and are not written.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Message.h"

#include <algorithm>

using namespace mltc::sim;

namespace {

constexpr uint32_t largest = 1u << 24;

int powerOfTwo(int value) {
  int result = 1;
  while (result < value)
    result *= 2;
  return result;
}

/// The block of a message, read from its payload register.
struct Block {
  uint64_t base;
  uint32_t width, height, pitch; // bytes, rows, bytes
  int32_t x, y;                  // elements, rows
  int columns, rows, count, bytes;
  bool transposed, vnni;

  Block(const uint8_t *payload, const Message &message) {
    uint32_t word[8];
    std::memcpy(word, payload, sizeof word);
    base = word[0] | uint64_t(word[1]) << 32;
    width = (word[2] & (largest - 1)) + 1;
    height = (word[3] & (largest - 1)) + 1;
    pitch = (word[4] & (largest - 1)) + 1;
    x = int32_t(word[5]), y = int32_t(word[6]);
    columns = field(word[7], 0, 8) + 1;
    rows = field(word[7], 8, 8) + 1;
    count = field(word[7], 16, 4) + 1;
    bytes = message.dataBytes;
    transposed = message.transposed;
    vnni = message.vnni;
    check();
  }

  void check() const {
    if (base % 64)
      throw SimError("expected a 2-D block base aligned to 64 bytes");
    if (width < 64 || width % 4)
      throw SimError("illegal width of a 2-D block surface: " +
                     std::to_string(width) + " bytes");
    if (pitch < width || pitch % 16)
      throw SimError(
          "illegal pitch of a 2-D block surface: " + std::to_string(pitch) +
          " bytes, width " + std::to_string(width));
    if (bytes < 4 && x % (4 / bytes))
      throw SimError("illegal x of a 2-D block: element " + std::to_string(x) +
                     " is not at a multiple of 4 bytes");
    if (columns * count * bytes > 64 || rows > 32)
      throw SimError("2-D block larger than 64 bytes by 32 rows");
    if (vnni && (transposed || bytes > 2 || rows % (4 / bytes)))
      throw SimError("illegal VNNI 2-D block");
    if (transposed &&
        (bytes < 4 || count != 1 || columns > (bytes == 4 ? 8 : 4)))
      throw SimError("illegal transposed 2-D block");
  }

  /// Bytes of one block in the registers.
  int size() const {
    int line = transposed ? powerOfTwo(rows) * bytes
               : vnni     ? powerOfTwo(columns) * 4
                          : powerOfTwo(columns) * bytes;
    int lines = transposed ? columns : vnni ? rows / (4 / bytes) : rows;
    return wholeRegisters(line * lines);
  }
};

/// The part of a row that lies inside the matrix: columns [begin, end).
struct Inside {
  int begin = 0, end = 0;

  Inside(const Block &block, int index, int row) {
    int64_t line = int64_t(block.y) + row;
    if (line < 0 || line >= block.height)
      return;
    int64_t first = (int64_t(block.x) + int64_t(index) * block.columns);
    // An element is inside if it begins inside.
    int64_t limit = (int64_t(block.width) + block.bytes - 1) / block.bytes;
    begin = int(std::clamp<int64_t>(-first, 0, block.columns));
    end = int(std::clamp<int64_t>(limit - first, begin, block.columns));
  }
};

uint64_t rowAddress(const Block &block, int index, int row) {
  int64_t column = int64_t(block.x) + int64_t(index) * block.columns;
  return block.base + uint64_t(int64_t(block.y) + row) * block.pitch +
         uint64_t(column * block.bytes);
}

template <typename T>
void copyRow(const Block &block, int row, const Inside &inside,
             const uint8_t *memory, uint8_t *image) {
  constexpr int size = int(sizeof(T));
  if (block.transposed) {
    int step = powerOfTwo(block.rows) * size;
    for (int c = inside.begin; c < inside.end; ++c)
      std::memcpy(image + c * step + row * size, memory + c * size, size);
  } else if (block.vnni) {
    constexpr int fold = size < 4 ? 4 / size : 1;
    uint8_t *line =
        image + row / fold * powerOfTwo(block.columns) * 4 + row % fold * size;
    for (int c = inside.begin; c < inside.end; ++c)
      std::memcpy(line + 4 * c, memory + c * size, size);
  } else {
    uint8_t *line = image + row * powerOfTwo(block.columns) * size;
    std::memcpy(line + inside.begin * size, memory + inside.begin * size,
                size_t((inside.end - inside.begin) * size));
  }
}

/// A dword row of a block that is wholly inside, packed for dpas.
template <typename T>
void packRows(const Block &block, const uint8_t *memory, uint8_t *line) {
  constexpr int fold = sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
  T rows[fold][64], out[64 * fold];
  for (int r = 0; r < fold; ++r)
    std::memcpy(rows[r], memory + r * int64_t(block.pitch),
                size_t(block.columns) * sizeof(T));
  for (int c = 0; c < block.columns; ++c)
    for (int r = 0; r < fold; ++r)
      out[c * fold + r] = rows[r][c];
  std::memcpy(line, out, size_t(block.columns) * 4);
}

/// The same for blocks of 16 columns, where the compiler makes vectors of it.
template <typename T>
void packSixteen(const Block &block, const uint8_t *memory, uint8_t *line) {
  constexpr int fold = sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
#ifdef __AVX2__
  if constexpr (sizeof(T) == 2) {
    __m256i even =
                _mm256_loadu_si256(reinterpret_cast<const __m256i *>(memory)),
            odd = _mm256_loadu_si256(
                reinterpret_cast<const __m256i *>(memory + block.pitch));
    // Each half of a vector is interleaved by itself.
    __m256i low = _mm256_unpacklo_epi16(even, odd),
            high = _mm256_unpackhi_epi16(even, odd);
    __m256i *out = reinterpret_cast<__m256i *>(line);
    _mm256_storeu_si256(out, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(low, high, 0x31));
    return;
  }
#endif
  T rows[fold][16], out[16 * fold];
  for (int r = 0; r < fold; ++r)
    std::memcpy(rows[r], memory + r * int64_t(block.pitch), sizeof rows[r]);
  for (int c = 0; c < 16; ++c)
    for (int r = 0; r < fold; ++r)
      out[c * fold + r] = rows[r][c];
  std::memcpy(line, out, sizeof out);
}

/// Whether no element of the blocks lies outside the matrix.
bool isInside(const Block &block) {
  return block.x >= 0 && block.y >= 0 &&
         (int64_t(block.x) + int64_t(block.count) * block.columns) *
                 block.bytes <=
             block.width &&
         int64_t(block.y) + block.rows <= block.height;
}

template <int Bytes>
void copyRows(const Block &block, const uint8_t *memory, uint8_t *image) {
  for (int row = 0; row < block.rows; ++row, image += Bytes)
    std::memcpy(image, memory + row * int64_t(block.pitch), Bytes);
}

/// A transposed block: columns become lines of a power of two of rows.
template <typename T, int Columns>
void turn(const Block &block, const uint8_t *memory, uint8_t *image) {
  T lines[Columns][32] = {};
  for (int row = 0; row < block.rows; ++row) {
    T line[Columns];
    std::memcpy(line, memory + row * int64_t(block.pitch), sizeof line);
    for (int c = 0; c < Columns; ++c)
      lines[c][row] = line[c];
  }
  size_t bytes = size_t(powerOfTwo(block.rows)) * sizeof(T);
  for (int c = 0; c < Columns; ++c, image += bytes)
    std::memcpy(image, lines[c], bytes);
}

/// Blocks of the common shapes that are wholly inside: memory is looked up
/// once, and every byte of the registers is written.
template <typename T>
bool loadWhole(Context &context, const Block &block, uint8_t *image) {
  int bytes = block.columns * int(sizeof(T));
  bool packed = block.vnni && block.columns == 16;
  bool turned = block.transposed && bytes == 32 && block.size() % grfBytes == 0;
  bool plain = !block.vnni && !block.transposed &&
               (bytes == 32 || bytes == 64) && block.rows % 2 == 0;
  if ((!packed && !plain && !turned) || !isInside(block) ||
      context.launch.checks)
    return false;
  uint64_t span = uint64_t(block.rows - 1) * block.pitch +
                  uint64_t(block.count) * uint64_t(bytes);
  const uint8_t *memory = context.global(rowAddress(block, 0, 0), span);
  constexpr int fold = sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
  for (int index = 0, size = block.size(); index < block.count;
       ++index, memory += bytes, image += size) {
    if (packed)
      for (int row = 0; row < block.rows; row += fold)
        packSixteen<T>(block, memory + row * int64_t(block.pitch),
                       image + row / fold * grfBytes);
    else if (turned)
      turn<T, 32 / int(sizeof(T))>(block, memory, image);
    else if (bytes == 64)
      copyRows<64>(block, memory, image);
    else
      copyRows<32>(block, memory, image);
  }
  countBytes(context,
             uint64_t(block.rows) * uint64_t(block.count) * uint64_t(bytes));
  return true;
}

uint8_t *access(Context &context, uint64_t address, uint64_t size,
                Touch touch) {
  if (context.launch.checks)
    checkGlobal(context, address, size, touch);
  return context.global(address, size);
}

template <typename T>
void loadBlock(Context &context, Thread &thread, const Instruction &inst) {
  if (!(executionMask(thread, inst) & 1))
    return;
  const Message &message = *inst.message;
  Block block(thread.image + inst.src[0].offset, message);
  int registers = block.count * block.size() / grfBytes;
  if (registers != message.response &&
      !(registers == 32 && message.response == 31))
    throw SimError("the block fills " + std::to_string(registers) +
                   " registers, the message announces " +
                   std::to_string(message.response));
  if (inst.dst.offset + registers * grfBytes >
      int(context.launch.registers) * grfBytes)
    throw SimError("the response reaches beyond the last register");
  uint8_t *image = thread.image + inst.dst.offset;
  if (loadWhole<T>(context, block, image))
    return;
  std::memset(image, 0, size_t(registers * grfBytes));
  for (int index = 0; index < block.count; ++index, image += block.size())
    for (int row = 0; row < block.rows; ++row) {
      Inside inside(block, index, row);
      if (inside.begin == inside.end)
        continue;
      uint64_t address = rowAddress(block, index, row);
      constexpr int fold = sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
      if (block.vnni && inside.end - inside.begin == block.columns &&
          row % fold == 0 && int64_t(block.y) + row + fold <= block.height &&
          !context.launch.checks) {
        uint64_t size = uint64_t(block.columns) * sizeof(T);
        const uint8_t *memory =
            context.global(address, (fold - 1) * uint64_t(block.pitch) + size);
        packRows<T>(block, memory,
                    image + row / fold * powerOfTwo(block.columns) * 4);
        countBytes(context, fold * size);
        row += fold - 1;
        continue;
      }
      uint64_t skipped = uint64_t(inside.begin) * sizeof(T),
               size = uint64_t(inside.end - inside.begin) * sizeof(T);
      const uint8_t *memory =
          access(context, address + skipped, size, Touch::Read) - skipped;
      copyRow<T>(block, row, inside, memory, image);
      countBytes(context, size);
    }
}

template <typename T>
void storeBlock(Context &context, Thread &thread, const Instruction &inst) {
  if (!(executionMask(thread, inst) & 1))
    return;
  Block block(thread.image + inst.src[0].offset, *inst.message);
  if (block.transposed || block.vnni || block.count != 1 || block.rows > 8)
    throw SimError("expected one plain block of at most 8 rows to store");
  if (block.size() != inst.payloadLength * grfBytes)
    throw SimError(
        "the block fills " + std::to_string(block.size() / grfBytes) +
        " registers, the message has " + std::to_string(inst.payloadLength));
  const uint8_t *image = thread.image + inst.src[1].offset;
  int line = powerOfTwo(block.columns) * int(sizeof(T));
  for (int row = 0; row < block.rows; ++row) {
    Inside inside(block, 0, row);
    if (inside.begin == inside.end)
      continue;
    uint64_t skipped = uint64_t(inside.begin) * sizeof(T),
             size = uint64_t(inside.end - inside.begin) * sizeof(T);
    uint8_t *memory = access(context, rowAddress(block, 0, row) + skipped, size,
                             Touch::Write);
    std::memcpy(memory, image + row * line + skipped, size);
    countBytes(context, size);
  }
}

/// The host's cache profits as the device's would.
void prefetchBlock(Context &context, Thread &thread, const Instruction &inst) {
  if (!(executionMask(thread, inst) & 1))
    return;
  Block block(thread.image + inst.src[0].offset, *inst.message);
  uint64_t address = rowAddress(block, 0, 0),
           span = uint64_t(block.rows - 1) * block.pitch + 1;
  if (!isInside(block) || !context.last.holds(address, span))
    return;
  const uint8_t *memory = context.global(address, span);
  for (int row = 0; row < block.rows; ++row, memory += block.pitch)
    __builtin_prefetch(memory);
}

template <typename T> Exec form(const Instruction &inst, bool stores) {
  if (stores)
    return storeBlock<T>;
  return inst.dst.kind == Operand::Null ? prefetchBlock : loadBlock<T>;
}

} // namespace

void mltc::sim::bindBlock2d(Instruction &inst, Message &message) {
  int size = field(inst.descriptor, 9, 3);
  message.dataBytes = 1 << size;
  message.transposed = field(inst.descriptor, 15, 1);
  message.vnni = field(inst.descriptor, 7, 1);
  if (message.surface != Surface::Global || message.addressLength != 1)
    throw SimError("expected a 2-D block of global memory");
  bool stores = message.op == LscOp::StoreBlock2d;
  switch (size) {
  case 0:
    inst.exec = form<uint8_t>(inst, stores);
    break;
  case 1:
    inst.exec = form<uint16_t>(inst, stores);
    break;
  case 2:
    inst.exec = form<uint32_t>(inst, stores);
    break;
  case 3:
    inst.exec = form<uint64_t>(inst, stores);
    break;
  default:
    throw SimError("unknown element size of a 2-D block");
  }
}
