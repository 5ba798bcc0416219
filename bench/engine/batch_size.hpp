// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

namespace busbar {

/// How many samples a visit to a case takes. A pure object.
struct BatchSize {
  double seconds = 0.01;  ///< what a visit should last: short against the states of a machine (0.2 to 3 s)
  int least = 3, most = 1001;
  std::uint64_t limit = ~std::uint64_t{0};  ///< samples of a case in all
  std::optional<std::uint64_t> fixed;       ///< the case takes exactly so many, in ten visits or as many as it takes
  static constexpr int fixed_visits = 10;

  /// `cycle_s`: what one sample takes with everything around it, 0 where not known yet; `taken`: samples before. An odd
  /// number, so that the median of the batch is one of them, unless the count is fixed. Never 0 while a fixed count is
  /// not reached.
  [[nodiscard]] int operator()(double cycle_s, std::uint64_t taken) const;
};

/// How many calls are timed as one where a single one is near what the timer can tell: a call shorter than 5 times
/// `timer_s` (the larger of the clock's step and the cost of reading it) is repeated until the group lasts 20 times
/// that; a power of 2, so that launches agree.
[[nodiscard]] int group_size(double call_s, double timer_s);

/// How many calls that are not timed come before a batch, each taking `cycle_s` with everything around it: half a
/// millisecond of them, one at least. What happens between visits leaves caches and branch predictors to others; without
/// these calls busbar's 8-byte allreduce was 2 to 3 % slower than a bare loop's, with them it is not (docs/method.md).
[[nodiscard]] int warm_up_calls(double cycle_s);

}  // namespace busbar
