// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faults.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace fake_gpu {
namespace {

// On a real device errors are asynchronous and permanent.
void run_work(const Work& work) {
  try {
    work();
  } catch (const Failure& failure) {
    stick(failure.code);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fake GPU: %s\n", error.what());
    stick(cudaErrorLaunchFailure);
  }
}

thread_local std::uint64_t looks_in_vain = 0;

}  // namespace

void require_yields(bool passed) {
  static const std::uint64_t most = setting("FAKE_GPU_POLLS", ~std::uint64_t{0});
  looks_in_vain = passed ? 0 : looks_in_vain + 1;
  if (looks_in_vain <= most) return;
  std::fprintf(stderr, "fake GPU: polled %llu times without sched_yield()\n",
               static_cast<unsigned long long>(looks_in_vain));
  std::abort();
}

void Mark::set() {
  at = std::chrono::steady_clock::now();
  done = true;
  done.notify_all();
}

void Queue::push(Work work) {
  const std::scoped_lock lock(mutex_);
  if (!started_) std::thread([self = shared_from_this()] { self->run(); }).detach();
  started_ = true;
  ++pushed_;
  waiting_.push_back(std::move(work));
  changed_.notify_one();
}

void Queue::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  changed_.notify_one();
}

bool Queue::idle() const { return done_ == pushed(); }

std::size_t Queue::pushed() const {
  const std::scoped_lock lock(mutex_);
  return pushed_;
}

void Queue::wait_for(std::size_t count) const {
  for (auto done = done_.load(); done < count; done = done_.load()) done_.wait(done);
}

void Queue::run() {
  for (;;) {
    Work work;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    if (stuck() == cudaSuccess) run_work(work);
    work = nullptr;  // what it holds is given up before anyone can see it done
    ++done_;
    done_.notify_all();
  }
}

}  // namespace fake_gpu

extern "C" int sched_yield() {
  fake_gpu::looks_in_vain = 0;
  return static_cast<int>(syscall(SYS_sched_yield));
}
