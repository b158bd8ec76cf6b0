//===- Machine.cpp - Running a grid of work-groups ------------------------===//
//
// Lays out the payload of every thread, interleaves the threads of a group at
// barriers, and spreads the groups over host threads.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Machine.h"

#include <algorithm>
#include <cfenv>
#include <thread>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

using namespace mltc::sim;

void Thread::applyControl() {
  uint32_t control = dword(controlBase);
  // Rounding: nearest, up, down, to zero; the host's order is its own.
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                              FE_TOWARDZERO};
  std::fesetround(modes[control >> 4 & 3]);
  flushHalf = !(control >> 10 & 1);
#ifdef __SSE__
  constexpr unsigned flushResults = 0x8000, flushSources = 0x0040;
  unsigned host = _mm_getcsr() & ~(flushResults | flushSources);
  if (!(control >> 7 & 1))
    host |= flushResults | flushSources;
  _mm_setcsr(host);
#endif
}

Machine::Machine(const Launch &launch, const Memory &memory)
    : launch(launch), memory(memory) {
  const auto &groups = launch.groups, &local = launch.local;
  for (uint32_t count :
       {groups[0], groups[1], groups[2], local[0], local[1], local[2]})
    if (!count)
      throw SimError("expected at least one group and one work-item");
  total = uint64_t(groups[0]) * groups[1] * groups[2];
  if (uint64_t(local[0]) * local[1] * local[2] > 1024)
    throw SimError("expected at most 1024 work-items in a group");
  if (launch.simd != 1 && launch.simd != 8 && launch.simd != 16 &&
      launch.simd != 32)
    throw SimError("expected a kernel of 1, 8, 16 or 32 lanes");
  if (launch.threadsPerGroup() > 64)
    throw SimError("expected at most 64 threads in a group");
  if (launch.idBytes > 3 * grfBytes || launch.slmBytes > 131072 ||
      launch.scratchBytes > 1u << 20 || launch.registers > grfCount)
    throw SimError("launch description out of range");
}

Profile Machine::run() {
  size_t size = launch.program->code.size();
  uint32_t workers =
      uint32_t(std::min<uint64_t>(std::max(launch.workers, 1u), total));
  std::vector<Profile> profiles(workers);
  for (Profile &profile : profiles) {
    profile.counts.assign(size, 0);
    profile.bytes.assign(size, 0);
  }
  std::vector<std::thread> others;
  for (uint32_t i = 1; i < workers; ++i)
    others.emplace_back([this, &profiles, i] { work(profiles[i]); });
  work(profiles[0]);
  for (std::thread &other : others)
    other.join();
  if (!error.empty())
    throw SimError(error);
  for (uint32_t i = 1; i < workers; ++i)
    for (size_t pc = 0; pc < size; ++pc) {
      profiles[0].counts[pc] += profiles[i].counts[pc];
      profiles[0].bytes[pc] += profiles[i].bytes[pc];
    }
  return profiles[0];
}

/// What a host thread does: one group after the other, until one fails.
void Machine::work(Profile &profile) {
  Context context{launch, memory, atomics, {}, {}, {}, 0};
  context.profile = std::move(profile);
  std::vector<std::unique_ptr<Thread>> threads(launch.threadsPerGroup());
  for (auto &thread : threads)
    thread = std::make_unique<Thread>();
  for (uint64_t index; (index = next++) < total;) {
    try {
      runGroup(context, index, threads);
    } catch (const std::exception &caught) {
      std::lock_guard<std::mutex> guard(failure);
      if (index < failed)
        failed = index, error = caught.what();
      next = total;
    }
  }
  std::fesetround(FE_TONEAREST);
  profile = std::move(context.profile);
}

static uint32_t aligned(uint32_t size) { return (size + 31) / 32 * 32; }

/// Writes the local ids of a thread and says which channels exist.
static uint32_t placeIds(const Launch &launch, uint8_t *to, uint32_t number) {
  uint32_t items = launch.local[0] * launch.local[1] * launch.local[2];
  bool single = launch.ids == LocalIds::Packed || launch.simd == 1;
  uint32_t lanes = single ? 1 : launch.simd, active = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t item = number * lanes + lane;
    if (item >= items)
      break;
    active |= 1u << lane;
    uint16_t id[] = {uint16_t(item % launch.local[0]),
                     uint16_t(item / launch.local[0] % launch.local[1]),
                     uint16_t(item / launch.local[0] / launch.local[1])};
    if (launch.ids == LocalIds::Packed)
      std::memcpy(to, id, sizeof id);
    else if (launch.ids == LocalIds::Rows)
      for (uint32_t axis = 0; axis < launch.idBytes / grfBytes; ++axis)
        std::memcpy(to + axis * grfBytes + 2 * lane, &id[axis], 2);
  }
  return single ? ~0u : active;
}

