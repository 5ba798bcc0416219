// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "core/backend/overlap.hpp"

namespace busbar {

/// A loop that keeps this CPU busy for a requested time. It uses registers only, so it competes with a call for the CPU
/// and not for caches or memory. Local.
class BusyLoop final : public Work {
 public:
  /// Takes about 0.1 ms.
  void set(double seconds) override;
  [[nodiscard]] int steps() const override { return steps_; }
  void run(int steps) override;

 private:
  int steps_ = 0;
  std::uint64_t state_ = 1;
};

/// The work of this rank between start and wait of a call, and what advances the call meanwhile. Local.
class OverlapWork final : public Beside {
 public:
  /// `work`: null for a BusyLoop.
  explicit OverlapWork(std::unique_ptr<Work> work = nullptr);
  ~OverlapWork() override;

  /// Before the calls of a visit: sets the work to `seconds`. For Advance::thread, starts the thread if
  /// there is none yet; it polls for work until rest(), and so occupies a CPU.
  void begin(Advance, double seconds);
  /// After the calls of a visit: the thread sleeps.
  void rest();

  /// Does the work. With Advance::poll, the call is tested about every 10 us, and between 4 and 1000 times, until it is
  /// complete. With Advance::thread, returns when the call is complete and the thread tests it no more.
  void work_beside(Started& call) override;
  /// Does the work without a call, in equal parts. Returns its duration in seconds, with two reads of the clock: a call
  /// alone includes one and a call with work three, so they cancel in hidden_share().
  [[nodiscard]] double time_alone();

  /// Begin and end of the last work, by this host's steady clock.
  [[nodiscard]] std::int64_t begin_ns() const { return begin_ns_; }
  [[nodiscard]] std::int64_t end_ns() const { return end_ns_; }

 private:
  class Helper;
  void work(Started* tested);

  std::unique_ptr<Work> work_;
  Advance advance_ = Advance::library;
  int parts_ = 1;
  std::int64_t begin_ns_ = 0, end_ns_ = 0;
  std::unique_ptr<Helper> helper_;
};

}  // namespace busbar
