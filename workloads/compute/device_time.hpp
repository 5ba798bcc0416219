// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

namespace busbar {

/// Timeline of an emulated device, given a local clock whose waits overshoot. Pure arithmetic: the caller reads the
/// clock. All times are in nanoseconds of that clock.
///
/// The device finishes at a deadline; a thread that waits for it wakes later, by some 50 us, or by milliseconds if many
/// ranks share a core. This overshoot is an artefact of the host, and a step has hundreds of waits. The caller's time
/// between two phases (communication) is real. The device therefore runs behind the clock by the overshoot of the last
/// wait and nothing else. A phase starts at the device's time: the last deadline plus the caller's time since. Work
/// that starts late within a phase keeps its deadline. So overshoot never accumulates, and the caller's time always
/// counts.
///
/// As a result, a phase is shorter than its profile by the overshoot of the phase before. Ranks that wait for each
/// other absorb the difference between their overshoots, not the sum.
class DeviceTime {
 public:
  /// Starts a phase: the device is idle until add().
  void begin(std::int64_t now) { at_ = now - late_; }
  /// Returns when the device finishes `work` more nanoseconds, queued behind this phase's earlier work.
  [[nodiscard]] std::int64_t add(std::int64_t work) { return at_ += work; }
  /// Records a wait from `asked` to `woke`. If `asked` is past the deadline, either a previous wait overshot, which the
  /// device has partly made up for, or the caller was busy, which is not overshoot.
  void waited(std::int64_t asked, std::int64_t woke) { late_ = woke - std::max(at_, asked - late_); }
  /// Overshoot of the last wait: how far the clock is ahead of the device.
  [[nodiscard]] std::int64_t late() const { return late_; }

 private:
  std::int64_t at_ = 0, late_ = 0;
};

}  // namespace busbar
