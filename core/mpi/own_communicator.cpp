// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"

/// A private communicator is a duplicate, has a name and is freed.
namespace busbar {

Communicator::~Communicator() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

Communicator Communicator::duplicate_of(MPI_Comm other) {
  MPI_Comm comm = MPI_COMM_NULL;
  mpi_check(MPI_Comm_dup(other, &comm), "MPI_Comm_dup");
  return Communicator(comm);
}

void Communicator::set_name(const char* name) const { mpi_check(MPI_Comm_set_name(comm_, name), "MPI_Comm_set_name"); }

}  // namespace busbar
