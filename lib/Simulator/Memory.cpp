//===- Memory.cpp - Checked device memory ---------------------------------===//
//
// Allocations are few and sorted; the caller remembers the last one it used.
//
//===----------------------------------------------------------------------===//

#include "Simulator/Memory.h"

#include <algorithm>
#include <cstdio>

using namespace mltc::sim;

static bool below(uint64_t address, const Range &range) {
  return address < range.address;
}

void Memory::map(uint64_t address, uint64_t size, uint8_t *bytes) {
  if (address + size < address)
    throw SimError("allocation wraps around the address space");
  auto at = std::upper_bound(ranges.begin(), ranges.end(), address, below);
  if ((at != ranges.end() && at->address < address + size) ||
      (at != ranges.begin() && at[-1].address + at[-1].size > address))
    throw SimError("allocations overlap");
  ranges.insert(at, {address, size, bytes, nullptr});
}

void Memory::track(uint64_t address, uint64_t size, uint8_t *written) {
  for (Range &range : ranges)
    if (range.address == address && range.size == size) {
      range.written = written;
      return;
    }
  throw SimError("expected an allocation to track");
}

const Range &Memory::find(uint64_t address, uint64_t size) const {
  auto at = std::upper_bound(ranges.begin(), ranges.end(), address, below);
  if (at != ranges.begin() && at[-1].holds(address, size))
    return at[-1];
  char text[160];
  int length =
      std::snprintf(text, sizeof text,
                    "access of %llu bytes at 0x%llx outside every allocation",
                    (unsigned long long)size, (unsigned long long)address);
  if (at != ranges.begin())
    std::snprintf(text + length, sizeof text - size_t(length),
                  "; the one below ends at 0x%llx",
                  (unsigned long long)(at[-1].address + at[-1].size));
  throw SimError(text);
}
