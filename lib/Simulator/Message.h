//===- Message.h - Decoded messages -----------------------------*- C++ -*-===//
//
// The fields of a message descriptor, decoded when the kernel is bound.
//
//===----------------------------------------------------------------------===//

#ifndef MLTC_SIMULATOR_MESSAGE_H
#define MLTC_SIMULATOR_MESSAGE_H

#include "Simulator/Machine.h"

namespace mltc::sim {

enum class LscOp : uint8_t {
  Load = 0,
  LoadStrided = 1,
  LoadQuad = 2,
  LoadBlock2d = 3,
  Store = 4,
  StoreStrided = 5,
  StoreQuad = 6,
  StoreBlock2d = 7,
  AtomicFirst = 8,
  AtomicLast = 26,
  Fence = 31
};

enum class Surface : uint8_t { Global, Local, Heap, Scratch };

struct Message {
  LscOp op = LscOp::Load;
  Surface surface = Surface::Global;
  int addressBytes = 8, dataBytes = 4, slotBytes = 4, elements = 1;
  uint8_t components = 0; // of a quad message, one bit each
  bool transposed = false, vnni = false;
  int scratchOffset = 0, scratchBytes = 0; // of a scratch block
  bool scratchWrite = false;
  int addressLength = 0, response = 0, dataLength = 0; // registers
};

inline int field(uint32_t word, int low, int bits) {
  return int(word >> low & ((1u << bits) - 1));
}

inline int wholeRegisters(int bytes) {
  return (bytes + grfBytes - 1) / grfBytes * grfBytes;
}

void bindLsc(Instruction &inst, Message &message);
void bindBlock2d(Instruction &inst, Message &message);
void bindAtomic(Instruction &inst, Message &message);
/// An atomic of whose message all but the function is known.
void chooseAtomic(Instruction &inst, const Message &message);

/// Host bytes of a device address of the message's surface.
uint8_t *locate(Context &context, Thread &thread, const Message &message,
                uint64_t address, uint64_t size, Touch touch);

inline Touch touch(bool stores) { return stores ? Touch::Write : Touch::Read; }

inline void countBytes(Context &context, uint64_t bytes) {
  context.profile.bytes[size_t(context.pc)] += bytes;
}

} // namespace mltc::sim

#endif // MLTC_SIMULATOR_MESSAGE_H
