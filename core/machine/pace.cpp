// SPDX-License-Identifier: Apache-2.0
#include "core/machine/pace.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>

#include "core/machine/work.hpp"

namespace busbar {
namespace {

constexpr std::size_t count = 16384;
constexpr std::size_t passes = 41;

}  // namespace

Pace::Pace() : sum_(count, 1.F), addend_(count, 1.F) {}

double Pace::measure() {
  using Clock = std::chrono::steady_clock;
  std::array<double, passes> took_s{};
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const auto before = Clock::now();
    for (std::size_t i = 0; i < count; ++i) sum_[i] = 0.5F * sum_[i] + 0.5F * addend_[i];
    keep(std::bit_cast<std::uint32_t>(sum_[pass]));
    took_s[pass] = std::chrono::duration<double>(Clock::now() - before).count();
  }
  const auto middle = took_s.begin() + passes / 2;
  std::ranges::nth_element(took_s, middle);
  return *middle;
}

}  // namespace busbar
