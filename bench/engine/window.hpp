// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "core/machine/local_clock.hpp"

namespace busbar {

/// Start times of a batch under the cadence `synchronised`: call i starts on every rank at begin(i), and is invalid if
/// a rank was late for it (S. Hunold, A. Carpen-Amarie: Reproducible MPI Benchmarking Is Still Not as Easy as You
/// Think, IEEE TPDS 2016, window-based process synchronisation; before them SKaMPI: T. Worsch, R. Reussner, W.
/// Augustin: On Benchmarking Collective MPI Operations, EuroPVM/MPI 2002).
struct Windows {
  std::int64_t start_ns = 0;   ///< global time of the first, agreed by the ranks
  std::int64_t length_ns = 0;  ///< from one start to the next; the same on every rank

  [[nodiscard]] std::int64_t begin(int i) const { return start_ns + i * length_ns; }
};

/// Waits until `now` shows `local_ns`. False, without waiting, if it was past that already: this rank is late. `yield`:
/// gives the core away between two looks, for more ranks than cores; it then comes back as late as the scheduler likes.
template <class Clock = std::int64_t (*)()>
[[nodiscard]] bool wait_until(std::int64_t local_ns, bool yield, Clock now = steady_ns) {
  if (now() > local_ns) return false;
  while (now() < local_ns) wait_towards(local_ns, yield ? Waiting::yield : Waiting::spin);
  return true;
}

/// How long the windows of one case are. A pure object, told what happened: rank 0 asks it between batches and tells
/// the others. Too short a window makes calls invalid, too long a one only costs time.
class WindowLength {
 public:
  /// From the warm-up calls, each from its start to the end of the check around it on the slowest rank, in seconds: 1.5
  /// times their median, since the first ones are cold. Not empty.
  explicit WindowLength(std::span<const double> warmup_s);

  [[nodiscard]] double seconds() const { return seconds_; }

  /// From agreeing on the first window of a batch to its opening: time in which every rank hears of it.
  [[nodiscard]] double lead_s() const { return lead_s_; }

  /// `invalid`: share of the calls of a batch that were, 0 to 1. Above a tenth, the next windows are longer by that
  /// share; at 0 they are shorter by a fiftieth, but not shorter than the median was. Where all were invalid the next
  /// lead is eight times as long, up to 0.1 s: a rank that waits for a core is ready after some turns of the others.
  void after_batch(double invalid);

 private:
  double least_s_, seconds_, lead_s_;
};

}  // namespace busbar
