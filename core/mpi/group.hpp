// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

class Communicator;

/// MPI calls by threads of a process.
enum class Threading {
  single,      ///< only one thread exists; more would slow down small messages of Open MPI 4.1
  serialised,  ///< one thread at a time calls MPI
};

/// Initialises MPI until the result, the Group of MPI_COMM_WORLD, is destroyed. Only one may exist at a time. It and
/// all its parts report through `last_words`, by default on standard error. Throws UsageError if the library does not
/// support `threading`.
[[nodiscard]] std::unique_ptr<Group> join_mpi(int& argc, char**& argv, Threading threading = Threading::single,
                                              LastWords last_words = nullptr);

/// The ranks of a communicator as a part of `job`, which must be from a function of this file.
[[nodiscard]] std::unique_ptr<Group> group_of(Communicator communicator, const Group& job);

/// Collective over the group, which must be from a function of this file. A communicator of the same ranks in the same
/// order, with separate messages. Throws std::bad_cast for a group that does not use MPI.
[[nodiscard]] Communicator communicator_of(const Group& group);

/// Collective over the group, which must be from a function of this file. The ranks with the same colour, in the same
/// order; null for ranks without one.
[[nodiscard]] std::unique_ptr<Group> split(const Group& group, std::optional<int> colour);

/// Whether ranks that wait for a message yield their CPU.
struct Yielding {
  std::optional<bool> yields;  ///< as reported by the library; empty if unknown
  std::string asked_by;  ///< "busbar: more ranks than CPUs", "mpirun: more ranks than slots", "the user", "nobody"
};

/// Requires MPI_Init. If this host has more ranks than CPUs and nobody decided otherwise, join_mpi() has made the
/// library yield (core/mpi_library/mpi_library.hpp): with Open MPI a small allreduce of 4 ranks on 2 CPUs then takes 13
/// us instead of 16 ms.
[[nodiscard]] Yielding yielding();

/// Library, standard and thread level. Requires MPI_Init.
[[nodiscard]] Mpi mpi_facts();

}  // namespace busbar
