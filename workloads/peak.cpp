// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak.hpp"

#include <algorithm>

#include "core/local_clock.hpp"
#include "core/machine/work.hpp"
#include "workloads/peak/loop.hpp"

namespace busbar {

Peak measure_peak(double seconds) {
  constexpr std::int64_t rounds = 200'000;  // about a millisecond
  const peak::Kernel kernel = peak::best();
  Peak peak{.instructions = kernel.instructions};
  const std::int64_t end = steady_ns() + static_cast<std::int64_t>(seconds * 1e9);
  do {
    const std::int64_t begin = steady_ns();
    keep(static_cast<std::uint64_t>(kernel.run(rounds)));
    const double took_s = static_cast<double>(std::max<std::int64_t>(steady_ns() - begin, 1)) * 1e-9;
    peak.flop_per_s = std::max(peak.flop_per_s, kernel.flop_per_round * rounds / took_s);
  } while (steady_ns() < end);
  return peak;
}

}  // namespace busbar
