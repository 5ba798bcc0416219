// SPDX-License-Identifier: Apache-2.0
// A library to be preloaded into busbar-preflight: rank 1 stops (SIGSTOP), or hangs, where BUSBAR_TEST_STOP says,
// through MPI's profiling interface. "init": it never comes back from MPI_Init; "message": it is stopped at its third
// message; "allreduce": it is stopped in a sum.
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <mpi.h>
#include <unistd.h>

#include "core/ranks/launcher.hpp"

namespace {

bool here(std::string_view place) {
  const char* const asked = std::getenv("BUSBAR_TEST_STOP");
  return asked != nullptr && place == asked && busbar::launch_rank() == 1;
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  while (here("init")) ::pause();
  return PMPI_Init(argc, argv);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  static int calls = 0;
  if (here("message") && ++calls == 3) ::raise(SIGSTOP);
  return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (here("allreduce")) ::raise(SIGSTOP);
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

}  // extern "C"
