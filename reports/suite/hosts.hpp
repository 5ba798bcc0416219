// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where a suite runs.
namespace busbar::suite {

struct Host {
  std::string name;
  int slots = 1;  ///< ranks that it takes
  bool operator==(const Host&) const = default;
};

/// "a:4,b:4", at most 20,000 hosts of at most 10,000 slots, as in the others below; a host without a number has one
/// slot, and one that is named again has more, as mpirun's --host counts. Throws UsageError, naming `flag`.
[[nodiscard]] std::vector<Host> parse_hosts(std::string_view flag, std::string_view text);

/// Open MPI's and MPICH's lines: "a slots=4", "a:4", "a", "# ...". Throws UsageError "FILE:LINE: ...".
[[nodiscard]] std::vector<Host> read_hostfile(const std::filesystem::path& path);
[[nodiscard]] std::vector<Host> parse_hostfile(std::string_view text, const std::string& file);

/// What asks the machine; tests ask something else.
struct Surroundings {
  /// Of an environment variable; null where it is not set.
  std::function<const char*(const char*)> variable;
  /// Standard output of a command. Throws Error where it fails.
  std::function<std::string(const std::vector<std::string>&)> output_of;
};
[[nodiscard]] Surroundings surroundings();

/// Those of the Slurm allocation (SLURM_JOB_NODELIST, of which `scontrol show hostnames` makes names, and
/// SLURM_TASKS_PER_NODE) or the PBS one (the file that PBS_NODEFILE names) that this runs in; none outside of both.
/// Throws UsageError, naming the variable, for what cannot be read.
[[nodiscard]] std::optional<std::vector<Host>> allocated_hosts(const Surroundings& around);

/// "a:4,b:4".
[[nodiscard]] std::string hosts_text(const std::vector<Host>& hosts);

}  // namespace busbar::suite
