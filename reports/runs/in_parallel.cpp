// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/in_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace busbar::report {

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work, std::size_t least) {
  std::vector<std::exception_ptr> problems(count);
  std::atomic<std::size_t> next{0};
  const auto take_turns = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        problems[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t cpus = std::thread::hardware_concurrency(), threads = std::min(std::max(cpus, least), count);
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(take_turns);
    take_turns();
  }
  for (const auto& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
}

}  // namespace busbar::report
