// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace busbar {

/// What differs between MPI libraries and their launchers, as data and without MPI itself: one file a library in
/// core/mpi_library/. Names of environment variables are C strings, for getenv().
struct MpiLibrary {
  using Words = std::span<const std::string_view>;
  using Variables = std::span<const char* const>;
  struct Setting {
    const char* variable;
    const char* value;
  };

  std::string_view name;  ///< "Open MPI"
  /// What stands before the version, in MPI_Get_library_version() and in what `mpirun --version` prints.
  Words version_marks;

  /// Variables that the launcher gives a rank, which has them before MPI_Init.
  Variables rank, size, local_rank, local_size;

  /// Beginnings of the names of variables that a record may hold.
  Words settings;
  /// Beginnings of those among them that are no settings: what the launcher tells its own processes.
  Words internal;

  /// What makes idle ranks yield their CPU, set before MPI_Init; none: the library cannot.
  std::span<const Setting> yield;
  /// The control variable of MPI's tool interface (MPI 3.1, chapter 14) that says whether they do; null: none does.
  const char* yield_control;
  /// A variable of the library with the same answer, not 0: yes. Asked first: the tool interface of Open MPI loads
  /// every component, 0.2 s with Debian's 4.1. Null: there is none.
  const char* yield_flag;
  /// Set to 1 by the launcher where it makes ranks yield by itself; null: it never does.
  const char* yield_by_launcher;

  /// Words behind mpirun that say how many ranks start on which hosts, and those that keep to a number for each host,
  /// with the placeholders of busbar suite (docs/suite.md).
  std::string_view hosts, per_host;
  /// Variables that name the remote shell by which the launcher starts its daemons.
  Variables remote_shell;
  /// Names of the processes that start ranks: the launcher's, and its daemons' on each host.
  Words launchers, daemons;

  /// What the user types.
  std::string_view interface_hint;  ///< by which network interfaces are chosen
  std::string_view bind_hint;       ///< binds each rank to a core: "mpirun --bind-to core"
  std::string_view show_bind_hint;  ///< shows what ranks are bound to
  std::string_view yield_hint;      ///< makes idle ranks yield
};

struct MpiVersion {
  const MpiLibrary* library;
  std::string version;  ///< "4.1.4"
};

/// Of what MPI_Get_library_version() gives, or `mpirun --version` prints; empty: no library of the table.
[[nodiscard]] std::optional<MpiVersion> parse_mpi_version(std::string_view text);

/// "Open MPI 4.1.4", or the first line of `text` where no library of the table says it.
[[nodiscard]] std::string mpi_library_name(std::string_view text);

/// `library.hosts` as words, with its placeholders filled in. `hosts`: one or more.
[[nodiscard]] std::vector<std::string> place_on_hosts(const MpiLibrary& library, std::span<const std::string> hosts,
                                                      int ranks_per_host);

/// Whether a process of this name (/proc/PID/comm: 15 characters at most) is a launcher, or one of its daemons. Where a
/// system has several MPI libraries it tells launchers apart by what stands behind a dot: mpirun.mpich, mpirun.openmpi.
[[nodiscard]] bool is_launcher(std::string_view process_name);
[[nodiscard]] bool is_launcher_daemon(std::string_view process_name);

/// Of a record's "Open MPI 4.1.4"; Open MPI where no library of the table has the name.
[[nodiscard]] const MpiLibrary& find_mpi_library(std::string_view library_name);

}  // namespace busbar
