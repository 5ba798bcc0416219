// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/record/status.hpp"

namespace busbar {

/// Phases of a case's turn, in their order.
enum class Phase : std::uint8_t { preparing, warm_up, timed, writing };

/// Position among the calls of a turn. Later positions compare greater; equal positions compare equal on every rank.
struct Position {
  Phase phase = Phase::preparing;
  std::int64_t call = 0;  ///< from 1; 0: none yet
  bool checking = false;  ///< the call has returned; its result is being checked

  friend auto operator<=>(const Position&, const Position&) = default;
};

/// Text of at most N - 1 bytes, written by one process and readable by another at any time, even if the writer was
/// stopped or killed while writing.
template <std::size_t N>
class SharedText {
 public:
  void set(std::string_view text) noexcept {
    version_.fetch_add(1, std::memory_order_acq_rel);  // odd: being written
    const std::size_t n = std::min(text.size(), N - 1);
    for (std::size_t i = 0; i < n; ++i) bytes_[i].store(text[i], std::memory_order_relaxed);
    bytes_[n].store('\0', std::memory_order_relaxed);
    version_.fetch_add(1, std::memory_order_release);
  }
  [[nodiscard]] std::string get() const {
    std::string text;
    for (int attempt = 0; attempt < 1000; ++attempt) {
      const auto before = version_.load(std::memory_order_acquire);
      text.clear();
      for (std::size_t i = 0; i < N && bytes_[i].load(std::memory_order_relaxed) != '\0'; ++i)
        text += bytes_[i].load(std::memory_order_relaxed);
      if (before % 2 == 0 && version_.load(std::memory_order_acquire) == before) break;
    }
    return text;  // may mix old and new text if the writer died
  }

 private:
  std::atomic<std::uint32_t> version_ = 0;
  std::array<std::atomic<char>, N> bytes_{};
};

/// Position of a rank, written to memory shared with its guard (core/job/guard/), which reads it when the rank cannot
/// respond. Writing takes two stores and no system call. Safe in signal handlers.
class Progress {
 public:
  /// How the process ends, as far as the rank knows.
  enum class Fate : std::uint8_t {
    running,
    aborting,  ///< reason() says why; waits for acknowledge()
    over,      ///< ended normally
  };

  /// Begins a stretch with a limit: the start-up or a case's turn. `limit_s`: from now; 0: none. `flag`: its option.
  void enter(std::string_view what, std::string_view where, std::string_view flag, double limit_s);
  /// Names the next step within the same stretch and limit.
  void step(std::string_view what);
  /// The rank waits for others, without a limit of its own.
  void rest();
  void set_calls(std::int64_t calls) noexcept { calls_.store(calls, std::memory_order_relaxed); }
  void at(Phase phase, std::int64_t call = 0, bool checking = false) noexcept {
    position_.store((static_cast<std::uint64_t>(phase) << 56U) | (static_cast<std::uint64_t>(call) << 1U) |
                        static_cast<std::uint64_t>(checking),
                    std::memory_order_relaxed);
  }
  /// Called by the guard: adds time during which the whole job was suspended.
  void extend(std::int64_t ns) noexcept {
    if (deadline_ns_ != 0) deadline_ns_ += ns;
  }
  void abort(std::string_view why) noexcept;
  void end() noexcept { fate_.store(Fate::over, std::memory_order_release); }
  void note_signal(int signal) noexcept { signal_.store(signal, std::memory_order_relaxed); }
  void count(const CaseCounts& counts) noexcept;
  /// The record is complete; nobody else may write to it.
  void note_record_ended() noexcept { record_ended_.store(true, std::memory_order_release); }
  void acknowledge() noexcept { acknowledged_.store(true, std::memory_order_release); }

  [[nodiscard]] std::string what() const { return what_.get(); }
  [[nodiscard]] std::string where() const { return where_.get(); }
  [[nodiscard]] std::string flag() const { return flag_.get(); }
  [[nodiscard]] std::string reason() const { return reason_.get(); }
  [[nodiscard]] Fate fate() const { return fate_.load(std::memory_order_acquire); }
  /// Number of stretches entered: equal on all ranks that take part in all of them.
  [[nodiscard]] std::uint64_t turn() const { return turn_.load(std::memory_order_relaxed); }
  [[nodiscard]] Position position() const;
  /// Calls in the batch of position().
  [[nodiscard]] std::int64_t calls() const { return calls_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool resting() const { return resting_.load(std::memory_order_relaxed); }
  /// By steady_ns(); 0: no limit.
  [[nodiscard]] std::int64_t deadline_ns() const { return deadline_ns_.load(std::memory_order_relaxed); }
  [[nodiscard]] double limit_s() const { return limit_s_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t began_ns() const { return began_ns_; }
  /// Last signal that asked the rank to end; 0: none.
  [[nodiscard]] int signal() const { return signal_.load(std::memory_order_relaxed); }
  [[nodiscard]] CaseCounts counts() const;
  [[nodiscard]] bool record_ended() const { return record_ended_.load(std::memory_order_acquire); }
  [[nodiscard]] bool acknowledged() const { return acknowledged_.load(std::memory_order_acquire); }

 private:
  // Values written per call have their own cache line.
  alignas(64) std::atomic<std::uint64_t> position_ = 0;
  alignas(64) std::atomic<std::int64_t> calls_ = 0;
  std::atomic<std::int64_t> deadline_ns_ = 0;
  std::atomic<double> limit_s_ = 0;
  std::int64_t began_ns_ = 0;
  std::atomic<std::uint64_t> turn_ = 0;
  std::atomic<bool> resting_ = false, record_ended_ = false, acknowledged_ = false;
  std::atomic<int> signal_ = 0, ok_ = 0, partial_ = 0, skipped_ = 0, failed_ = 0;
  std::atomic<Fate> fate_ = Fate::running;
  SharedText<192> what_;
  SharedText<64> where_;
  SharedText<32> flag_;
  SharedText<1024> reason_;

 public:
  Progress();
};

}  // namespace busbar
