//===- Messages.cpp - Messages and where they go --------------------------===//
//
// Takes descriptors apart, checks that payloads lie inside the registers, and
// finds the bytes of a surface. Any field with an unknown value is refused.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Message.h"

#include <algorithm>

using namespace mltc::sim;

namespace {

constexpr uint32_t payloadTable = 255; // binding table index of the heap
constexpr uint32_t barrierSignal = 4, endOfThread = 16; // gateway functions
constexpr uint32_t localTag = 0x10000000; // keeps local pointers from null

void endThread(Context &, Thread &thread, const Instruction &) {
  thread.status = Status::Done;
}

void fence(Context &, Thread &, const Instruction &) {} // memory is in order

/// A barrier is complete when all producers and all consumers have arrived.
void signalBarrier(Context &context, Thread &thread, const Instruction &inst) {
  uint32_t word = thread.dword(inst.src[0].offset + 8);
  int id = field(word, 0, 5), role = field(word, 14, 2);
  uint32_t producers = uint32_t(field(word, 16, 8)),
           consumers = uint32_t(field(word, 24, 8));
  if (!producers || !consumers || role == 3)
    throw SimError("a barrier with " + std::to_string(producers) +
                   " producers and " + std::to_string(consumers) +
                   " consumers in role " + std::to_string(role));
  if (producers > context.group.threads || consumers > context.group.threads)
    throw SimError(
        "a barrier of " + std::to_string(std::max(producers, consumers)) +
        " threads in a group of " + std::to_string(context.group.threads));
  Barrier &barrier = context.group.barriers[id];
  if (role != 1)
    thread.awaited[id] = barrier.phase + 1;
  barrier.producers += role != 2;
  barrier.consumers += role != 1;
  if (barrier.producers >= producers && barrier.consumers >= consumers) {
    barrier.producers = barrier.consumers = 0;
    ++barrier.phase;
  }
}

void scratchBlock(Context &context, Thread &thread, const Instruction &inst) {
  const Message &message = *inst.message;
  uint8_t *at =
      locate(context, thread, message, uint64_t(message.scratchOffset),
             uint64_t(message.scratchBytes), touch(message.scratchWrite));
  const Operand &data = message.scratchWrite ? inst.src[1] : inst.dst;
  uint8_t *registers = thread.image + data.offset;
  std::memcpy(message.scratchWrite ? at : registers,
              message.scratchWrite ? registers : at,
              size_t(message.scratchBytes));
  countBytes(context, uint64_t(message.scratchBytes));
}

/// hword scratch block read and write, the form spills of the scalar compiler
/// take: offset and size are in units of 32 bytes.
void bindScratch(Instruction &inst, Message &message) {
  uint32_t word = inst.descriptor;
  if (!field(word, 18, 1) || !field(word, 19, 1) ||
      inst.source->comment.find("hword scratch block") == std::string::npos)
    throw SimError("unknown message to the data cache");
  static const int blocks[] = {1, 2, 4, 8};
  message.surface = Surface::Scratch;
  message.scratchWrite = field(word, 17, 1);
  message.scratchOffset = field(word, 0, 12) * 32;
  message.scratchBytes = blocks[field(word, 12, 2)] * 32;
  int announced = message.scratchWrite ? inst.payloadLength : message.response;
  if (wholeRegisters(message.scratchBytes) != announced * grfBytes)
    throw SimError("a scratch block of " +
                   std::to_string(message.scratchBytes) + " bytes in " +
                   std::to_string(announced) + " registers");
  message.dataLength = announced;
  inst.exec = scratchBlock;
}

/// The operation of the load-store cache that is the same as a function of an
/// untyped atomic; 0: not known.
int operationOf(int function) {
  static const int operations[] = {0,  24, 25, 26, 11, 8,  9, 12,
                                   13, 0,  15, 14, 17, 16, 0, 0};
  return operations[function];
}

/// Untyped atomics of dwords, as ocloc 22.43 has them for integers: of global
/// memory by 64-bit addresses, of shared local memory by 32-bit ones.
void bindUntyped(Instruction &inst, Message &message) {
  enum { local = 2, stateless = 18, localTable = 254, statelessTable = 255 };
  uint32_t word = inst.descriptor;
  int kind = field(word, 14, 5), table = field(word, 0, 8);
  bool global = kind == stateless && table == statelessTable;
  int operation = operationOf(field(word, 8, 4));
  if ((!global && (kind != local || table != localTable)) || !operation ||
      field(word, 12, 1) || field(word, 19, 1) || inst.lanes > 16)
    throw SimError("unknown message to the data cache");
  message.op = LscOp(operation);
  message.surface = global ? Surface::Global : Surface::Local;
  message.addressBytes = global ? 8 : 4;
  if (message.addressLength * grfBytes != 16 * message.addressBytes ||
      message.response != field(word, 13, 1))
    throw SimError("unknown lengths of a message to the data cache");
  chooseAtomic(inst, message);
}

void bindGateway(Instruction &inst) {
  uint32_t function = inst.descriptor & 63;
  if (function == barrierSignal && !inst.endOfThread)
    inst.exec = signalBarrier;
  else if (function == endOfThread && inst.endOfThread)
    inst.exec = endThread;
  else
    throw SimError("unknown message to the gateway");
}

Surface surfaceOf(const Instruction &inst) {
  if (inst.port == Port::Slm)
    return Surface::Local;
  enum { flat = 0, surfaceState = 2, table = 3 };
  int kind = field(inst.descriptor, 29, 2);
  if (kind == flat && !inst.extended && inst.extendedWord < 0)
    return Surface::Global;
  if (kind == table && inst.extended == payloadTable << 24)
    return Surface::Heap;
  if (kind == surfaceState && inst.extendedWord >= 0)
    return Surface::Scratch;
  throw SimError("unknown surface of a message");
}

void checkRegisters(const Operand &operand, int count, uint32_t registers,
                    const char *what) {
  if (!count || operand.kind == Operand::Null)
    return;
  if (operand.kind != Operand::Register || operand.offset % grfBytes ||
      operand.offset + count * grfBytes > int(registers) * grfBytes)
    throw SimError(std::string(what) + " reaches beyond the last register");
}

} // namespace

