// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace busbar {

/// Number of samples in one visit to a case. A pure object.
struct BatchSize {
  double seconds = 0.01;  ///< target length of a visit: short compared with the states of a machine (0.2 to 3 s)
  int least = 3, most = 1001;
  std::uint64_t limit = ~std::uint64_t{0};  ///< maximum samples per case, over all visits
  std::optional<std::uint64_t> fixed;       ///< exact number of samples of the case, in ten visits or more
  static constexpr int fixed_visits = 10;

  /// Sets the visit length so that `rounds` more rounds fit into `left_s`, between 2 ms and 10 ms. `round_s`: duration
  /// of a round at the current visit length.
  void fit(double left_s, double round_s, int rounds);

  /// Number of samples in the next visit. `cycle_s`: duration of one sample with all overhead, 0 if unknown; `taken`:
  /// samples so far; `at_least`: raises `least`. Without a fixed count the number is odd, so that the batch's median is
  /// one of its samples. With a fixed count `at_least` is ignored, and the result is 0 only after the last sample.
  [[nodiscard]] int operator()(double cycle_s, std::uint64_t taken, int at_least = 1) const;

  /// Number of untimed calls before the samples; `cycle_s` as above. They fill half a visit: at least one call, and
  /// with a fixed count no more than the visit's samples. The previous visit left caches, branch predictors and the CPU
  /// frequency set for other sizes. Without untimed calls an 8-byte allreduce was 2 to 3 % slower than in a bare loop;
  /// with 0.5 ms of them a 1 KiB allreduce sometimes still was.
  [[nodiscard]] int warm_up(double cycle_s) const;

 private:
  [[nodiscard]] std::uint64_t share() const { return (*fixed + fixed_visits - 1) / fixed_visits; }
};

/// Duration of a sample of a case.
struct SampleCycle {
  std::uint64_t bytes = 0;
  double cycle_s = 0;  ///< 0: not measured
};

/// Upper limit of a sample's duration if ranks share CPUs: a longer sample waited for one. It is five times that of a
/// case measured before, for up to twice its bytes, and grows with the bytes beyond; 0.5 ms and 10 ns a byte if there
/// is none.
[[nodiscard]] double longest_cycle(std::uint64_t bytes, const SampleCycle& before);

/// Number of calls timed as one sample. A call shorter than 5 x `timer_s` is repeated until the sample lasts 20 x
/// `timer_s`, which is the clock's step or read cost, whichever is larger. A power of 2, so that launches agree.
[[nodiscard]] int group_size(double call_s, double timer_s);

/// True if more than a quarter of the samples waited for a CPU: they took over five times `call_s`, the time of a
/// warm-up call, and 1 ms longer, as schedulers let another program run no shorter. Two ranks that share CPUs with
/// others may not run together for 0.1 s; calls of 0.3 us then take 8 ms each. False without samples.
[[nodiscard]] bool mostly_waits(std::vector<double> samples_s, double call_s);

}  // namespace busbar
