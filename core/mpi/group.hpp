// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/ranks/group.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

class Communicator;

/// What threads of a process do with MPI.
enum class Threading {
  single,      ///< there is one thread. Others make small messages of Open MPI 4.1 slower
  serialised,  ///< one at a time calls MPI
};

/// Tells why this rank ends the job, before MPI ends the others.
using LastWords = std::function<void(std::string_view why)>;

/// MPI is initialised for as long as the result lives, which is the Group of MPI_COMM_WORLD. At most one at a time.
/// `last_words` of it and of all its parts; none: a line on standard error. Throws UsageError where the library does
/// not offer the threading.
[[nodiscard]] std::unique_ptr<Group> join_mpi(int& argc, char**& argv, Threading threading = Threading::single,
                                              LastWords last_words = nullptr);

/// The ranks of a communicator, as a part of `job`, which is one of those above.
[[nodiscard]] std::unique_ptr<Group> group_of(Communicator communicator, const Group& job);

/// Collective over the ranks of `group`, which is one of those above. These ranks in this order, apart from the
/// messages of the group. Throws std::bad_cast for a group that is not over MPI.
[[nodiscard]] Communicator communicator_of(const Group& group);

/// Collective over the ranks of `group`, which is one of those above. Those that give the same colour, in their order;
/// none for ranks that give none.
[[nodiscard]] std::unique_ptr<Group> split(const Group& group, std::optional<int> colour);

/// Whether ranks that wait for a message let others have their CPU meanwhile.
struct Yielding {
  std::optional<bool> yields;  ///< as the library says; empty where it does not
  std::string asked_by;  ///< "busbar: more ranks than CPUs", "mpirun: more ranks than slots", "the user", "nobody"
};

/// MPI is initialised. Where the launcher put more ranks on this host than it has CPUs and nobody asked otherwise,
/// join_mpi() has told the library to yield (core/mpi_library/mpi_library.hpp): a small allreduce of 4 ranks on 2 CPUs
/// takes 13 us so with Open MPI, and 16 ms without.
[[nodiscard]] Yielding yielding();

/// Library, standard and thread level. MPI is initialised.
[[nodiscard]] Mpi mpi_facts();

}  // namespace busbar
