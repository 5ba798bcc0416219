// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <climits>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/told_places.hpp"

/// The size of a job by a log's command lines and batch system: "srun -n 8 -N 2 ./osu_allreduce",
/// "SLURM_NTASKS=8", "#SBATCH --nodes=2".
namespace busbar {

/// Processes and hosts; empty if not stated.
struct LaunchSize {
  std::optional<int> ranks, nodes;
};

/// A command that starts a benchmark. It may continue on several lines.
struct LaunchCommand {
  int line = 0, last_line = 0;
  std::string program;   ///< the benchmark, as written: "./osu_allreduce"
  std::string launcher;  ///< what starts it, for messages: "mpirun -np 8"
  LaunchSize size;
};

/// All such lines of a log.
struct LaunchLines {
  std::vector<LaunchCommand> commands;
  std::vector<SizeClaim> ranks, nodes;  ///< from the batch system: of the whole allocation
};

/// Value of the first of these options on a command line: "-n 8", "-n8" (one dash and letter), "--ntasks=8".
[[nodiscard]] std::optional<std::string_view> option_value(std::span<const std::string> words,
                                                           std::span<const std::string_view> flags);

/// `is_program`: true for words that name a benchmark.
[[nodiscard]] LaunchLines read_launch_lines(std::string_view log,
                                            const std::function<bool(std::string_view)>& is_program);

/// Sizes stated by the options of mpirun, srun and others, for the words before a benchmark's name.
[[nodiscard]] LaunchSize size_of_launcher(const std::vector<std::string>& launcher);

/// A part of a log: one program's output and what precedes it.
struct LaunchScope {
  int after = 0;                                     ///< the line on which the preceding program's output begins
  int before = INT_MAX;                              ///< the line on which this program's output begins
  std::function<bool(std::string_view)> is_program;  ///< true for the names of this program; empty: any
};

/// The scope of part `i` of a log, whose parts know the `line` on which their output begins.
template <class Parts>
[[nodiscard]] LaunchScope scope_of_part(const Parts& parts, std::size_t i) {
  return {.after = i == 0 ? 0 : parts[i - 1].line, .before = parts.size() == 1 ? INT_MAX : parts[i].line};
}

/// The commands that can have started the program: those between the two lines, or all before them if there is none.
[[nodiscard]] std::vector<LaunchCommand> commands_for(const LaunchLines&, const LaunchScope&);

/// Claims on the number of ranks of the program.
[[nodiscard]] std::vector<SizeClaim> rank_claims(const LaunchLines&, const LaunchScope&);

/// Claims on its number of hosts, if it has `ranks`. An allocation counts only if all of it was used: if it has as many
/// ranks, or one host.
[[nodiscard]] std::vector<SizeClaim> node_claims(const LaunchLines&, const LaunchScope&, int ranks);

}  // namespace busbar
