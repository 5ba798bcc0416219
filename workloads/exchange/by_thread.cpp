// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

#include "workloads/exchange/buckets.hpp"

namespace busbar {
namespace {

/// A helper thread runs blocking reductions, one bucket after the other, while this thread computes, like a separate
/// stream. It sleeps when it has nothing to reduce. Only the helper uses the reducer.
class ByThread final : public BucketExchange {
 public:
  using BucketExchange::BucketExchange;

  void ready(std::size_t end) override {
    {
      const std::lock_guard lock(mutex_);
      ready_ = end;
    }
    changed_.notify_all();
  }

  void finish() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reduced_ == buckets_.size() || problem_; });
    if (problem_) std::rethrow_exception(problem_);
    ready_ = reduced_ = 0;
  }

 private:
  [[nodiscard]] bool complete() const { return reduced_ < buckets_.size() && buckets_[reduced_].end <= ready_; }

  void help(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return complete(); })) {
      const std::span<float> bucket = part(reduced_);
      lock.unlock();
      const Stopwatch watch;
      std::exception_ptr problem;
      try {
        mean_of(reducer_, bucket);
      } catch (...) {
        problem = std::current_exception();
      }
      lock.lock();
      communicating_s_ += watch.seconds();
      problem_ = problem;
      if (!problem) ++reduced_;
      changed_.notify_all();
      if (problem) return;
    }
  }

  // Shared with the helper, guarded by mutex_
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t ready_ = 0, reduced_ = 0;
  std::exception_ptr problem_;
  std::jthread helper_{[this](const std::stop_token& stop) { help(stop); }};  // last: joins before members it uses
};

}  // namespace

extern const ExchangeKind by_thread{
    .name = "thread",
    .about = "each bucket when it is complete, in a helper thread",
    .make = &make_exchange<ByThread>,
};

}  // namespace busbar
