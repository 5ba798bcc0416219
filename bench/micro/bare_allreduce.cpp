// SPDX-License-Identifier: Apache-2.0
// The reference loop for busbar-bench, run by scripts/compare-bare-loop: MPI_Barrier; t0; MPI_Allreduce; t1. Visits its
// sizes in turn for about 10 ms each, repeatedly, so that each size sees all states of the machine. A sample is the
// slowest rank's time of one call. All sizes share two buffers of the largest size, as in busbar-bench. Prints a line
// per visit: bytes, median of its samples, pace of the slowest CPU, barrier time before the round (0: not settled), all
// times in seconds.
// "settled": settles like busbar-bench --settle yes, before and between rounds, so that both measure the same state of
// the machine. Pace is busbar's too, outside the timed part: it tells that state. Nothing else is shared.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "bench/engine/settler.hpp"
#include "core/machine/pace.hpp"
#include "core/mpi/group.hpp"
#include "stepped.hpp"

namespace {

constexpr double burst_seconds = 0.01;
constexpr std::size_t fewest = 5;
constexpr std::size_t most = 100'000;

struct Visit {
  double median_s = 0, pace_s = 0, barrier_s = 0;
};

struct Size {
  int count = 0;
  std::size_t calls = fewest;  // in the next burst
  std::vector<Visit> visits;
};

float* pages(int count, float value) {
  constexpr std::size_t page = 4096;
  const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(float) / page + 1) * page;
  auto* p = static_cast<float*>(std::aligned_alloc(page, bytes));
  std::fill_n(p, bytes / sizeof(float), value);
  return p;
}

struct Buffers {
  float* send = nullptr;
  float* recv = nullptr;
};

void call(const Size& s, const Buffers& b) {
  MPI_Allreduce(b.send, b.recv, s.count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

/// A barrier before each call; times each call.
void with_barriers(const Size& s, const Buffers& b, double* times) {
  for (std::size_t i = 0; i < s.calls; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto t0 = micro::Clock::now();
    call(s, b);
    const auto t1 = micro::Clock::now();
    times[i] = micro::seconds(t1 - t0);
  }
}

/// Back-to-back calls; their total time divided by the number of calls.
void streaming(const Size& s, const Buffers& b, double* times) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto t0 = micro::Clock::now();
  for (std::size_t i = 0; i < s.calls; ++i) call(s, b);
  const auto t1 = micro::Clock::now();
  times[0] = micro::seconds(t1 - t0) / static_cast<double>(s.calls);
}

}  // namespace

int main(int argc, char** argv) {
  const auto group = busbar::join_mpi(argc, argv);  // MPI_Init
  const std::string_view settle = argc > 4 ? argv[2] : "";
  const std::string_view cadence = argc > 4 ? argv[3] : "";
  if ((settle != "settled" && settle != "as-it-is") || (cadence != "barrier" && cadence != "streaming")) {
    std::fprintf(stderr,
                 "usage: bare_allreduce SECONDS settled|as-it-is barrier|streaming BYTES... (fp32, sum, out of "
                 "place; one host)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  std::optional<busbar::Settler> settler;
  if (settle == "settled") {
    settler.emplace(*group, std::vector<int>(static_cast<std::size_t>(group->size())));
    settler->begin(1e9);
  }
  const double budget = std::strtod(argv[1], nullptr);
  std::vector<Size> sizes;
  for (int i = 4; i < argc; ++i) {
    const int count = static_cast<int>(std::strtoul(argv[i], nullptr, 10) / sizeof(float));
    sizes.push_back({.count = count, .visits = {}});
  }
  const int largest = std::ranges::max(sizes, {}, &Size::count).count;
  const Buffers buffers{.send = pages(largest, 1.0F), .recv = pages(largest, 0.0F)};
  const double step = micro::clock_step();
  std::vector<double> times(most + 3);  // of a burst, plus its length, the time since the start, and the pace
  busbar::Pace pace;

  const auto start = micro::Clock::now();
  double elapsed = 0.0;
  for (int round = 0; round < 2 || elapsed < budget; ++round) {
    if (settler) settler->watch_barrier(elapsed, 1e9);
    for (Size& s : sizes) {
      const double pace_before_s = pace.measure();
      for (int i = 0; i < 5; ++i) call(s, buffers);
      const std::size_t samples = cadence == "barrier" ? s.calls : 1;
      const auto begin = micro::Clock::now();
      cadence == "barrier" ? with_barriers(s, buffers, times.data()) : streaming(s, buffers, times.data());
      const auto end = micro::Clock::now();
      times[samples] = micro::seconds(end - begin);
      times[samples + 1] = micro::seconds(end - start);
      times[samples + 2] = 0.5 * (pace_before_s + pace.measure());
      MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(samples + 3), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      elapsed = times[samples + 1];
      // The first round only determines how many calls take 10 ms. All ranks have the same numbers here.
      if (round > 0) {
        s.visits.push_back({.median_s = micro::stepped_median(
                                {times.begin(), times.begin() + static_cast<std::ptrdiff_t>(samples)}, step),
                            .pace_s = times[samples + 2],
                            .barrier_s = settler ? settler->last_barrier_s() : 0});
      }
      s.calls = static_cast<std::size_t>(
          std::clamp(static_cast<double>(s.calls) * burst_seconds / times[samples], double{fewest}, double{most}));
    }
  }

  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const Size& s : sizes)
    if (rank == 0)
      for (const Visit& v : s.visits)
        std::printf("%zu %.9g %.9g %.9g\n", static_cast<std::size_t>(s.count) * sizeof(float), v.median_s, v.pace_s,
                    v.barrier_s);
  std::free(buffers.send);
  std::free(buffers.recv);
}
