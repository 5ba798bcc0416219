// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/group.hpp"
#include "core/record.hpp"

namespace busbar {

/// MPI is initialised for as long as the result lives, which is the Group of MPI_COMM_WORLD. At most one at a time.
[[nodiscard]] std::unique_ptr<Group> join_mpi(int& argc, char**& argv);

/// Library, standard and thread level. MPI is initialised.
[[nodiscard]] Mpi mpi_facts();

}  // namespace busbar
