// SPDX-License-Identifier: Apache-2.0
// A control that measures as today's tools do, run by scripts/compare-repeatability and scripts/compare-sweep-time: one
// size after the other, a fixed number of calls of it back to back with a barrier between them, and the mean. As
// osu_allreduce of OSU 7.4 (c/mpi/collective/blocking/osu_allreduce.c; its defaults in c/util/osu_util.h: 1000 calls
// after 100 of warm-up up to 8 KiB, above that 100 after 10; -i and -x set both), which reports the mean over ranks of
// each rank's mean over calls.
//
// Prints a line a size: bytes, calls, OSU's mean; of the samples (slowest rank of a call) the median, an interval for
// it that takes calls as independent (95 %, order statistics); seconds that the size took, warm-up and barriers
// included; and the medians of 20 blocks of calls that follow each other. All in seconds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "stepped.hpp"

namespace {

constexpr std::size_t blocks = 20;
constexpr std::size_t large = 8192;  // OSU's LARGE_MESSAGE_SIZE

float* pages(std::size_t bytes, float value) {
  constexpr std::size_t page = 4096;
  const std::size_t whole = (bytes / page + 1) * page;
  auto* p = static_cast<float*>(std::aligned_alloc(page, whole));
  std::fill_n(p, whole / sizeof(float), value);
  return p;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool defaults = argc > 2 && std::string_view(argv[1]) == "osu";
  const std::size_t fixed = argc > 2 ? std::strtoul(argv[1], nullptr, 10) : 0;
  if (!defaults && fixed < blocks) {
    std::fprintf(stderr, "usage: burst_control CALLS|osu BYTES... (CALLS from 20; fp32, sum, out of place)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::size_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::strtoul(argv[i], nullptr, 10));
  const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
  float* send = pages(largest, 1.0F);
  float* recv = pages(largest, 0.0F);
  const double step = micro::clock_step();

  for (const std::size_t bytes : sizes) {
    const std::size_t calls = defaults ? (bytes > large ? 100 : 1000) : fixed;
    const std::size_t skip = bytes > large ? 10 : 100;
    const int count = static_cast<int>(bytes / sizeof(float));
    std::vector<double> times(calls);

    MPI_Barrier(MPI_COMM_WORLD);
    const auto begin = micro::Clock::now();
    for (std::size_t i = 0; i < calls + skip; ++i) {
      const auto t0 = micro::Clock::now();
      MPI_Allreduce(send, recv, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      const auto t1 = micro::Clock::now();
      MPI_Barrier(MPI_COMM_WORLD);
      if (i >= skip) times[i - skip] = micro::seconds(t1 - t0);
    }
    const double took = micro::seconds(micro::Clock::now() - begin);

    double mean = 0.0;
    for (const double t : times) mean += t / static_cast<double>(calls) / ranks;
    MPI_Allreduce(MPI_IN_PLACE, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(calls), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank != 0) continue;
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    const double reach = 1.96 / 2 / std::sqrt(static_cast<double>(calls));
    std::printf("%zu %zu %.9g %.9g %.9g %.9g %.9g", bytes, calls, mean, micro::stepped_quantile(sorted, 0.5, step),
                micro::stepped_quantile(sorted, 0.5 - reach, step), micro::stepped_quantile(sorted, 0.5 + reach, step),
                took);
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto at = [&](std::size_t i) { return times.begin() + static_cast<std::ptrdiff_t>(i * calls / blocks); };
      std::printf(" %.9g", micro::stepped_median({at(b), at(b + 1)}, step));
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  std::free(send);
  std::free(recv);
  MPI_Finalize();
}
