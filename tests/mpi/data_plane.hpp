// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include <mpi.h>

namespace busbar::test {

/// Whether this communicator carries the measured calls. For libraries between busbar and MPI.
inline bool is_data_plane(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  return std::string_view(name.data()) == "busbar data";
}

}  // namespace busbar::test
