// SPDX-License-Identifier: Apache-2.0
// A library to be preloaded between busbar-bench and MPI: it makes each allreduce of the data plane longer by the share
// of its own time that the variable BUSBAR_TEST_DELAY says (0.05: 5 %), through MPI's profiling interface. With 0 it
// does all the same and waits for nothing, so that what the library itself costs is on both sides of a comparison.
#include <cstdlib>

#include <mpi.h>

#include "tests/mpi/data_plane.hpp"

namespace {

using busbar::test::is_data_plane;

double read_delay() {
  const char* text = std::getenv("BUSBAR_TEST_DELAY");
  return text == nullptr ? 0 : std::strtod(text, nullptr);
}

}  // namespace

extern "C" int MPI_Allreduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static const double delay = read_delay();
  const double begin = PMPI_Wtime();
  const int code = PMPI_Allreduce(send, recv, count, type, op, comm);
  if (!is_data_plane(comm)) return code;
  const double end = begin + (PMPI_Wtime() - begin) * (1 + delay);
  while (PMPI_Wtime() < end) {
  }
  return code;
}
