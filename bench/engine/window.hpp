// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "core/machine/local_clock.hpp"

namespace busbar {

/// Start times of a batch under the cadence `synchronised`: call i starts on every rank at begin(i), and is invalid if
/// a rank was late (S. Hunold, A. Carpen-Amarie: Reproducible MPI Benchmarking Is Still Not as Easy as You Think, IEEE
/// TPDS 2016, window-based process synchronisation; first in SKaMPI: T. Worsch, R. Reussner, W. Augustin: On
/// Benchmarking Collective MPI Operations, EuroPVM/MPI 2002).
struct Windows {
  std::int64_t start_ns = 0;   ///< global time of the first start, agreed by the ranks
  std::int64_t length_ns = 0;  ///< distance between starts; the same on every rank

  [[nodiscard]] std::int64_t begin(int i) const { return start_ns + i * length_ns; }
};

/// Waits until `now` reaches `local_ns`. Returns false at once if that time has passed: this rank is late. `yield`:
/// yields the CPU between clock reads, for more ranks than cores; the scheduler may return it late.
template <class Clock = std::int64_t (*)()>
[[nodiscard]] bool wait_until(std::int64_t local_ns, bool yield, Clock now = steady_ns) {
  if (now() > local_ns) return false;
  while (now() < local_ns) wait_towards(local_ns, yield ? Waiting::yield : Waiting::spin);
  return true;
}

/// Adapts the window length of one case. A pure object: rank 0 feeds it between batches and broadcasts the result. Too
/// short a window invalidates calls; too long a window only costs time.
class WindowLength {
 public:
  /// `warmup_s`: durations of the warm-up calls on the slowest rank, each from its start to the end of its check, in
  /// seconds; not empty. Starts at 1.5 times the median, since the first calls are cold.
  explicit WindowLength(std::span<const double> warmup_s);

  [[nodiscard]] double seconds() const { return seconds_; }

  /// Delay between agreeing on the first window of a batch and its start, so that every rank knows it in time.
  [[nodiscard]] double lead_s() const { return lead_s_; }

  /// `invalid`: fraction of invalid calls in a batch, 0 to 1. Above 0.1 the next windows grow by that fraction; at 0
  /// they shrink by 2 %, down to the warm-up median. If all calls were invalid, the next lead is eight times as long,
  /// up to 0.1 s: a rank that waits for a core gets it after some time slices of others.
  void after_batch(double invalid);

 private:
  double least_s_, seconds_, lead_s_;
};

}  // namespace busbar
