// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The hosts of a suite, and the launcher that starts its programs there.
namespace busbar::suite {

struct Host {
  std::string name;
  int slots = 1;  ///< number of ranks it can run
  bool operator==(const Host&) const = default;
};

/// Parses "a:4,b:4". A host without a number has one slot; repeated hosts add up their slots, like mpirun's --host. At
/// most 20,000 hosts with 10,000 slots each, as in the functions below. Throws UsageError naming `flag`.
[[nodiscard]] std::vector<Host> parse_hosts(std::string_view flag, std::string_view text);

/// Parses hostfiles of Open MPI and MPICH: "a slots=4", "a:4", "a", "# ...". Throws UsageError "FILE:LINE: ...".
[[nodiscard]] std::vector<Host> read_hostfile(const std::filesystem::path& path);
[[nodiscard]] std::vector<Host> parse_hostfile(std::string_view text, const std::string& file);

/// Access to the machine; tests substitute their own.
struct Surroundings {
  /// Value of an environment variable; null if not set.
  std::function<const char*(const char*)> variable;
  /// Standard output of a command. Throws Error if it fails.
  std::function<std::string(const std::vector<std::string>&)> output_of;
};
[[nodiscard]] Surroundings surroundings();

/// Hosts of the current allocation: Slurm (SLURM_JOB_NODELIST, expanded by `scontrol show hostnames`, and
/// SLURM_TASKS_PER_NODE) or PBS (the file named by PBS_NODEFILE). Empty outside of both. Throws UsageError, naming the
/// variable, if it cannot be parsed.
[[nodiscard]] std::optional<std::vector<Host>> allocated_hosts(const Surroundings& around);

/// "a:4,b:4".
[[nodiscard]] std::string hosts_text(const std::vector<Host>& hosts);

/// True if a launcher command places ranks itself, with placeholders.
[[nodiscard]] bool has_placeholder(std::string_view launcher);

/// Words with placeholders that place ranks on hosts, in the syntax of the launcher's MPI library, detected by
/// --version. Defaults to Open MPI's if the library is unknown. Empty, without running it, for a launcher with its own
/// placeholders.
[[nodiscard]] std::string placement_of(const std::string& launcher, const Surroundings& around);

}  // namespace busbar::suite
