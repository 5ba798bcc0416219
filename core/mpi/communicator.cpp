// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/communicator.hpp"

#include <utility>

#include "core/mpi/check.hpp"

namespace busbar {

Communicator::Communicator(MPI_Comm comm) : comm_(comm) {
  mpi_check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Communicator::Communicator(Communicator&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}

Communicator Communicator::world() { return duplicate_of(MPI_COMM_WORLD); }

Communicator Communicator::duplicate() const { return duplicate_of(comm_); }

Communicator Communicator::duplicate_with(const char* key, const char* value) const {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  mpi_check(MPI_Info_create(&info), "MPI_Info_create");
  mpi_check(MPI_Info_set(info, key, value), "MPI_Info_set");
  mpi_check(MPI_Comm_dup_with_info(comm_, info, &comm), "MPI_Comm_dup_with_info");
  mpi_check(MPI_Info_free(&info), "MPI_Info_free");
  return Communicator(comm);
}

std::optional<Communicator> Communicator::split(std::optional<int> colour) const {
  MPI_Comm comm = MPI_COMM_NULL;
  mpi_check(MPI_Comm_split(comm_, colour.value_or(MPI_UNDEFINED), rank(), &comm), "MPI_Comm_split");
  if (comm == MPI_COMM_NULL) return std::nullopt;
  return Communicator(comm);
}

int Communicator::rank() const {
  int rank = 0;
  mpi_check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
  return rank;
}

int Communicator::size() const {
  int size = 0;
  mpi_check(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
  return size;
}

}  // namespace busbar
