// SPDX-License-Identifier: Apache-2.0
// The reference loop for busbar-bench, run by scripts/compare-bare-loop: MPI_Barrier; t0; MPI_Allreduce; t1. Visits its
// sizes in turn for about 10 ms each, repeatedly, so that each size sees all states of the machine. A sample is the
// slowest rank's time of one call. Prints per size the median over bursts of the bursts' medians, in seconds.
// "settled": settles like busbar-bench --settle yes, before and between rounds, so that both measure the same state of
// the machine. Nothing else is shared.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "bench/engine/settler.hpp"
#include "core/mpi/group.hpp"
#include "stepped.hpp"

namespace {

constexpr double burst_seconds = 0.01;
constexpr std::size_t fewest = 5;
constexpr std::size_t most = 100'000;

struct Size {
  int count = 0;
  float* send = nullptr;
  float* recv = nullptr;
  std::size_t calls = fewest;  // in the next burst
  std::vector<double> medians;
};

float* pages(int count, float value) {
  constexpr std::size_t page = 4096;
  const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(float) / page + 1) * page;
  auto* p = static_cast<float*>(std::aligned_alloc(page, bytes));
  std::fill_n(p, bytes / sizeof(float), value);
  return p;
}

void call(const Size& s) { MPI_Allreduce(s.send, s.recv, s.count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }

/// A barrier before each call; times each call.
void with_barriers(const Size& s, double* times) {
  for (std::size_t i = 0; i < s.calls; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto t0 = micro::Clock::now();
    call(s);
    const auto t1 = micro::Clock::now();
    times[i] = micro::seconds(t1 - t0);
  }
}

/// Back-to-back calls; their total time divided by the number of calls.
void streaming(const Size& s, double* times) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto t0 = micro::Clock::now();
  for (std::size_t i = 0; i < s.calls; ++i) call(s);
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
    sizes.push_back({.count = count, .send = pages(count, 1.0F), .recv = pages(count, 0.0F), .medians = {}});
  }
  const double step = micro::clock_step();
  std::vector<double> times(most + 2);  // of a burst, plus its length and the time since the start

  const auto start = micro::Clock::now();
  double elapsed = 0.0;
  for (int round = 0; round < 2 || elapsed < budget; ++round) {
    if (settler) settler->watch_barrier(elapsed, 1e9);
    for (Size& s : sizes) {
      for (int i = 0; i < 5; ++i) call(s);
      const std::size_t samples = cadence == "barrier" ? s.calls : 1;
      const auto begin = micro::Clock::now();
      cadence == "barrier" ? with_barriers(s, times.data()) : streaming(s, times.data());
      const auto end = micro::Clock::now();
      times[samples] = micro::seconds(end - begin);
      times[samples + 1] = micro::seconds(end - start);
      MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(samples + 2), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      elapsed = times[samples + 1];
      // The first round only determines how many calls take 10 ms. All ranks have the same numbers here.
      if (round > 0) {
        s.medians.push_back(
            micro::stepped_median({times.begin(), times.begin() + static_cast<std::ptrdiff_t>(samples)}, step));
      }
      s.calls = static_cast<std::size_t>(
          std::clamp(static_cast<double>(s.calls) * burst_seconds / times[samples], double{fewest}, double{most}));
    }
  }

  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (Size& s : sizes) {
    std::sort(s.medians.begin(), s.medians.end());
    const std::size_t n = s.medians.size();
    if (rank == 0) {
      std::printf("%zu %.9g %zu\n", static_cast<std::size_t>(s.count) * sizeof(float),
                  (s.medians[(n - 1) / 2] + s.medians[n / 2]) / 2, n);
    }
    std::free(s.send);
    std::free(s.recv);
  }
}
