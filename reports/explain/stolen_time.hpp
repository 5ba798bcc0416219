// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "core/record/fwd.hpp"

namespace busbar::explain {

inline constexpr double most_stolen = 0.02;  ///< fraction of the CPUs' time over all cases; more is a finding

/// CPU time that the hypervisor took from a host during its cases.
struct StolenTime {
  double stolen_s = 0;  ///< summed over its CPUs; in ticks of 10 ms
  double cpu_s = 0;     ///< all CPUs' time: wall time times CPUs
  double wall_s = 0;

  /// Fraction of the CPUs' time; 0 without any.
  [[nodiscard]] double share() const { return cpu_s > 0 ? stolen_s / cpu_s : 0; }
};

/// By name of the host. Hosts whose kernel does not count it, or whose number of CPUs is unknown, are left out.
[[nodiscard]] std::map<std::string, StolenTime> stolen_by_host(const Run&);

}  // namespace busbar::explain
