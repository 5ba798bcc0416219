// SPDX-License-Identifier: Apache-2.0
#pragma once

/// busbw / algbw: data per link of a flat ring over the size. It makes busbw comparable with the speed of a link for
/// any number of ranks. Source: NVIDIA nccl-tests, doc/PERFORMANCE.md; for gather, scatter and sendrecv its sources
/// only. 0 for one rank, which sends nothing over a link.
namespace busbar::bus_factor {

[[nodiscard]] inline double once(int /*ranks*/) { return 1; }
[[nodiscard]] inline double all_but_own(int ranks) { return static_cast<double>(ranks - 1) / ranks; }
[[nodiscard]] inline double twice_all_but_own(int ranks) { return 2 * all_but_own(ranks); }

}  // namespace busbar::bus_factor
