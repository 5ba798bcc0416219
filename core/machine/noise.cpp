// SPDX-License-Identifier: Apache-2.0
#include "core/machine/noise.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#include "core/machine/work.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;

constexpr double quantum_s = 2e-6;
constexpr double block_s = 5e-3;
constexpr double detour_ratio = 1.5;

/// Steps of work per quantum, from the fastest of several tries, which was not interrupted.
int steps_of_a_quantum() {
  static constexpr int steps = 10'000;
  double fastest_s = 1;
  for (int i = 0; i < 20; ++i) {
    const auto before = Clock::now();
    keep(work(steps, 1));
    fastest_s = std::min(fastest_s, duration<double>(Clock::now() - before).count());
  }
  return std::max(1, static_cast<int>(steps * quantum_s / std::max(fastest_s, 1e-9)));
}

std::vector<double> medians_of_blocks(std::span<const double> quanta_s, std::size_t in_a_block) {
  std::vector<double> medians;
  for (std::size_t first = 0; first < quanta_s.size(); first += in_a_block)
    medians.push_back(median(quanta_s.subspan(first, std::min(in_a_block, quanta_s.size() - first))));
  return medians;
}

/// The slowest of a block and its neighbours, so that a speed change within a block causes no detours.
double baseline(std::span<const double> medians, std::size_t block) {
  const auto first = block == 0 ? 0 : block - 1;
  return std::ranges::max(medians.subspan(first, std::min(block + 2, medians.size()) - first));
}

}  // namespace

Noise analyse_noise(std::span<const double> quanta_s) {
  if (quanta_s.empty()) return {};
  Noise noise{.measured_s = std::accumulate(quanta_s.begin(), quanta_s.end(), 0.0)};
  const auto in_a_block = std::max<std::size_t>(1, static_cast<std::size_t>(block_s / median(quanta_s)));
  std::vector<double> medians = medians_of_blocks(quanta_s, in_a_block);
  double stolen_s = 0;
  for (std::size_t i = 0; i < quanta_s.size(); ++i) {
    const double expected_s = baseline(medians, i / in_a_block);
    if (quanta_s[i] <= detour_ratio * expected_s) continue;
    const double detour_s = quanta_s[i] - expected_s;
    ++noise.detours;
    stolen_s += detour_s;
    noise.longest_s = std::max(noise.longest_s, detour_s);
  }
  noise.stolen_share = stolen_s / noise.measured_s;
  std::ranges::sort(medians);
  noise.speed_ratio = percentile(medians, 95) / percentile(medians, 5);
  return noise;
}

Noise measure_noise(double seconds) {
  const int steps = steps_of_a_quantum();
  std::vector<double> quanta_s(static_cast<std::size_t>(seconds / quantum_s) +
                               1);  // touched here, to avoid page faults later
  std::uint64_t state = 1;
  std::size_t taken = 0;
  const auto start = Clock::now();
  for (auto before = start; taken < quanta_s.size() && duration<double>(before - start).count() < seconds; ++taken) {
    state = work(steps, state);
    const auto after = Clock::now();
    quanta_s[taken] = duration<double>(after - before).count();
    before = after;
  }
  keep(state);
  return analyse_noise(std::span(quanta_s).first(taken));
}

}  // namespace busbar
