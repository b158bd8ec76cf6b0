//===- Branch.cpp - Control flow and waiting ------------------------------===//
//
// Channels that leave a goto wait where they go to; a join takes them in again.
// When no channel is left, execution goes on at the next join (JIP).
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine.h"

using namespace mltc::sim;

namespace {

void jump(Context &, Thread &thread, const Instruction &inst) {
  if (!inst.predicated || (executionMask(thread, inst) & 1))
    thread.pc = inst.jip;
}

/// Channels of a branch: the mask override does not apply to them.
uint32_t takenChannels(const Thread &thread, const Instruction &inst) {
  uint32_t taken = laneMask(inst.lanes) << inst.channel & thread.active;
  if (!inst.predicated)
    return taken;
  uint32_t flags = flagBits(thread, inst.predicate + inst.channel)
                   << inst.channel;
  return taken & (inst.inverted ? ~flags : flags);
}

void wait(Thread &thread, uint32_t channels, int where) {
  for (uint32_t left = channels; left; left &= left - 1)
    thread.resume[__builtin_ctz(left)] = where;
  thread.waiting |= channels;
  thread.active &= ~channels;
}

/// Channels that wait at an instruction go on with the others.
void wake(Thread &thread, int where) {
  uint32_t woken = 0;
  for (uint32_t left = thread.waiting; left; left &= left - 1)
    if (thread.resume[__builtin_ctz(left)] == where)
      woken |= left & -left;
  thread.waiting &= ~woken;
  thread.active |= woken;
}

void executeGoto(Context &context, Thread &thread, const Instruction &inst) {
  wait(thread, takenChannels(thread, inst), inst.uip);
  if (!thread.active)
    thread.pc = inst.jip;
  (void)context;
}

/// goto.b: the channels that do not jump back wait at the next instruction.
void executeBackward(Context &, Thread &thread, const Instruction &inst) {
  wait(thread, thread.active & ~takenChannels(thread, inst), thread.pc);
  if (thread.active) {
    thread.pc = inst.uip;
    return;
  }
  wake(thread, thread.pc); // nobody jumps: all go on, as after a join
}

void executeJoin(Context &context, Thread &thread, const Instruction &inst) {
  wake(thread, context.pc);
  if (!thread.active)
    thread.pc = inst.jip;
}

/// The destination holds where to return to and which channels were there. A
/// channel that does not call waits for those that do; with the mask override
/// all of them call.
void executeCall(Context &, Thread &thread, const Instruction &inst) {
  uint32_t taken =
      inst.writeEnable ? thread.active : takenChannels(thread, inst);
  if (!taken)
    return;
  uint32_t back[2] = {uint32_t(thread.pc), thread.active};
  std::memcpy(thread.image + inst.dst.offset, back, sizeof back);
  wait(thread, thread.active & ~taken, thread.pc);
  thread.pc = inst.jip;
}

/// Who has returned waits where the call was for the rest of its callers.
void executeReturn(Context &, Thread &thread, const Instruction &inst) {
  uint32_t back = thread.dword(inst.src[0].offset);
  wait(thread, inst.writeEnable ? thread.active : takenChannels(thread, inst),
       int(back));
  if (thread.active)
    return;
  thread.pc = int(back);
  wake(thread, thread.pc);
}

void executeNothing(Context &, Thread &, const Instruction &) {}

void executeBarrier(Context &context, Thread &thread, const Instruction &inst) {
  const Barrier &barrier = context.group.barriers[inst.flag];
  if (int32_t(barrier.phase - thread.awaited[inst.flag]) >= 0) {
    ++thread.epoch;
    return;
  }
  thread.status = Status::Waiting;
  thread.pc = context.pc; // try again
}

} // namespace

void mltc::sim::bindBranch(Instruction &inst) {
  switch (inst.op) {
  case Op::Jmpi:
    inst.exec = jump;
    break;
  case Op::Goto:
    inst.exec = inst.backward ? executeBackward : executeGoto;
    break;
  case Op::Join:
    inst.exec = executeJoin;
    break;
  case Op::Call:
    inst.exec = executeCall;
    break;
  case Op::Ret:
    inst.exec = executeReturn;
    break;
  default:
    inst.exec = inst.barrier ? executeBarrier : executeNothing;
  }
  if ((inst.op == Op::Call || inst.op == Op::Ret) &&
      (inst.op == Op::Call ? inst.dst : inst.src[0]).kind != Operand::Register)
    throw SimError("expected a register for the return address");
}
