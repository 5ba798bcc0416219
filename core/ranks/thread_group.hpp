// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <barrier>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/ranks/group.hpp"

namespace busbar {

/// A barrier of threads that poll, then yield their CPUs, and sleep after a millisecond.
class PolledBarrier {
 public:
  explicit PolledBarrier(int threads) : threads_(threads) {}
  void arrive_and_wait();

 private:
  const int threads_;
  alignas(64) std::atomic<int> arrived_ = 0;
  alignas(64) std::atomic<unsigned> round_ = 0;
};

/// What the threads of a process share that are ranks of one job.
class ThreadRanks {
 public:
  /// `processes`: the group of the processes, which must outlive this and have equally many threads; null: only one
  /// process. Its methods are called by one thread at a time.
  explicit ThreadRanks(int threads, Group* processes = nullptr);

  [[nodiscard]] int size() const { return size_; }
  /// What the first thread makes, for all of them. Collective over the threads of this process; `thread`: this one.
  template <class Made, class Make>
  [[nodiscard]] std::shared_ptr<Made> share(int thread, Make make) {
    if (thread == 0) shared_ = make();
    meet_.arrive_and_wait();
    auto mine = std::static_pointer_cast<Made>(shared_);
    meet_.arrive_and_wait();
    if (thread == 0) shared_.reset();
    return mine;
  }

 private:
  friend class ThreadGroup;

  /// Passes one number from one thread to another. The next one waits until it is taken.
  class Mailbox {
   public:
    void put(double value);
    [[nodiscard]] double take();

   private:
    void flip(bool full);
    std::atomic<bool> full_ = false;
    double value_ = 0;
  };

  const int size_;
  Group* const processes_;
  PolledBarrier meet_;
  std::barrier<> meet_asleep_;
  std::vector<Mailbox> mail_;  ///< a row per sender
  // What each thread gives, and what all get. The first thread reads the one and writes the other, between two
  // meetings.
  std::vector<std::span<const double>> given_values_;
  std::vector<std::string> given_texts_;
  std::vector<double> values_;
  std::vector<std::string> texts_;
  std::shared_ptr<void> shared_;
  std::mutex aborting_;
};

/// Number of ranks of this rank's process.
[[nodiscard]] inline int ranks_of_process(Group& group) {
  return group.threads() != nullptr ? group.threads()->size() : 1;
}
/// Number of this rank among them.
[[nodiscard]] inline int rank_in_process(Group& group) { return group.rank() % ranks_of_process(group); }

/// Ranks that are threads: rank `process * threads + thread`. Its collective methods wait for all threads of the
/// process, whose first thread then calls the same method of the processes' group.
class ThreadGroup : public Group {
 public:
  /// For thread `thread` of the process. `last_words`: called before the job is aborted; null: `processes` reports.
  ThreadGroup(ThreadRanks& ranks, int thread, LastWords last_words = nullptr)
      : ranks_(ranks), thread_(thread), last_words_(std::move(last_words)) {}

  [[nodiscard]] int rank() const override { return process() * ranks_.size_ + thread_; }
  [[nodiscard]] int size() const override;
  [[nodiscard]] ThreadRanks* threads() override { return &ranks_; }
  void barrier() override;
  void barrier_asleep() override;
  /// For messages between processes.
  void sleep_in_waits(bool sleeps) override;
  using Group::all_gather;
  [[nodiscard]] std::vector<double> all_gather(std::span<const double> mine) override;
  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override;
  [[nodiscard]] std::string broadcast(std::string text, int root) override;
  void max(std::span<double> values) override;
  /// Between threads of a process, and between the first threads of processes. Throws Error for others.
  void send(int to, double value) override;
  [[nodiscard]] double receive(int from) override;

 private:
  [[nodiscard]] int process() const;
  [[nodiscard]] bool is_here(int rank) const { return rank / ranks_.size_ == process(); }
  /// The group of the processes, for a message to or from `rank`.
  [[nodiscard]] Group& between_processes(int rank) const;
  [[nodiscard]] ThreadRanks::Mailbox& mailbox(int from, int to) const;
  template <class Step>
  void lead(Step step);
  void do_abort(std::string_view why) noexcept override;

  ThreadRanks& ranks_;
  const int thread_;
  LastWords last_words_;
};

}  // namespace busbar