void mltc::sim::bindMessage(Instruction &inst, uint32_t registers) {
  if (inst.descriptorWord >= 0)
    throw SimError("a message descriptor in the address register is not known");
  auto message = std::make_shared<Message>();
  message->addressLength = field(inst.descriptor, 25, 4);
  message->response = field(inst.descriptor, 20, 5);
  message->dataLength = inst.payloadLength;
  switch (inst.port) {
  case Port::Gateway:
    bindGateway(inst);
    break;
  case Port::Dc0:
    bindScratch(inst, *message);
    break;
  case Port::Dc1:
    bindUntyped(inst, *message);
    break;
  default:
    message->op = LscOp(field(inst.descriptor, 0, 6));
    message->surface = surfaceOf(inst);
    if (message->op == LscOp::Fence)
      inst.exec = fence;
    else if (message->op == LscOp::LoadBlock2d ||
             message->op == LscOp::StoreBlock2d)
      bindBlock2d(inst, *message);
    else if (message->op >= LscOp::AtomicFirst &&
             message->op <= LscOp::AtomicLast)
      bindAtomic(inst, *message);
    else
      bindLsc(inst, *message);
  }
  if (!inst.exec)
    throw SimError("unknown message");
  checkRegisters(inst.src[0], message->addressLength, registers, "the address");
  checkRegisters(inst.src[1], inst.payloadLength, registers, "the data");
  // 31 stands for 32 registers in a 2-D block.
  checkRegisters(inst.dst, message->response, registers, "the response");
  inst.message = message;
}

uint8_t *mltc::sim::locate(Context &context, Thread &thread,
                           const Message &message, uint64_t address,
                           uint64_t size, Touch touch) {
  auto within = [&](std::vector<uint8_t> &bytes, const char *what) {
    if (address > bytes.size() || size > bytes.size() - address)
      throw SimError("access of " + std::to_string(size) + " bytes at " +
                     std::to_string(int64_t(address)) + " outside the " +
                     std::to_string(bytes.size()) + " bytes of " + what);
    return bytes.data() + address;
  };
  switch (message.surface) {
  case Surface::Global:
    if (context.launch.checks)
      checkGlobal(context, address, size, touch);
    return context.global(address, size);
  case Surface::Local:
    address &= localTag - 1;
    if (context.launch.checks)
      checkSlm(context, thread, address, int(size), touch);
    return within(context.group.slm, "shared local memory");
  case Surface::Heap:
    address -= heapBase;
    return within(context.group.heap, "the payload");
  case Surface::Scratch:
    return within(thread.scratch, "scratch");
  }
  throw SimError("unknown surface");
}
