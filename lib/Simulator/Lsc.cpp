//===- Lsc.cpp - Loads, stores and atomics of the load-store cache --------===//
//
// A transposed message moves consecutive elements for one lane; otherwise every
// lane has an address, and component after component fills whole registers.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Message.h"

#include <algorithm>

using namespace mltc::sim;

namespace {

/// The registers one component of all lanes takes; up to 16 lanes count as 16.
int componentBytes(const Instruction &inst, int slot) {
  return wholeRegisters((inst.lanes <= 16 ? 16 : 32) * slot);
}

uint64_t addressOf(const Thread &thread, const Instruction &inst,
                   const Message &message, int lane) {
  const uint8_t *at = thread.image + inst.src[0].offset;
  return message.addressBytes == 8 ? loadBytes<uint64_t>(at + 8 * lane)
                                   : loadBytes<uint32_t>(at + 4 * lane);
}

/// A surface in the address register has to be the thread's own scratch.
void checkSurface(const Thread &thread, const Instruction &inst) {
  if (inst.extendedWord < 0)
    return;
  uint32_t named = thread.dword(addressBase + 4 * inst.extendedWord);
  uint32_t own = (thread.dword(stateBase + 8) & ~0x3FFu) >> 4;
  if (named != own)
    throw SimError("expected the thread's scratch surface " +
                   std::to_string(own) + ", found " + std::to_string(named));
}

[[noreturn]] void atLane(const SimError &error, int lane) {
  throw SimError(std::string(error.what()) + "\n  in lane " +
                 std::to_string(lane));
}

void transposed(Context &context, Thread &thread, const Instruction &inst) {
  const Message &message = *inst.message;
  if (!(executionMask(thread, inst) & 1))
    return;
  checkSurface(thread, inst);
  bool stores = message.op == LscOp::Store;
  uint64_t size = uint64_t(message.elements) * uint64_t(message.dataBytes);
  uint64_t address = addressOf(thread, inst, message, 0);
  uint8_t *memory =
      locate(context, thread, message, address, size, touch(stores));
  if (address % uint64_t(message.dataBytes))
    throw SimError("misaligned access of consecutive elements");
  uint8_t *registers = thread.image + (stores ? inst.src[1] : inst.dst).offset;
  std::memcpy(stores ? memory : registers, stores ? registers : memory, size);
  countBytes(context, size);
}

/// One component of all lanes that lies in memory as in the registers, the
/// common case: it is looked up and moved at once.
template <int Data, int Slot, bool Stores>
bool consecutive(Context &context, const Instruction &inst, uint32_t mask,
                 const uint64_t *address, uint8_t *registers) {
  const Message &message = *inst.message;
  if (message.surface != Surface::Global || message.elements != 1 ||
      inst.lanes != 16 || mask != laneMask(16) || address[0] % Data ||
      context.launch.checks)
    return false;
  bool ascend = true;
  for (uint64_t lane = 0; lane < 16; ++lane)
    ascend &= address[lane] == address[0] + lane * Data;
  if (!ascend || !context.last.holds(address[0], 16 * Data))
    return false;
  uint8_t *memory = context.global(address[0], 16 * Data);
  if constexpr (Data == Slot) {
    std::memcpy(Stores ? memory : registers, Stores ? registers : memory,
                16 * Data);
    return true;
  }
  for (int lane = 0; lane < 16; ++lane) {
    if constexpr (Stores) {
      std::memcpy(memory + lane * Data, registers + lane * Slot, Data);
    } else {
      uint32_t word = 0;
      std::memcpy(&word, memory + lane * Data, Data);
      std::memcpy(registers + lane * Slot, &word, Slot < 4 ? Slot : 4);
    }
  }
  return true;
}

/// Bytes of the components that are moved, one after the other in memory.
template <int Data, int Slot, bool Stores>
void scattered(Context &context, Thread &thread, const Instruction &inst) {
  const Message &message = *inst.message;
  uint32_t mask = executionMask(thread, inst);
  uint64_t address[maxLanes];
  for (int lane = 0; lane < inst.lanes; ++lane) // the result may overwrite them
    address[lane] = addressOf(thread, inst, message, lane);
  checkSurface(thread, inst);
  uint8_t *registers = thread.image + (Stores ? inst.src[1] : inst.dst).offset;
  const int stride = componentBytes(inst, Slot);
  countBytes(context, uint64_t(__builtin_popcount(mask)) * Data *
                          uint64_t(message.elements));
  if (consecutive<Data, Slot, Stores>(context, inst, mask, address, registers))
    return;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    uint8_t *memory;
    try {
      memory = locate(context, thread, message, address[lane],
                      uint64_t(message.elements) * Data, touch(Stores));
    } catch (const SimError &error) {
      atLane(error, lane);
    }
    if (address[lane] % uint64_t(Data))
      atLane(SimError("misaligned access"), lane);
    for (int e = 0; e < message.elements; ++e) {
      uint8_t *slot = registers + e * stride + lane * Slot;
      if constexpr (Stores) {
        std::memcpy(memory + e * Data, slot, Data);
      } else {
        std::memset(slot, 0, Slot);
        std::memcpy(slot, memory + e * Data, Data);
      }
    }
  }
}

