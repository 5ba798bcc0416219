// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/machine/usage.hpp"

namespace busbar {

/// Whether something else had the processors while a stretch of time was measured.
struct Contention {
  std::vector<std::string> reasons;  ///< in words, "waited 12 % of the time for a CPU"; empty: none was seen
  [[nodiscard]] bool contended() const { return !reasons.empty(); }
};

/// Of one rank's batch of some milliseconds, by what the kernel counts finely enough for that: the time that the rank
/// waited for a CPU or lost (lost_s), or where the kernel does not tell that, whether it was sent off its CPU.
[[nodiscard]] Contention contention_in_batch(const Usage& rank);

/// Of a whole case on one host, by the usage of all ranks there (UsageMeter::whole) and the number of the host's CPUs.
/// What the whole host did counts in stretches of 0.2 s and more only: it is known in ticks of 10 ms.
[[nodiscard]] Contention contention_in_case(std::span<const Usage> ranks, int cpus);

}  // namespace busbar
