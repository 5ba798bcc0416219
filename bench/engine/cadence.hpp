// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

/// How a sample is started, and so part of what is measured: the same collective took 94 or 54 GB/s on one fabric,
/// streaming or with a barrier before each call (openucx/ucc, pull request 1326).
enum class Cadence {
  barrier,       ///< a barrier before each call, as OSU and IMB
  synchronised,  ///< every rank starts at the same time by synchronised clocks (window.hpp)
  streaming,     ///< calls back to back, timed together, as nccl-tests; a barrier before the first of them
  /// As in an application that computes in between: caches hold other data, and behind a barrier each rank waits for a
  /// time by chance. Timed from the last rank's start to the last one's end, so that waiting for others does not count.
  cold,
};

inline constexpr std::array<std::string_view, 4> cadence_names{"barrier", "synchronised", "streaming", "cold"};

/// Cadence::cold: ranks start up to so much behind the barrier, each time by chance and evenly spread. More than a
/// small call takes within a host, less than what ranks of applications differ by (A. Faraj, P. Patarasuk, X. Yuan: A
/// Study of Process Arrival Patterns for MPI Collective Operations, IJPP 2008).
inline constexpr double cold_skew_s = 100e-6;

[[nodiscard]] constexpr auto words_of(Cadence) { return cadence_names; }

}  // namespace busbar
