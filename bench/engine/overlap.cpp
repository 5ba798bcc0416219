// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/overlap.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <thread>
#include <utility>

#include "core/machine/local_clock.hpp"
#include "core/machine/work.hpp"

namespace busbar {

void BusyLoop::run(int steps) {
  state_ = work(steps, state_);
  keep(state_);
}

void BusyLoop::set(double seconds) {
  constexpr int trial = 10'000;
  std::array<double, 5> took_s{};
  for (double& s : took_s) {
    const std::int64_t begin = steady_ns();
    run(trial);
    s = seconds_since(begin);
  }
  const auto middle = took_s.begin() + took_s.size() / 2;
  std::ranges::nth_element(took_s, middle);
  const double steps = seconds / *middle * trial;
  steps_ = static_cast<int>(std::clamp(steps, 1.0, static_cast<double>(std::numeric_limits<int>::max())));
}

/// A thread that tests a call until it is complete.
class OverlapWork::Helper {
 public:
  Helper() : thread_([this](const std::stop_token& stop) { serve(stop); }) {}
  ~Helper() {
    thread_.request_stop();
    wake();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void wake() {
    awake_ = true;
    awake_.notify_one();
  }
  void sleep() { awake_ = false; }
  /// The call must stay valid until join().
  void begin(Started& call) { call_.store(&call, std::memory_order_release); }
  /// Waits until the call is complete. Throws what its tests threw.
  void join() {
    while (call_.load(std::memory_order_acquire) != nullptr) std::this_thread::yield();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      awake_.wait(false);
      Started* const call = call_.load(std::memory_order_acquire);
      if (call != nullptr) {
        test_until_complete(*call);
        call_.store(nullptr, std::memory_order_release);
      }
      std::this_thread::yield();  // the rank may have no other CPU
    }
  }
  void test_until_complete(Started& call) noexcept {
    try {
      while (!call.test()) std::this_thread::yield();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  std::atomic<bool> awake_ = false;
  std::atomic<Started*> call_ = nullptr;
  std::exception_ptr failure_;
  std::jthread thread_;  // last: it uses the others
};

OverlapWork::OverlapWork(std::unique_ptr<Work> work) : work_(work ? std::move(work) : std::make_unique<BusyLoop>()) {}
OverlapWork::~OverlapWork() = default;

void OverlapWork::begin(Advance advance, double seconds) {
  constexpr double part_s = 10e-6, least = 4, most = 1000;
  advance_ = advance;
  work_->set(seconds);
  parts_ = work_->divisible() ? static_cast<int>(std::clamp(std::round(seconds / part_s), least, most)) : 1;
  if (advance != Advance::thread) return;
  if (!helper_) helper_ = std::make_unique<Helper>();
  helper_->wake();
}

void OverlapWork::rest() {
  if (helper_) helper_->sleep();
}

/// `tested`: tested after each part but the last, until it is complete; null: none.
void OverlapWork::work(Started* tested) {
  begin_ns_ = steady_ns();
  const int part = work_->steps() / parts_;
  for (int i = 1; i < parts_; ++i) {
    work_->run(part);
    if (tested != nullptr && tested->test()) tested = nullptr;
  }
  work_->run(work_->steps() - (parts_ - 1) * part);
  end_ns_ = steady_ns();
}

void OverlapWork::work_beside(Started& call) {
  if (advance_ != Advance::thread) return work(advance_ == Advance::poll ? &call : nullptr);
  helper_->begin(call);
  work(nullptr);
  helper_->join();
}

double OverlapWork::time_alone() {
  const std::int64_t begin = steady_ns();
  work(nullptr);
  const std::int64_t end = steady_ns();
  return 0.5e-9 * static_cast<double>((end - begin) + (end_ns_ - begin_ns_));
}

}  // namespace busbar
