// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace busbar {

class ThreadRanks;

/// Reports why this rank aborts the job, before the other ranks are ended.
using LastWords = std::function<void(std::string_view why)>;

/// Control plane: the ranks of a job and the small messages with which they reach agreement. Never timed.
/// Every method except rank(), size(), threads(), sleep_in_waits(), send(), receive() and abort() is collective over
/// the group: all ranks call it, in the same order.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  virtual ~Group() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// What this rank's process shares if its threads are ranks (thread_group.hpp); null: the process is one rank.
  [[nodiscard]] virtual ThreadRanks* threads() { return nullptr; }
  virtual void barrier() = 0;
  /// A barrier in which waiting ranks sleep and so free their CPUs; takes up to 10 ms longer.
  virtual void barrier_asleep() = 0;
  /// Whether this rank sleeps while it waits for values of others (below) for more than 0.3 ms; default: no. For ranks
  /// that share their CPUs with other processes: a rank that polls uses up its time on the CPU while the awaited rank
  /// has none, after which they get their CPUs in turns. One that slept gets its CPU as soon as it wakes. Not
  /// collective.
  virtual void sleep_in_waits(bool /*sleeps*/) {}
  /// The values of all ranks in rank order. Every rank must pass the same number of them.
  [[nodiscard]] virtual std::vector<double> all_gather(std::span<const double> mine) = 0;
  /// The texts of all ranks in rank order.
  [[nodiscard]] virtual std::vector<std::string> all_gather(const std::string& mine) = 0;
  /// `text` of rank `root`, on every rank.
  [[nodiscard]] virtual std::string broadcast(std::string text, int root) = 0;
  /// Element-wise maximum over ranks, in place.
  virtual void max(std::span<double> values) = 0;

  /// Sends one number to rank `to`, which must call receive(). Numbers between two ranks arrive in order. Not
  /// collective; may return before or after delivery. Two ranks must alternate and send each other equally many: an
  /// extra message in one direction changes later measurements (core/mpi/group.cpp).
  virtual void send(int to, double value) = 0;
  /// Waits for the next number from rank `from`, which must be another rank. Not collective.
  [[nodiscard]] virtual double receive(int from) = 0;

  [[nodiscard]] std::vector<double> all_gather(double mine) { return all_gather(std::span<const double>(&mine, 1)); }
  /// `value` of rank 0, on every rank.
  [[nodiscard]] double broadcast(double value);
  [[nodiscard]] std::int64_t broadcast(std::int64_t value);
  /// True if `mine` is true on any rank.
  [[nodiscard]] bool any(bool mine);

  /// Ends every rank of the job with Exit::aborted. For faults after which ranks can no longer reach agreement.
  [[noreturn]] void abort(std::string_view why) noexcept {
    do_abort(why);
    std::abort();
  }

 private:
  virtual void do_abort(std::string_view why) noexcept = 0;
};

/// Collective over the group. Returns the worst verdict of all ranks, with the reason of the lowest such rank: "rank 2:
/// out of memory".
[[nodiscard]] Verdict agree(Group& group, const Verdict& mine);

/// Collective over the group. Rank 0 runs `step`; if that throws UsageError, every rank throws it.
void on_rank_0(Group& group, const std::function<void()>& step);

/// For steps in which ranks wait for each other. A rank that throws here cannot inform the others, so this aborts the
/// job at once, before any destructor waits on a broken communicator.
template <class Step>
auto or_abort(Group& group, Step step) noexcept {
  try {
    return step();
  } catch (const std::exception& e) {
    group.abort(e.what());
  }
}

}  // namespace busbar
