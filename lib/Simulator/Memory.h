//===- Memory.h - Checked device memory -------------------------*- C++ -*-===//
//
// Global memory is a set of allocations with unmapped space between them. Every
// access is looked up, so that one outside of all allocations is an error and
// never reads or writes the host.
//
//===----------------------------------------------------------------------===//

#ifndef MLTC_SIMULATOR_MEMORY_H
#define MLTC_SIMULATOR_MEMORY_H

#include "Simulator/Types.h"

#include <vector>

namespace mltc::sim {

struct Range {
  uint64_t address = 0, size = 0;
  uint8_t *bytes = nullptr;
  uint8_t *written = nullptr; // a byte for each; null: all were written

  bool holds(uint64_t at, uint64_t length) const {
    return at - address < size && length <= size - (at - address);
  }
};

class Memory {
public:
  /// Maps `size` bytes at a device address; the bytes stay the caller's.
  void map(uint64_t address, uint64_t size, uint8_t *bytes);
  /// Says which bytes of an allocation were ever written: a byte that is not 0
  /// for each. Launches keep it up to date.
  void track(uint64_t address, uint64_t size, uint8_t *written);
  /// The allocation a range lies in; throws SimError if there is none.
  const Range &find(uint64_t address, uint64_t size) const;

private:
  std::vector<Range> ranges; // sorted by address
};

} // namespace mltc::sim

#endif // MLTC_SIMULATOR_MEMORY_H
