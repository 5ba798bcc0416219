// SPDX-License-Identifier: Apache-2.0
// A library to preload between busbar-bench and MPI. Through MPI's profiling interface it extends each allreduce of
// the data plane by a share of its own time: BUSBAR_TEST_DELAY (0.05: 5 %). With 0 it does the same without waiting,
// so that both sides of a comparison have the cost of the library. BUSBAR_TEST_LATE=RANK:SECONDS makes that rank of the
// job sleep before each.
#include <chrono>
#include <cstdlib>
#include <thread>

#include <mpi.h>

#include "tests/mpi/data_plane.hpp"

namespace {

using busbar::test::is_data_plane;

double read_delay() {
  const char* text = std::getenv("BUSBAR_TEST_DELAY");
  return text == nullptr ? 0 : std::strtod(text, nullptr);
}

/// Seconds that this rank sleeps before each allreduce.
double read_late() {
  const char* text = std::getenv("BUSBAR_TEST_LATE");
  if (text == nullptr) return 0;
  char* colon = nullptr;
  const long late = std::strtol(text, &colon, 10);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == late && *colon == ':' ? std::strtod(colon + 1, nullptr) : 0;
}

}  // namespace

extern "C" int MPI_Allreduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static const double delay = read_delay();
  static const double late_s = read_late();
  if (late_s > 0 && is_data_plane(comm)) std::this_thread::sleep_for(std::chrono::duration<double>(late_s));
  const double begin = PMPI_Wtime();
  const int code = PMPI_Allreduce(send, recv, count, type, op, comm);
  if (!is_data_plane(comm)) return code;
  const double end = begin + (PMPI_Wtime() - begin) * (1 + delay);
  while (PMPI_Wtime() < end) {
  }
  return code;
}
