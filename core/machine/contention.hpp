// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/machine/usage.hpp"

namespace busbar {

/// Whether other processes or the hypervisor used the CPUs during a measurement.
struct Contention {
  std::vector<std::string> reasons;  ///< in words, "runnable but not running 12 % of the time"; empty if none
  [[nodiscard]] bool contended() const { return !reasons.empty(); }
};

/// Contention in one rank's batch of some milliseconds: the time that the rank waited for a CPU or lost (lost_s) or, if
/// its waiting time is unknown, involuntary context switches.
[[nodiscard]] Contention contention_in_batch(const Usage& rank);

/// Contention in a whole case on one host, from the usage of all its ranks (UsageMeter::whole) and its number of CPUs.
/// Host-wide usage has a resolution of 10 ms, so it counts only from 0.2 s on.
[[nodiscard]] Contention contention_in_case(std::span<const Usage> ranks, int cpus);

}  // namespace busbar
