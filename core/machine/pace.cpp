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

constexpr std::size_t count = 4096;
constexpr std::size_t passes = 41;

/// One pass. No other thread uses the arrays, and the thread sanitizer would make this a hundred times slower and so
/// starve the tests.
template <class Lanes>
__attribute__((no_sanitize("thread"), noinline, aligned(64))) void pass_over(Lanes* sum, const Lanes* addend) {
  const Lanes half{0.5F, 0.5F, 0.5F, 0.5F};
#pragma GCC unroll 4
  for (std::size_t i = 0; i < count; ++i) sum[i] = half * sum[i] + half * addend[i];
}

}  // namespace

Pace::Pace() : sum_(count, Lanes{1, 1, 1, 1}), addend_(sum_) {}

double Pace::measure() {
  using Clock = std::chrono::steady_clock;
  std::array<double, passes> took_s{};
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const auto before = Clock::now();
    pass_over(sum_.data(), addend_.data());
    keep(std::bit_cast<std::uint32_t>(sum_[pass][0]));
    took_s[pass] = std::chrono::duration<double>(Clock::now() - before).count();
  }
  const auto middle = took_s.begin() + passes / 2;
  std::ranges::nth_element(took_s, middle);
  return *middle;
}

}  // namespace busbar