/// A message of up to four dwords of which some components are left out.
void quad(Context &context, Thread &thread, const Instruction &inst) {
  const Message &message = *inst.message;
  bool stores = message.op == LscOp::StoreQuad;
  uint64_t address[maxLanes];
  for (int lane = 0; lane < inst.lanes; ++lane)
    address[lane] = addressOf(thread, inst, message, lane);
  checkSurface(thread, inst);
  uint8_t *registers = thread.image + (stores ? inst.src[1] : inst.dst).offset;
  for (uint32_t mask = executionMask(thread, inst); mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask), at = 0;
    for (int e = 0; e < 4; ++e) {
      if (!(message.components >> e & 1))
        continue;
      uint8_t *slot = registers + at++ * componentBytes(inst, 4) + 4 * lane;
      uint8_t *memory =
          locate(context, thread, message, address[lane] + uint64_t(4 * e), 4,
                 touch(stores));
      std::memcpy(stores ? memory : slot, stores ? slot : memory, 4);
      countBytes(context, 4);
    }
  }
}

void prefetch(Context &, Thread &, const Instruction &) {}

/// The new value of an atomic operation on unsigned storage U.
template <typename U> U updated(int op, U old, U first, U second) {
  using S = std::make_signed_t<U>;
  switch (op) {
  case 8:
    return U(old + 1);
  case 9:
    return U(old - 1);
  case 10:
    return old;
  case 11:
    return first;
  case 12:
    return U(old + first);
  case 13:
    return U(old - first);
  case 14:
    return S(old) < S(first) ? old : first;
  case 15:
    return S(old) > S(first) ? old : first;
  case 16:
    return std::min(old, first);
  case 17:
    return std::max(old, first);
  case 18:
    return old == first ? second : old;
  case 24:
    return old & first;
  case 25:
    return old | first;
  case 26:
    return old ^ first;
  }
  throw SimError("unknown atomic operation");
}

template <typename F> F updatedFloat(int op, F old, F first, F second) {
  switch (op) {
  case 19:
    return old + first;
  case 20:
    return old - first;
  case 21:
    return first < old || old != old ? first : old;
  case 22:
    return first > old || old != old ? first : old;
  case 23:
    return old == first ? second : old;
  }
  throw SimError("unknown atomic operation");
}

bool isFloatAtomic(int op) { return op >= 19 && op <= 23; }

template <typename U> U apply(int op, U old, U first, U second) {
  if (!isFloatAtomic(op))
    return updated(op, old, first, second);
  if constexpr (sizeof(U) == 4) {
    return floatToBits(updatedFloat(op, bitsToFloat(old), bitsToFloat(first),
                                    bitsToFloat(second)));
  } else if constexpr (sizeof(U) == 8) {
    auto real = [](U bits) {
      return loadBytes<double>(reinterpret_cast<const uint8_t *>(&bits));
    };
    double value = updatedFloat(op, real(old), real(first), real(second));
    return loadBytes<U>(reinterpret_cast<const uint8_t *>(&value));
  } else {
    return floatToHalf(updatedFloat(op, halfToFloat(old), halfToFloat(first),
                                    halfToFloat(second)));
  }
}

template <typename U>
void atomic(Context &context, Thread &thread, const Instruction &inst) {
  const Message &message = *inst.message;
  int stride = componentBytes(inst, message.slotBytes), op = int(message.op);
  uint64_t address[maxLanes];
  U first[maxLanes] = {}, second[maxLanes] = {};
  const uint8_t *data = thread.image + inst.src[1].offset;
  for (int lane = 0; lane < inst.lanes; ++lane) {
    address[lane] = addressOf(thread, inst, message, lane);
    if (message.dataLength)
      first[lane] = loadBytes<U>(data + lane * message.slotBytes);
    if (message.dataLength * grfBytes > stride)
      second[lane] = loadBytes<U>(data + stride + lane * message.slotBytes);
  }
  std::lock_guard<std::mutex> guard(context.atomics);
  for (uint32_t mask = executionMask(thread, inst); mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    if (address[lane] % sizeof(U))
      atLane(SimError("misaligned atomic access"), lane);
    try {
      uint8_t *memory = locate(context, thread, message, address[lane],
                               sizeof(U), Touch::Atomic);
      U old = loadBytes<U>(memory);
      U value = apply(op, old, first[lane], second[lane]);
      std::memcpy(memory, &value, sizeof(U));
      if (inst.dst.kind == Operand::Register) {
        uint8_t *slot =
            thread.image + inst.dst.offset + lane * message.slotBytes;
        std::memset(slot, 0, size_t(message.slotBytes));
        std::memcpy(slot, &old, sizeof(U));
      }
    } catch (const SimError &error) {
      atLane(error, lane);
    }
    countBytes(context, sizeof(U));
  }
}