/// Fills in r0, the local ids and the channels that exist.
void Machine::start(Context &context, Thread &thread, uint32_t number) {
  Group &group = context.group;
  std::memset(thread.image, launch.poison, accBase);
  std::memset(thread.image + accBase, 0, size_t(imageBytes - accBase));
  std::fill(thread.product, thread.product + maxLanes, 0);
  thread.waiting = 0;
  std::fill(thread.awaited, thread.awaited + barrierCount, 0);
  std::fill(thread.inFlight, thread.inFlight + tokenCount, InFlight());
  thread.number = number;
  thread.pc = 0;
  thread.epoch = 1;
  thread.status = Status::Running;
  uint32_t slot = slots++ & 63;
  uint32_t surface = (64 + slot) << 10;
  uint32_t header[16] = {heapBase, group.id[0]};
  header[2] = number | group.threads << 24;
  header[5] = surface;
  header[6] = group.id[1];
  header[7] = group.id[2];
  std::memcpy(thread.image, header, sizeof header);
  std::memcpy(thread.image + stateBase + 8, &surface, 4);
  thread.scratch.assign(launch.scratchBytes, launch.poison);
  uint32_t begin = aligned(uint32_t(launch.crossThread.size()));
  thread.active =
      placeIds(launch, &group.heap[begin] + number * launch.idBytes, number);
}

void Machine::runGroup(Context &context, uint64_t index,
                       std::vector<std::unique_ptr<Thread>> &threads) {
  Group &group = context.group;
  uint64_t row = index / launch.groups[0];
  group.id = {uint32_t(index % launch.groups[0]),
              uint32_t(row % launch.groups[1]),
              uint32_t(row / launch.groups[1])};
  group.threads = launch.threadsPerGroup();
  // Prologues load whole registers behind the last thread.
  group.heap.assign(aligned(uint32_t(launch.crossThread.size())) +
                        group.threads * launch.idBytes + 8 * grfBytes,
                    0);
  std::copy(launch.crossThread.begin(), launch.crossThread.end(),
            group.heap.begin());
  group.slm.assign(launch.slmBytes, launch.poison);
  if (launch.checks)
    group.uses.assign(launch.slmBytes, SlmUse());
  std::fill(group.barriers, group.barriers + barrierCount, Barrier());
  for (uint32_t i = 0; i < group.threads; ++i)
    start(context, *threads[i], i);
  uint64_t random = launch.interleave * 0x9E3779B97F4A7C15ull ^ (index + 1);
  for (bool progress = true; progress;) {
    progress = false;
    for (auto &thread : threads) {
      if (thread->status == Status::Done)
        continue;
      // A loop may have led back to the barrier that it waited at.
      std::pair before(thread->pc, thread->epoch);
      runThread(context, *thread, random);
      progress |= thread->status != Status::Waiting ||
                  std::pair(thread->pc, thread->epoch) != before;
    }
  }
  for (auto &thread : threads)
    if (thread->status != Status::Done)
      throw SimError(
          "threads of a group wait forever at a barrier\n  in group " +
          std::to_string(group.id[0]) + "," + std::to_string(group.id[1]) +
          "," + std::to_string(group.id[2]) + " thread " +
          std::to_string(thread->number));
}

void Machine::runThread(Context &context, Thread &thread, uint64_t &random) {
  uint64_t limit = ~0ull;
  if (launch.interleave) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    limit = random % 97 + 1;
  }
  thread.status = Status::Running;
  thread.applyControl();
  try {
    if (launch.checks)
      steps<true>(context, thread, limit);
    else
      steps<false>(context, thread, limit);
  } catch (const SimError &error) {
    const Group &group = context.group;
    throw SimError(std::string(error.what()) + "\n  at instruction " +
                   std::to_string(context.pc) + ": " +
                   launch.program->code[size_t(context.pc)].source->text +
                   "\n  in group " + std::to_string(group.id[0]) + "," +
                   std::to_string(group.id[1]) + "," +
                   std::to_string(group.id[2]) + " thread " +
                   std::to_string(thread.number));
  }
}

template <bool Checks>
void Machine::steps(Context &context, Thread &thread, uint64_t limit) {
  const Instruction *code = launch.program->code.data();
  uint64_t *counts = context.profile.counts.data();
  const int end = int(launch.program->code.size());
  while (limit--) {
    int pc = thread.pc;
    if (unsigned(pc) >= unsigned(end)) {
      context.pc = end - 1;
      throw SimError("execution ran over the end of the kernel");
    }
    context.pc = pc;
    thread.pc = pc + 1;
    if constexpr (Checks)
      checkInFlight(thread, *launch.program, pc);
    code[pc].exec(context, thread, code[pc]);
    if (thread.status == Status::Running) {
      ++counts[pc];
      continue;
    }
    counts[pc] += thread.status == Status::Done;
    return;
  }
}
