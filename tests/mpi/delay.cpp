// SPDX-License-Identifier: Apache-2.0
// A library to be preloaded between busbar-bench and MPI: it makes each allreduce of the data plane longer by the share
// of its own time that the variable BUSBAR_TEST_DELAY says (0.05: 5 %), through MPI's profiling interface. With 0 it
// does all the same and waits for nothing, so that what the library itself costs is on both sides of a comparison.
#include <array>
#include <cstdlib>
#include <string_view>

#include <mpi.h>

namespace {

double read_delay() {
  const char* text = std::getenv("BUSBAR_TEST_DELAY");
  return text == nullptr ? 0 : std::strtod(text, nullptr);
}

bool data_plane(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  return std::string_view(name.data()) == "busbar data";
}

}  // namespace

extern "C" int MPI_Allreduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static const double delay = read_delay();
  const double begin = PMPI_Wtime();
  const int code = PMPI_Allreduce(send, recv, count, type, op, comm);
  if (!data_plane(comm)) return code;
  const double end = begin + (PMPI_Wtime() - begin) * (1 + delay);
  while (PMPI_Wtime() < end) {
  }
  return code;
}