void decodeSizes(const Instruction &inst, Message &message) {
  static const int addresses[] = {0, 2, 4, 8};
  static const int data[] = {1, 2, 4, 8, 1, 2, 0, 0};
  static const int slots[] = {1, 2, 4, 8, 4, 4, 0, 0};
  message.addressBytes = addresses[field(inst.descriptor, 7, 2)];
  message.dataBytes = data[field(inst.descriptor, 9, 3)];
  message.slotBytes = slots[field(inst.descriptor, 9, 3)];
  if (!message.dataBytes || message.addressBytes < 4)
    throw SimError("unknown data or address size of a message");
  int needed =
      message.transposed
          ? grfBytes
          : wholeRegisters((inst.lanes <= 16 ? 16 : 32) * message.addressBytes);
  if (message.addressLength * grfBytes != needed)
    throw SimError("expected " + std::to_string(needed / grfBytes) +
                   " registers of addresses, found " +
                   std::to_string(message.addressLength));
}

/// The registers a message moves against what its descriptor announces.
void checkLength(const Instruction &inst, const Message &message, int bytes,
                 bool stores) {
  int announced = stores ? inst.payloadLength : message.response;
  if (announced * grfBytes != wholeRegisters(bytes))
    throw SimError("the message moves " +
                   std::to_string(wholeRegisters(bytes) / grfBytes) +
                   " registers, its descriptor announces " +
                   std::to_string(announced));
}

template <int Data, int Slot> Exec scatteredForm(bool stores) {
  return stores ? scattered<Data, Slot, true> : scattered<Data, Slot, false>;
}

Exec chooseScattered(const Message &message, bool stores) {
  if (message.slotBytes == 4 && message.dataBytes < 4)
    return message.dataBytes == 1 ? scatteredForm<1, 4>(stores)
                                  : scatteredForm<2, 4>(stores);
  switch (message.dataBytes) {
  case 4:
    return scatteredForm<4, 4>(stores);
  case 8:
    return scatteredForm<8, 8>(stores);
  default:
    throw SimError("unknown data size of a message");
  }
}

} // namespace

void mltc::sim::bindLsc(Instruction &inst, Message &message) {
  bool stores = message.op == LscOp::Store || message.op == LscOp::StoreQuad;
  bool isQuad = message.op == LscOp::LoadQuad || message.op == LscOp::StoreQuad;
  if (!stores && !isQuad && message.op != LscOp::Load)
    throw SimError("unknown operation " + std::to_string(int(message.op)) +
                   " of a message");
  static const int vectors[] = {1, 2, 3, 4, 8, 16, 32, 64};
  message.elements = vectors[field(inst.descriptor, 12, 3)];
  message.transposed = !isQuad && field(inst.descriptor, 15, 1);
  decodeSizes(inst, message);
  if (isQuad) {
    message.components = uint8_t(field(inst.descriptor, 12, 4));
    if (message.dataBytes != 4 || message.slotBytes != 4)
      throw SimError("unknown data size of a message");
    inst.exec = quad;
  } else if (message.transposed) {
    if (inst.lanes != 1 || message.slotBytes != message.dataBytes)
      throw SimError("expected a transposed message of one lane");
    inst.exec = transposed;
  } else {
    inst.exec = chooseScattered(message, stores);
  }
  if (!stores && inst.dst.kind == Operand::Null) {
    inst.exec = prefetch;
    return;
  }
  int components =
      isQuad ? __builtin_popcount(message.components) : message.elements;
  checkLength(inst, message,
              message.transposed
                  ? message.elements * message.dataBytes
                  : components * componentBytes(inst, message.slotBytes),
              stores);
}

void mltc::sim::bindAtomic(Instruction &inst, Message &message) {
  decodeSizes(inst, message);
  chooseAtomic(inst, message);
}

void mltc::sim::chooseAtomic(Instruction &inst, const Message &message) {
  if (message.surface == Surface::Scratch || message.surface == Surface::Heap)
    throw SimError("unknown surface of an atomic message");
  int op = int(message.op);
  bool exchange = op == 18 || op == 23;
  int operands = op <= 10 ? 0 : exchange ? 2 : 1;
  checkLength(inst, message, operands * componentBytes(inst, message.slotBytes),
              true);
  if (message.dataBytes == 1 ||
      (isFloatAtomic(op) && message.dataBytes == 8 && op > 20 && op != 23))
    throw SimError("unknown data size of an atomic message");
  switch (message.dataBytes) {
  case 2:
    inst.exec = atomic<uint16_t>;
    break;
  case 4:
    inst.exec = atomic<uint32_t>;
    break;
  default:
    inst.exec = atomic<uint64_t>;
  }
}
