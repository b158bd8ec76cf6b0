//===- Bind.cpp - Regions, ranges and the choice of functions -------------===//
//
// The step between a decoded and an executable kernel. Regions become tables of
// byte offsets, shared between all operands that have the same, and everything
// that can be checked without running is checked here.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instruction.h"

#include <array>
#include <map>
#include <mutex>

using namespace mltc::sim;

namespace {

using Table = std::array<uint16_t, maxLanes>;

/// One copy of each table for the life of the process.
const uint16_t *shared(const Table &table) {
  static std::mutex lock;
  static std::map<Table, std::unique_ptr<Table>> tables;
  std::lock_guard<std::mutex> guard(lock);
  std::unique_ptr<Table> &found = tables[table];
  if (!found)
    found = std::make_unique<Table>(table);
  return found->data();
}

/// First byte behind the register file an offset lies in.
int fileEnd(int offset, int registers) {
  if (offset < accBase)
    return registers * grfBytes;
  for (int end : {int(flagBase), int(addressBase), int(controlBase),
                  int(stateBase), int(imageEnd)})
    if (offset < end)
      return end;
  return 0;
}

void bindOperand(Operand &operand, const Instruction &inst, int registers) {
  if (operand.kind != Operand::Register)
    return;
  int size = info(operand.type).size;
  Table table = {};
  bool contiguous = true, scalar = true;
  int last = 0;
  for (int lane = 0; lane < maxLanes; ++lane) {
    int at = (lane / operand.width * operand.vertical +
              lane % operand.width * operand.step) *
             size;
    table[size_t(lane)] = uint16_t(at);
    if (lane >= inst.lanes)
      continue;
    contiguous &= at == lane * size;
    scalar &= at == 0;
    last = std::max(last, at);
  }
  // Lanes behind the last are read, but never used: keep them inside.
  for (int lane = inst.lanes; lane < maxLanes; ++lane)
    table[size_t(lane)] = 0;
  operand.lane = shared(table);
  if (operand.access == Access::Indirect)
    return;
  operand.access = inst.lanes == 1 || contiguous ? Access::Contiguous
                   : scalar                      ? Access::Scalar
                                                 : Access::Table;
  if (operand.offset + last + size > fileEnd(operand.offset, registers))
    throw SimError("operand reaches beyond the last register");
  if (operand.offset < accBase &&
      operand.offset / grfBytes + 1 <
          (operand.offset + last + size - 1) / grfBytes)
    throw SimError("operand spans more than two registers");
}

void checkFlags(const Instruction &inst) {
  int bits = 8 * flagBytes;
  if ((inst.predicated && inst.predicate + inst.channel + inst.lanes > bits) ||
      (inst.cond != Cond::None && inst.flag + inst.channel + inst.lanes > bits))
    throw SimError("flags reach beyond the last flag register");
}

void bindOne(Instruction &inst, uint32_t registers) {
  checkFlags(inst);
  switch (inst.op) {
  case Op::Send:
    return bindMessage(inst, registers);
  case Op::Dpas:
    return bindDpas(inst);
  case Op::Jmpi:
  case Op::Goto:
  case Op::Join:
  case Op::Call:
  case Op::Calla:
  case Op::Ret:
  case Op::Sync:
  case Op::Nop:
    return bindBranch(inst);
  default:
    break;
  }
  bool macro = inst.op == Op::Madm ||
               (inst.op == Op::Math &&
                (inst.math == Math::Invm || inst.math == Math::Rsqtm));
  bindOperand(inst.dst, inst, int(registers));
  for (int i = 0; i < inst.sources; ++i)
    bindOperand(inst.src[i], inst, int(registers));
  macro ? bindMacro(inst) : bindAlu(inst);
}

} // namespace

void mltc::sim::bind(Program &program, uint32_t registers) {
  for (Instruction &inst : program.code) {
    try {
      bindOne(inst, registers);
    } catch (const SimError &error) {
      throw SimError(std::string(error.what()) + " in: " + inst.source->text);
    }
  }
}
