// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace busbar {

struct AlgorithmControl;

/// The differences between MPI libraries and their launchers, as data and without MPI: one file per library in
/// core/mpi_library/. Names of environment variables are C strings, for getenv().
struct MpiLibrary {
  using Words = std::span<const std::string_view>;
  using Variables = std::span<const char* const>;
  struct Setting {
    const char* variable;
    const char* value;
  };

  std::string_view name;  ///< "Open MPI"
  /// Texts before the version in MPI_Get_library_version() and in the output of `mpirun --version`.
  Words version_marks;

  /// Variables that the launcher sets for each rank before MPI_Init.
  Variables rank, size, local_rank, local_size;

  /// Prefixes of environment variables that a record may contain.
  Words settings;
  /// Prefixes of those that are not settings but messages of the launcher to its processes.
  Words internal;

  /// Settings that make idle ranks yield their CPU, set before MPI_Init; empty if the library cannot.
  std::span<const Setting> yield;
  /// Control variable of MPI's tool interface (MPI 3.1, chapter 14) that says whether idle ranks yield; null if none.
  const char* yield_control;
  /// Variable of the library that is not 0 if idle ranks yield; null if none. Read first: Open MPI's tool interface
  /// loads every component (0.2 s with Debian's 4.1).
  const char* yield_flag;
  /// Variable that the launcher sets to 1 if it makes ranks yield; null if it never does.
  const char* yield_by_launcher;

  /// Arguments of mpirun that place ranks on hosts, and those that fix the number of ranks per host, with the
  /// placeholders of busbar suite (docs/suite.md).
  std::string_view hosts, per_host;
  /// Variables that name the remote shell with which the launcher starts its daemons.
  Variables remote_shell;
  /// Names of the processes that start ranks: launchers, and their daemons on each host.
  Words launchers, daemons;

  /// Advice for users, in the words they type.
  std::string_view interface_hint;  ///< chooses the network interfaces
  std::string_view bind_hint;       ///< binds each rank to a core: "mpirun --bind-to core"
  std::string_view show_bind_hint;  ///< shows the binding of ranks
  std::string_view yield_hint;      ///< makes idle ranks yield

  /// How algorithms of collectives are requested (core/mpi_library/algorithms.hpp); null: unknown.
  const AlgorithmControl* algorithms = nullptr;
};

struct MpiVersion {
  const MpiLibrary* library;
  std::string version;  ///< "4.1.4"
};

/// Parses the output of MPI_Get_library_version() or `mpirun --version`; empty if no library of the table matches.
[[nodiscard]] std::optional<MpiVersion> parse_mpi_version(std::string_view text);

/// "Open MPI 4.1.4", or the first line of `text` if no library of the table matches.
[[nodiscard]] std::string mpi_library_name(std::string_view text);

/// `library.hosts` as words with its placeholders filled in. `hosts` must not be empty.
[[nodiscard]] std::vector<std::string> place_on_hosts(const MpiLibrary& library, std::span<const std::string> hosts,
                                                      int ranks_per_host);

/// True if a process with this name (/proc/PID/comm, at most 15 characters) is a launcher, or a launcher's daemon.
/// Launchers may have a suffix, as on systems with several MPI libraries: mpirun.mpich, mpirun.openmpi.
[[nodiscard]] bool is_launcher(std::string_view process_name);
[[nodiscard]] bool is_launcher_daemon(std::string_view process_name);

/// The library with a record's name, e.g. "Open MPI 4.1.4"; Open MPI if the table has no such name.
[[nodiscard]] const MpiLibrary& find_mpi_library(std::string_view library_name);

}  // namespace busbar
