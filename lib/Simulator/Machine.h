//===- Machine.h - Running a grid of work-groups ----------------*- C++ -*-===//
//
// The state of threads and groups, and the launch that ties them together. The
// threads of a group take turns at barriers; groups run on host threads.
//
//===----------------------------------------------------------------------===//

#ifndef MLTC_SIMULATOR_MACHINE_H
#define MLTC_SIMULATOR_MACHINE_H

#include "Simulator/Instruction.h"
#include "Simulator/Memory.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

namespace mltc::sim {

/// Where the payload of a group lies in its heap; any multiple of 64 will do,
/// but 0 would hide code that forgets to add it.
constexpr uint32_t heapBase = 4096;
constexpr int barrierCount = 32;
constexpr int tokenCount = 32;

/// How the local ids of a thread lie in its payload.
enum class LocalIds : uint8_t {
  None,
  Rows,  // one dimension after the other, a word per lane, 64 bytes each
  Packed // three words: a thread is one work-item
};

struct Launch {
  const Program *program = nullptr;
  std::array<uint32_t, 3> groups{1, 1, 1}, local{1, 1, 1};
  std::vector<uint8_t> crossThread; // bytes, as .ze_info lays them out
  LocalIds ids = LocalIds::None;
  uint32_t idBytes = 0; // size of the local ids of one thread
  uint32_t simd = 16, registers = 128, slmBytes = 0;
  uint32_t scratchBytes = 0; // of one thread
  uint8_t poison = 0xA5;     // fills registers, SLM and scratch before a start
  bool checks = false;       // report missing waits and races
  uint32_t interleave = 0; // seed of random switching between threads; 0: none
  uint32_t workers = 1;    // host threads

  uint32_t threadsPerGroup() const {
    uint32_t items = local[0] * local[1] * local[2];
    return ids == LocalIds::Packed || simd == 1 ? items
                                                : (items + simd - 1) / simd;
  }
};

struct Barrier {
  uint32_t producers = 0, consumers = 0, phase = 0;
};

/// What a message does to memory; atomics do not race with one another.
enum class Touch : uint8_t { Read, Write, Atomic };

/// Who touched a byte of SLM last, and in which interval between barriers.
struct SlmUse {
  uint32_t writer = 0, writeEpoch = 0, reader = 0, readEpoch = 0;
};

struct Group {
  std::array<uint32_t, 3> id;
  std::vector<uint8_t> heap; // cross-thread data, then per-thread data
  std::vector<uint8_t> slm;
  std::vector<SlmUse> uses; // of SLM, when checking; writer 0: never written
  Barrier barriers[barrierCount];
  uint32_t threads = 0;
};

enum class Status : uint8_t { Running, Waiting, Done };

/// Registers that a message or another out-of-order instruction still uses.
struct InFlight {
  int source = -1; // index of the instruction; -1: the token is free
  bool writes = false, reads = false;
  uint64_t order = 0; // of issue
};

struct Thread {
  alignas(64) uint8_t image[imageBytes];
  int64_t product[maxLanes] = {};     // acc0 as integers, 64 bits a lane
  double extension[8][maxLanes] = {}; // mme0 .. mme7: what a float leaves out
  uint32_t active = 0;                // channels that execute
  uint32_t waiting = 0;               // channels that wait at a join
  int resume[maxLanes];               // where they do
  int pc = 0;
  uint32_t number = 0;                 // in the group
  uint32_t awaited[barrierCount] = {}; // phase that ends the wait
  uint32_t epoch = 1;                  // counts the barriers it waited for
  Status status = Status::Running;
  bool flushHalf = true; // denormals of 16-bit floats are zero
  std::vector<uint8_t> scratch;
  InFlight inFlight[tokenCount];
  uint64_t issued = 0; // instructions that set a token

  uint32_t dword(int offset) const {
    return loadBytes<uint32_t>(image + offset);
  }
  /// Sets the host's rounding and denormal modes to the thread's.
  void applyControl();
};

/// What a launch executed, by instruction.
struct Profile {
  std::vector<uint64_t> counts;
  std::vector<uint64_t> bytes; // moved by a message
};

/// What a host thread works with.
struct Context {
  const Launch &launch;
  const Memory &memory;
  std::mutex &atomics;
  Group group;
  Profile profile;
  Range last; // allocation of the last access
  int pc = 0; // of the instruction that runs

  uint8_t *global(uint64_t address, uint64_t size) {
    if (!last.holds(address, size))
      last = memory.find(address, size);
    return last.bytes + (address - last.address);
  }
};

class Machine {
public:
  Machine(const Launch &launch, const Memory &memory);
  /// Runs all groups. Raises SimError with instruction, group and thread.
  Profile run();

private:
  void work(Profile &profile);
  void runGroup(Context &context, uint64_t index,
                std::vector<std::unique_ptr<Thread>> &threads);
  void start(Context &context, Thread &thread, uint32_t number);
  void runThread(Context &context, Thread &thread, uint64_t &random);
  template <bool Checks>
  void steps(Context &context, Thread &thread, uint64_t limit);

  const Launch &launch;
  const Memory &memory;
  std::mutex atomics, failure;
  std::atomic<uint64_t> next{0};
  std::atomic<uint32_t> slots{0};
  uint64_t total = 0;
  std::string error; // of the first group that failed
  uint64_t failed = ~0ull;
};

inline uint32_t laneMask(int lanes) {
  return lanes == 32 ? ~0u : (1u << lanes) - 1;
}

/// The bits of the flag registers behind a bit number.
inline uint32_t flagBits(const Thread &thread, int bit) {
  return uint32_t(loadBytes<uint64_t>(thread.image + flagBase + bit / 8) >>
                  (bit & 7));
}

/// Channels an instruction executes, bit 0 its first lane.
inline uint32_t executionMask(const Thread &thread, const Instruction &inst) {
  uint32_t mask = laneMask(inst.lanes);
  if (!inst.writeEnable)
    mask &= thread.active >> inst.channel;
  if (inst.predicated) {
    uint32_t flags = flagBits(thread, inst.predicate + inst.channel);
    mask &= inst.inverted ? ~flags : flags;
  }
  return mask;
}

/// Throws SimError when an instruction uses registers that are still in flight.
void checkInFlight(Thread &thread, const Program &program, int pc);
/// Records an access to global memory; throws SimError for reading a byte
/// nobody wrote. An access outside is left to whoever makes it.
void checkGlobal(Context &context, uint64_t address, uint64_t size,
                 Touch touch);
/// Records an access to SLM; throws SimError for a race or an unwritten byte.
void checkSlm(Context &context, Thread &thread, uint64_t address, int bytes,
              Touch touch);

} // namespace mltc::sim

#endif // MLTC_SIMULATOR_MACHINE_H
