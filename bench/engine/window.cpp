// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/window.hpp"

#include <algorithm>

#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

constexpr double shortest_s = 1e-6, longest_s = 60;
constexpr double most_invalid = 0.1, shrink = 0.98, spare = 1.5;
constexpr double shortest_lead_s = 100e-6, longest_lead_s = 0.1;

}  // namespace

WindowLength::WindowLength(std::span<const double> warmup_s)
    : least_s_(std::clamp(median(warmup_s), shortest_s, longest_s)),
      seconds_(std::min(spare * least_s_, longest_s)),
      lead_s_(shortest_lead_s) {}

void WindowLength::after_batch(double invalid) {
  if (invalid > most_invalid) seconds_ *= 1 + invalid;
  if (invalid == 0) seconds_ *= shrink;
  seconds_ = std::clamp(seconds_, least_s_, longest_s);
  if (invalid >= 1) lead_s_ *= 8;
  if (invalid == 0) lead_s_ /= 2;
  lead_s_ = std::clamp(lead_s_, shortest_lead_s, longest_lead_s);
}

}  // namespace busbar
