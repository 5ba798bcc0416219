// SPDX-License-Identifier: Apache-2.0
#pragma once

/// busbw / algbw: how much of the data each link of a flat ring carries, relative to the size, so that busbw can be
/// held against the speed of a link whatever the number of ranks. NVIDIA nccl-tests, doc/PERFORMANCE.md; gather,
/// scatter and sendrecv are given in its sources only. One rank moves nothing over a link: the factor is then 0.
namespace busbar::bus_factor {

[[nodiscard]] inline double once(int /*ranks*/) { return 1; }
[[nodiscard]] inline double all_but_own(int ranks) { return static_cast<double>(ranks - 1) / ranks; }
[[nodiscard]] inline double twice_all_but_own(int ranks) { return 2 * all_but_own(ranks); }

}  // namespace busbar::bus_factor
