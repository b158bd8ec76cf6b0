//===- Checks.cpp - Missing waits and races -------------------------------===//
//
// Messages, math and dpas complete out of order: their registers may be used
// only behind a wait for their token. The interpreter completes everything at
// once, so a wait that is missing shows here or nowhere. The same holds for two
// threads that use a byte of shared local memory with no barrier between, and
// for bytes that are read although nobody wrote them.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Message.h"

#include <cstdio>

using namespace mltc::sim;

namespace {

/// Registers [first, last] of the general register file.
struct Span {
  int first = 1, last = 0;

  bool overlaps(const Span &other) const {
    return first <= other.last && other.first <= last;
  }
};

Span spanOf(const Operand &operand, int bytes) {
  if (operand.kind != Operand::Register || operand.offset >= accBase ||
      operand.access == Access::Indirect || bytes <= 0)
    return {};
  return {operand.offset / grfBytes, (operand.offset + bytes - 1) / grfBytes};
}

Span regionOf(const Operand &operand, const Instruction &inst) {
  int size = info(operand.type).size;
  return spanOf(operand,
                operand.lane ? operand.lane[inst.lanes - 1] + size : size);
}

Span destinationOf(const Instruction &inst) {
  if (inst.op == Op::Send)
    return spanOf(inst.dst,
                  (inst.message->response == 31 ? 32 : inst.message->response) *
                      grfBytes);
  if (inst.op == Op::Dpas)
    return spanOf(inst.dst, inst.repeat * 16 * info(inst.dst.type).size);
  return regionOf(inst.dst, inst);
}

Span sourceOf(const Instruction &inst, int i) {
  const Operand &operand = inst.src[i];
  if (inst.op == Op::Send)
    return spanOf(operand, (i == 0   ? inst.message->addressLength
                            : i == 1 ? inst.payloadLength
                                     : 0) *
                               grfBytes);
  if (inst.op == Op::Dpas) {
    return spanOf(operand, i ? bytesOfDpas(inst, i)
                             : inst.repeat * 16 * info(operand.type).size);
  }
  return i < inst.sources ? regionOf(operand, inst) : Span();
}

bool isDpas(const Program &program, const InFlight &use) {
  return use.source >= 0 && program.code[size_t(use.source)].op == Op::Dpas;
}

void clear(InFlight &use, bool onlyReads) {
  if (onlyReads)
    use.reads = false;
  else
    use = InFlight();
}

/// The systolic pipe is in order: what waits for one dpas waits for all before.
void waitForToken(Thread &thread, const Program &program, const Token &token) {
  InFlight &waited = thread.inFlight[token.id];
  bool onlyReads = token.kind == Token::WaitSrc;
  if (isDpas(program, waited))
    for (InFlight &use : thread.inFlight)
      if (isDpas(program, use) && use.order < waited.order)
        clear(use, onlyReads);
  clear(waited, onlyReads);
}

void waitFor(Thread &thread, const Program &program, const Source &source) {
  for (InFlight &use : thread.inFlight) {
    if (source.waitsForWrites)
      use = InFlight();
    if (source.waitsForReads)
      use.reads = false;
  }
  // A token that is set again is free again: the hardware waits.
  for (const Token &token : source.tokens)
    waitForToken(thread, program, token);
}

[[noreturn]] void report(const Program &program, const InFlight &use,
                         const char *what) {
  throw SimError(std::string(what) +
                 " of an instruction that was not waited for: " +
                 program.code[size_t(use.source)].source->text);
}

} // namespace

void mltc::sim::checkInFlight(Thread &thread, const Program &program, int pc) {
  const Instruction &inst = program.code[size_t(pc)];
  waitFor(thread, program, *inst.source);
  // A move to nowhere works around a hardware fault, it uses nothing.
  if (inst.op == Op::Mov && inst.dst.kind == Operand::Null)
    return;
  Span to = destinationOf(inst), from[3];
  for (int i = 0; i < 3; ++i)
    from[i] = sourceOf(inst, i);
  for (const InFlight &use : thread.inFlight) {
    if (use.source < 0)
      continue;
    const Instruction &other = program.code[size_t(use.source)];
    // The systolic pipe keeps its own order.
    if (other.op == Op::Dpas && inst.op == Op::Dpas)
      continue;
    // Messages to one unit read their payloads in the order they are sent.
    bool sameUnit =
        other.op == Op::Send && inst.op == Op::Send && other.port == inst.port;
    Span written = destinationOf(other);
    if (use.writes && written.overlaps(to))
      report(program, use, "overwrites the result");
    for (int i = 0; i < 3; ++i) {
      if (use.writes && written.overlaps(from[i]))
        report(program, use, "reads the result");
      if (use.reads && !sameUnit && sourceOf(other, i).overlaps(to))
        report(program, use, "overwrites a source");
    }
  }
  for (const Token &token : inst.source->tokens)
    if (token.kind == Token::Set)
      thread.inFlight[token.id] = {pc, true, true, ++thread.issued};
}

void mltc::sim::checkGlobal(Context &context, uint64_t address, uint64_t size,
                            Touch touch) {
  context.global(address, size);
  const Range &range = context.last;
  if (!range.written)
    return;
  uint8_t *written = range.written + (address - range.address);
  for (uint64_t i = 0; i < size; ++i) {
    if (touch != Touch::Write && !written[i]) {
      char text[80];
      std::snprintf(text, sizeof text,
                    "reads memory at 0x%llx that was never written",
                    (unsigned long long)(address + i));
      throw SimError(text);
    }
    if (touch != Touch::Read)
      written[i] = 1;
  }
}

void mltc::sim::checkSlm(Context &context, Thread &thread, uint64_t address,
                         int bytes, Touch touch) {
  uint32_t me = thread.number + 1;
  for (int i = 0; i < bytes; ++i) {
    if (address + uint64_t(i) >= context.group.uses.size())
      return; // the access itself is refused
    SlmUse &use = context.group.uses[address + uint64_t(i)];
    bool raceWithWrite =
        use.writer && use.writer != me && use.writeEpoch == thread.epoch;
    bool raceWithRead =
        use.reader && use.reader != me && use.readEpoch == thread.epoch;
    if (touch == Touch::Read && !use.writer)
      throw SimError("reads shared local memory at " +
                     std::to_string(address + uint64_t(i)) +
                     " that was never written");
    if (touch != Touch::Atomic &&
        (raceWithWrite || (touch == Touch::Write && raceWithRead)))
      throw SimError(
          "races with thread " +
          std::to_string((raceWithWrite ? use.writer : use.reader) - 1) +
          " for shared local memory at " +
          std::to_string(address + uint64_t(i)) + ": no barrier lies between");
    if (touch == Touch::Read)
      use.reader = me, use.readEpoch = thread.epoch;
    else
      use.writer = me,
      use.writeEpoch = touch == Touch::Atomic ? 0 : thread.epoch;
  }
}
