// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

namespace busbar {

/// Where an emulated device is in its work, given a clock on this machine whose waits overshoot. Arithmetic alone: who
/// uses it reads the clock. All times in nanoseconds of that clock.
///
/// A device is done at a deadline; whoever waits for it wakes later, by some 50 us, or by milliseconds where many ranks
/// share a core. That lateness is this machine's, and a step has hundreds of waits. What the caller does between two
/// phases (communication) took as long as it took. So device and clock are kept apart: the device is behind the clock
/// by the overshoot of the last wait, and by nothing else. A phase begins where the device is, which is the last
/// deadline plus what the caller has spent since; within a phase, work that begins late is due no later. Hence lateness
/// never adds up, neither in a step nor over steps, and the caller's time is never forgiven.
///
/// What follows: a phase is shorter than its profile by as much as the phase before it came late. Ranks that wait for
/// each other take up the difference between their overshoots, not its sum.
class DeviceTime {
 public:
  /// A phase begins: the device has nothing to do until it is given work.
  void begin(std::int64_t now) { at_ = now - late_; }
  /// When the device is done with `work` more, which follows on what it was given before in this phase.
  [[nodiscard]] std::int64_t add(std::int64_t work) { return at_ += work; }
  /// The wait for it went from `asked` to `woke`. Whoever asks after the deadline did so because a wait overshot, which
  /// the device has made up in part by now, or because the caller was busy, which is nobody's lateness.
  void waited(std::int64_t asked, std::int64_t woke) { late_ = woke - std::max(at_, asked - late_); }
  /// How far the clock is ahead of the device: what the last wait overshot.
  [[nodiscard]] std::int64_t late() const { return late_; }

 private:
  std::int64_t at_ = 0, late_ = 0;
};

}  // namespace busbar
