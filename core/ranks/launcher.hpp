// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Information from the program that started this process (mpirun, srun, ...), before or without MPI_Init.
namespace busbar {

/// Rank of this process; 0 without a launcher or if it does not say.
[[nodiscard]] int launch_rank();

/// Number of processes that the launcher started; empty without a launcher or if it does not say.
[[nodiscard]] std::optional<int> launch_size();

/// Rank of this process among those on its host; empty without a launcher or if it does not say.
[[nodiscard]] std::optional<int> local_launch_rank();

/// Number of processes that the launcher started on this host; empty without a launcher or if it does not say.
[[nodiscard]] std::optional<int> local_launch_size();

/// The part of the command line before the program, if it is a simulator's; empty for other launchers.
[[nodiscard]] std::vector<std::string> launch_words();

/// Process id of the launcher that started this process, directly or through its daemons; 0 if there is none on this
/// host.
[[nodiscard]] int launcher_process();

/// Start time of the launcher, or of this process if the launcher is not on this host. Comparable with steady_ns().
[[nodiscard]] std::int64_t launched_ns();

/// Number of CPUs of this host that the job may use: usable_cpus() (core/environment/environment.hpp), or fewer if this
/// process and its launcher together have fewer, as under taskset or in a container that hides its control group. May
/// take 20 ms if there are fewer CPUs than processes.
[[nodiscard]] std::optional<int> cpus_of_job();

/// Number of CPUs that the ranks of this host may use together, as bound: fewer than cpus_of_job() if several ranks
/// share a binding. A lower bound if this process alone has enough for all ranks. Empty if not all ranks appear within
/// 100 ms, or without a launcher.
[[nodiscard]] std::optional<int> cpus_of_ranks();

struct Terminal {
  int columns = 80, rows = 24;
  [[nodiscard]] bool is_narrow() const { return columns < 100; }  ///< too narrow for a table with all columns
};

/// Size of the terminal that shows this process's standard output; empty if none does. Checks the launcher's output
/// instead of this process's: Open MPI gives ranks a terminal even if its own output is a pipe, Hydra a pipe even if
/// its own output is a terminal.
[[nodiscard]] std::optional<Terminal> stdout_terminal();

}  // namespace busbar
