// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "core/base/enum_words.hpp"

namespace busbar {

/// How each sample is started. This is part of what is measured: on one fabric the same collective reached 94 or 54
/// GB/s, streaming or with a barrier before each call (openucx/ucc, pull request 1326).
enum class Cadence {
  barrier,       ///< a barrier before each call, as in OSU and IMB
  synchronised,  ///< all ranks start at the same time by synchronised clocks (window.hpp)
  streaming,     ///< back-to-back calls, timed together, as in nccl-tests; a barrier before the first
  /// Imitates an application that computes between calls: caches hold other data, and after a barrier each rank waits a
  /// random time. Timed from the last rank's start to the last rank's end, so that waiting for others does not count.
  cold,
  /// The calls of a recorded trace in their order, each at once after the one before (bench/replay/). Timed as cold
  /// ones: from the last rank's start.
  replay,
  replay_gaps,  ///< the same, with the time between calls that the trace has
};

inline constexpr std::array<std::string_view, 6> cadence_names{"barrier", "synchronised", "streaming",
                                                               "cold",    "replay",       "replay_gaps"};

/// Cadence::cold: maximum random delay after the barrier, uniformly distributed. Longer than a small call within a
/// host, shorter than arrival skews in applications (A. Faraj, P. Patarasuk, X. Yuan: A Study of Process Arrival
/// Patterns for MPI Collective Operations, IJPP 2008).
inline constexpr double cold_skew_s = 100e-6;

/// True if a call is timed from the last rank's start to the last rank's end, so that waiting for others does not
/// count.
[[nodiscard]] constexpr bool from_last_start(Cadence c) {
  return c == Cadence::cold || c == Cadence::replay || c == Cadence::replay_gaps;
}

/// True if a sample starts as soon as this rank leaves a barrier of all ranks.
[[nodiscard]] constexpr bool starts_by_barrier(Cadence c) { return c == Cadence::barrier || c == Cadence::streaming; }

[[nodiscard]] constexpr auto words_of(Cadence) { return cadence_names; }

}  // namespace busbar
