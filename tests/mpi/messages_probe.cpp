// SPDX-License-Identifier: Apache-2.0
// The messages of the control plane against known answers, of every size from nothing to some hundred bytes, and the
// CPU time of ranks that sleep in waits. Exit code: 1 where one is wrong, on any rank.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <thread>

#include "core/mpi/group.hpp"

namespace {

int wrong = 0;

void expect(bool right, const char* what, int rank) {
  if (right) return;
  ++wrong;
  std::fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
}

std::string text_of(int rank) {
  return std::string(static_cast<std::size_t>(rank) * 37, static_cast<char>('a' + rank));
}

void check_answers(busbar::Group& group) {
  const int rank = group.rank(), ranks = group.size();
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<double> mine(n), greatest(n), all_of_them;
    for (std::size_t i = 0; i < n; ++i) mine[i] = greatest[i] = rank * 100.0 - static_cast<double>(i);
    for (int r = 0; r < ranks; ++r)
      for (std::size_t i = 0; i < n; ++i) all_of_them.push_back(r * 100.0 - static_cast<double>(i));
    expect(group.all_gather(std::span<const double>(mine)) == all_of_them, "all_gather of numbers", rank);
    group.max(greatest);
    for (std::size_t i = 0; i < n; ++i)
      expect(greatest[i] == (ranks - 1) * 100.0 - static_cast<double>(i), "max", rank);
  }
  const auto texts = group.all_gather(text_of(rank));
  for (int r = 0; r < ranks; ++r) {
    expect(texts[static_cast<std::size_t>(r)] == text_of(r), "all_gather of texts", rank);
    expect(group.broadcast(text_of(rank), r) == text_of(r), "broadcast", rank);
  }
}

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// All wait 0.4 s for the last rank, and use less than half of that.
void check_sleep(busbar::Group& group) {
  const int rank = group.rank();
  group.barrier();
  const double before_s = cpu_s();
  if (rank == group.size() - 1) std::this_thread::sleep_for(std::chrono::milliseconds(400));
  const bool last_came = group.any(rank == group.size() - 1);
  expect(last_came && cpu_s() - before_s < 0.2, "CPU time of a sleeping wait", rank);
}

}  // namespace

int main(int argc, char** argv) {
  const auto group = busbar::join_mpi(argc, argv);
  check_answers(*group);
  group->sleep_in_waits(true);
  check_answers(*group);
  check_sleep(*group);
  return group->any(wrong > 0) ? 1 : 0;
}
