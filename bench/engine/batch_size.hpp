// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace busbar {

/// How many samples a visit to a case takes. A pure object.
struct BatchSize {
  double seconds = 0.01;  ///< what a visit should last: short against the states of a machine (0.2 to 3 s)
  int least = 3, most = 1001;
  std::uint64_t limit = ~std::uint64_t{0};  ///< samples of a case in all
  std::optional<std::uint64_t> fixed;       ///< the case takes exactly so many, in ten visits or as many as it takes
  static constexpr int fixed_visits = 10;

  /// Visits as long as leave room for `rounds` more of them in `left_s`, a round having taken `round_s` with visits as
  /// they are now: 10 ms at most, and 2 ms at least.
  void fit(double left_s, double round_s, int rounds);

  /// `cycle_s`: what one sample takes with everything around it, 0 where not known yet; `taken`: samples before. An odd
  /// number, so that the median of the batch is one of them, unless the count is fixed. Never 0 while a fixed count is
  /// not reached. `at_least`: more than `least`, unless the count is fixed.
  [[nodiscard]] int operator()(double cycle_s, std::uint64_t taken, int at_least = 1) const;

  /// How many calls that are not timed come before the samples, each taking `cycle_s` with everything around it: as
  /// many as fit into half a visit, one at least, and with a fixed count no more than the visit has samples. The visit
  /// before left caches, branch predictors and the processor's clock to other sizes: without these calls an 8-byte
  /// allreduce was 2 to 3 % slower than in a bare loop, with half a millisecond of them one of 1 KiB still was at
  /// times.
  [[nodiscard]] int warm_up(double cycle_s) const;

 private:
  [[nodiscard]] std::uint64_t share() const { return (*fixed + fixed_visits - 1) / fixed_visits; }
};

/// How many calls are timed as one where a single one is near what the timer can tell: a call shorter than 5 times
/// `timer_s` (the larger of the clock's step and the cost of reading it) is repeated until the group lasts 20 times
/// that; a power of 2, so that launches agree.
[[nodiscard]] int group_size(double call_s, double timer_s);

/// Whether more than a quarter of the samples waited for a CPU: they took more than five times `call_s`, which calls of
/// the warm-up took. Two ranks that take turns with other programs may never run at one time for a tenth of a second:
/// calls of 0.3 us then take 8 ms each. False without samples.
[[nodiscard]] bool mostly_waits(std::vector<double> samples_s, double call_s);

}  // namespace busbar
