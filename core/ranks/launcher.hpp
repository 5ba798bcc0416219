// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the program that started this process (mpirun, srun, ...) says, before or without MPI_Init.
namespace busbar {

/// Rank of this process among those that the launcher started; 0 where there is no launcher or it does not say.
[[nodiscard]] int launch_rank();

/// How many processes the launcher started; empty where there is none or it does not say.
[[nodiscard]] std::optional<int> launch_size();

/// Of this process among those on its host; empty where there is no launcher or it does not say.
[[nodiscard]] std::optional<int> local_launch_rank();

/// How many processes the launcher started on this host; empty where there is none or it does not say.
[[nodiscard]] std::optional<int> local_launch_size();

/// What the command line held before the program's own words: those of a simulator. Empty where the launcher keeps its
/// words to itself.
[[nodiscard]] std::vector<std::string> launch_words();

/// The launcher's process on this host that started this one, itself or by its daemons; 0: there is none, or it is on
/// another host.
[[nodiscard]] int launcher_process();

/// When the launcher started, by steady_ns(); where it is not on this host, when this process started.
[[nodiscard]] std::int64_t launched_ns();

/// How many CPUs processes of this job may run on here: usable_cpus() (core/environment/environment.hpp), or fewer
/// where this process and its launcher have fewer together, as under taskset or in a container that does not show its
/// control group. May take 20 ms where that is fewer than there are processes.
[[nodiscard]] std::optional<int> cpus_of_job();

/// How many CPUs the ranks of this host may run on together, each bound as it is: fewer than cpus_of_job() where
/// several are bound to the same. At least so many where this process alone has enough for all. Empty where not all
/// ranks are seen within 100 ms, or there is no launcher.
[[nodiscard]] std::optional<int> cpus_of_ranks();

struct Terminal {
  int columns = 80, rows = 24;
  [[nodiscard]] bool is_narrow() const { return columns < 100; }  ///< for a table with all its columns
};

/// Where what this process writes to standard output ends on a terminal: its size. Open MPI's launcher gives ranks a
/// terminal of their own even when its own output goes into a pipe, hydra a pipe even when its own goes to a terminal:
/// it is the launcher's that counts.
[[nodiscard]] std::optional<Terminal> stdout_terminal();

}  // namespace busbar
