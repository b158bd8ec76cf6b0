//===- Instruction.h - Decoded instructions ---------------------*- C++ -*-===//
//
// A kernel as the interpreter sees it. Operands are byte offsets into one image
// of all registers, branch targets are indices, and each instruction carries
// the functions that read, compute and write it, chosen once when the kernel is
// bound: at run time nothing looks at a type again.
//
//===----------------------------------------------------------------------===//

#ifndef MLTC_SIMULATOR_INSTRUCTION_H
#define MLTC_SIMULATOR_INSTRUCTION_H

#include "Simulator/Types.h"

#include <memory>
#include <string>
#include <vector>

namespace mltc::sim {

constexpr int grfBytes = 64;
constexpr int grfCount = 256;
constexpr int maxLanes = 32;

/// Where each register file starts in the register image, in bytes.
enum Layout : int {
  grfBase = 0,
  accBase = grfCount * grfBytes,
  flagBase = accBase + 16 * grfBytes,
  flagBytes = 16,
  addressBase = flagBase + flagBytes,
  controlBase = addressBase + 32,
  stateBase = controlBase + 16,
  imageEnd = stateBase + 16,
  // Reading 32 lanes of 8 bytes from the last byte stays inside.
  imageBytes = imageEnd + 256
};

enum class Op : uint8_t {
  Mov,
  Sel,
  Csel,
  Cmp,
  Not,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Asr,
  Rol,
  Ror,
  Bfn,
  Add,
  Add3,
  Addc,
  Subb,
  Avg,
  Mul,
  Mad,
  Madm,
  Mac,
  Mach,
  Macl,
  Dp4a,
  Math,
  Rndd,
  Rnde,
  Rndz,
  Rndu,
  Frc,
  Cbit,
  Fbl,
  Fbh,
  Lzd,
  Bfrev,
  Bfe,
  Bfi1,
  Bfi2,
  Jmpi,
  Goto,
  Join,
  Call,
  Calla,
  Ret,
  Send,
  Dpas,
  Sync,
  Nop
};

enum class Cond : uint8_t { None, Eq, Ne, Lt, Le, Gt, Ge, Unordered, Special };
enum class Math : uint8_t {
  Inv,
  Sqrt,
  Rsqt,
  Exp,
  Log,
  Sin,
  Cos,
  Invm, // the first step of an IEEE division
  Rsqtm // and of a square root
};
enum class Port : uint8_t { Ugm, Slm, Gateway, Dc0, Dc1 };

/// How the lanes of an operand are found.
enum class Access : uint8_t { Contiguous, Scalar, Table, Indirect, Immediate };

struct Operand {
  enum Kind : uint8_t { Null, Register, Immediate } kind = Null;
  Type type = Type::None;
  Access access = Access::Table;
  bool negate = false, absolute = false, complement = false;
  bool perLaneAddress = false;           // one word of a0 for every element
  int offset = 0;                        // byte offset in the register image
  int addressWord = -1;                  // of a0, when indirect
  int extension = -1;                    // register mme0 .. mme7 beside it
  int vertical = 0, width = 1, step = 0; // region, in elements
  const uint16_t *lane = nullptr;        // bytes behind `offset`, of each lane
  const void *ready = nullptr; // a bound immediate, as its reader returns it
  /// The elements of an immediate as written: one for all lanes or one each.
  std::shared_ptr<std::vector<uint64_t>> constant;
};

struct Thread;
struct Context;
struct Instruction;
struct Message;

using Exec = void (*)(Context &, Thread &, const Instruction &);
using Reader = const void *(*)(Thread &, const Operand &, void *);
using Compute = void (*)(const void *, const void *, const void *, void *,
                         const Instruction &, uint32_t selected);
using Comparer = uint32_t (*)(const void *, const void *, Cond);
using Writer = void (*)(Thread &, const Instruction &, const void *, uint32_t);
using Narrow = void (*)(const Thread &, const void *, void *);
using Modifier = void (*)(const Operand &, const void *, void *, bool logical);

/// A software scoreboard annotation: $n, $n.dst, $n.src.
struct Token {
  enum Kind : uint8_t { Set, WaitDst, WaitSrc } kind;
  uint8_t id;
};

/// What only errors, checks and profiles look at.
struct Source {
  std::string name, text, comment;
  std::vector<Token> tokens;
  bool waitsForReads = false, waitsForWrites = false; // sync.allrd, allwr
};

/// The first line of the host's cache holds all that the quick forms read:
/// kernels are long, and most of their instructions run in one of those.
struct alignas(64) Instruction {
  Exec exec = nullptr;
  // Of a quick form: where the sources lie, as offsets in the register image
  // or, where a bit of `constants` is set, as addresses.
  int64_t from[3] = {};
  int to = 0;
  uint8_t constants = 0, negated = 0;
  uint8_t lanes = 1, channel = 0; // execution size and mask offset
  bool writeEnable = false, predicated = false, inverted = false;
  Op op = Op::Nop;
  Cond cond = Cond::None;
  uint8_t repeat = 0;              // of dpas
  int16_t flag = 0, predicate = 0; // bit numbers in the flag registers

  Reader read[3] = {};
  Modifier modify[3] = {}; // null: the source has no modifier
  Compute compute = nullptr;
  Comparer compare = nullptr;
  Writer write = nullptr;  // null: no destination
  Narrow narrow = nullptr; // cuts a result to its type before it is compared
  bool saturate = false, endOfThread = false, backward = false;
  bool wide = false;           // accumulates in 64 bits a lane
  bool barrier = false;        // sync.bar
  bool changesControl = false; // writes cr0
  Math math = Math::Inv;
  Port port = Port::Ugm;
  uint8_t table = 0; // of bfn
  int sources = 0;
  Operand dst, src[3];
  int jip = -1, uip = -1; // indices of instructions
  uint32_t descriptor = 0, extended = 0;
  int extendedWord = -1, descriptorWord = -1; // dword of a0 that adds to it
  int payloadLength = 0;                      // registers of src[1] of a send
  std::shared_ptr<const Message> message;
  std::shared_ptr<Source> source;
};

struct Program {
  std::vector<Instruction> code;
};

/// Decodes a listing of iga64.
/// Raises SimError naming the first instruction that is not known.
Program decode(const std::string &listing);

/// Chooses the functions that execute each instruction.
/// Raises SimError naming the first instruction that cannot be executed.
void bind(Program &program, uint32_t registers);

/// Bytes of the second or third source of a dpas: B or A.
int bytesOfDpas(const Instruction &inst, int source);

// The parts of bind, by kind of instruction.
void bindAlu(Instruction &inst);
void bindDpas(Instruction &inst);
void bindNarrowDpas(Instruction &inst);
void bindMacro(Instruction &inst);
void bindBranch(Instruction &inst);
void bindMessage(Instruction &inst, uint32_t registers);

} // namespace mltc::sim

#endif // MLTC_SIMULATOR_INSTRUCTION_H
