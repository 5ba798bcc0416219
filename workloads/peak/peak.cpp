// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak/peak.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

#include "core/machine/local_clock.hpp"
#include "core/machine/work.hpp"
#include "workloads/peak/instructions.hpp"

namespace busbar {

namespace {

double best_of_thread(const peak::Instructions& set, double seconds) {
  constexpr std::int64_t rounds = 200'000;  // about a millisecond; about six with AMX
  double best = 0;
  const std::int64_t end = steady_ns() + static_cast<std::int64_t>(seconds * 1e9);
  do {
    const std::int64_t begin = steady_ns();
    keep(static_cast<std::uint64_t>(set.run(rounds)));
    const double took_s = static_cast<double>(std::max<std::int64_t>(steady_ns() - begin, 1)) * 1e-9;
    best = std::max(best, set.flop_per_round * rounds / took_s);
  } while (steady_ns() < end);
  return best;
}

Peak measure(const peak::Instructions& set, double seconds, int threads) {
  std::vector<double> best(static_cast<std::size_t>(threads));
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < best.size(); ++t)
      others.emplace_back([&, t] { best[t] = best_of_thread(set, seconds); });
    best[0] = best_of_thread(set, seconds);
  }
  return {.type = set.type, .instructions = set.name, .flop_per_s = std::accumulate(best.begin(), best.end(), 0.0)};
}

/// Instruction sets of this CPU. The baseline counts only if there is no other.
std::vector<const peak::Instructions*> usable() {
  std::vector<const peak::Instructions*> sets;
  for (const peak::Instructions* set : table<peak::Instructions>())
    if (peak::has(set->feature)) sets.push_back(set);
  if (sets.size() > 1) std::erase_if(sets, [](const auto* set) { return set->feature == peak::Feature::none; });
  return sets;
}

}  // namespace

std::vector<Peak> measure_peaks(double seconds, int threads) {
  const auto sets = usable();
  std::vector<Peak> best;
  for (const peak::Instructions* set : sets) {
    const Peak peak = measure(*set, seconds / static_cast<double>(sets.size()), threads);
    const auto same = std::ranges::find(best, peak.type, &Peak::type);
    if (same == best.end())
      best.push_back(peak);
    else if (same->flop_per_s < peak.flop_per_s)
      *same = peak;
  }
  return best;
}

bool has_bf16_instructions() { return peak::has(peak::Feature::avx512_bf16) || peak::has(peak::Feature::amx_bf16); }

}  // namespace busbar
