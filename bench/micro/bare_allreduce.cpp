// SPDX-License-Identifier: Apache-2.0
// The loop that busbar-bench is held against: MPI_Barrier; t0; MPI_Allreduce; t1, and nothing else in it. Run by
// scripts/compare-bare-loop. Prints the median over calls of the slowest rank, in seconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) {
    std::fprintf(stderr,
                 "usage: bare_allreduce BYTES ITERATIONS (fp32, sum, out of place; 5 calls before the first sample)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int count = static_cast<int>(std::strtoul(argv[1], nullptr, 10) / sizeof(float));
  const std::size_t iterations = std::strtoul(argv[2], nullptr, 10);
  constexpr std::size_t page = 4096;
  const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(float) / page + 1) * page;
  auto* send = static_cast<float*>(std::aligned_alloc(page, bytes));
  auto* recv = static_cast<float*>(std::aligned_alloc(page, bytes));
  std::fill_n(send, count, 1.0F);
  std::fill_n(recv, count, 0.0F);

  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds(iterations);
  for (int i = 0; i < 5; ++i) MPI_Allreduce(send, recv, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  for (double& s : seconds) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto t0 = Clock::now();
    MPI_Allreduce(send, recv, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    const auto t1 = Clock::now();
    s = std::chrono::duration<double>(t1 - t0).count();
  }
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(iterations), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::sort(seconds.begin(), seconds.end());
  if (rank == 0) std::printf("%.9g\n", (seconds[(iterations - 1) / 2] + seconds[iterations / 2]) / 2);
  std::free(send);
  std::free(recv);
  MPI_Finalize();
}
