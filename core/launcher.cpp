// SPDX-License-Identifier: Apache-2.0
#include "core/launcher.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/environment/files.hpp"

namespace busbar {
namespace {

/// The first of these variables that holds a number.
std::optional<int> first_number(std::initializer_list<const char*> variables) {
  for (const char* variable : variables) {
    const char* text = std::getenv(variable);
    if (text == nullptr) continue;
    const std::string_view digits = text;
    int value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{}) return value;
  }
  return std::nullopt;
}

/// Slurm's "4(x2),3" is 4 tasks on each of the first two nodes and 3 on the third.
std::optional<int> tasks_on_node(std::string_view list, int node) {
  for (const std::string_view entry : facts::split(list, ',')) {
    const auto repeat = entry.find("(x");
    const auto tasks = facts::to_number(entry.substr(0, repeat));
    const auto nodes = repeat == std::string_view::npos
                           ? std::optional<std::int64_t>(1)
                           : facts::to_number(entry.substr(repeat + 2, entry.find(')') - repeat - 2));
    if (!tasks || !nodes) return std::nullopt;
    if (node < *nodes) return static_cast<int>(*tasks);
    node -= static_cast<int>(*nodes);
  }
  return std::nullopt;
}

std::string parent_name() {
  std::string name;
  std::ifstream("/proc/" + std::to_string(getppid()) + "/comm") >> name;
  return name;
}

}  // namespace

int launch_rank() {
  return first_number({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}).value_or(0);
}

std::optional<int> launch_size() { return first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}); }

std::optional<int> local_launch_size() {
  if (const auto size = first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE"}))
    return size;
  const char* list = std::getenv("SLURM_STEP_TASKS_PER_NODE");
  const auto node = first_number({"SLURM_NODEID"});
  return list != nullptr && node ? tasks_on_node(list, *node) : std::nullopt;
}

std::vector<std::string> launch_words() { return {}; }

bool stdout_is_terminal() {
  static constexpr std::array<std::string_view, 6> launchers{"mpirun",  "mpiexec", "orterun",
                                                             "prterun", "orted",   "prted"};
  if (std::ranges::find(launchers, parent_name()) == launchers.end()) return isatty(STDOUT_FILENO) == 1;
  const int theirs =
      open(fmt::format("/proc/{}/fd/1", getppid()).c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (theirs < 0) return false;
  const bool terminal = isatty(theirs) == 1;
  close(theirs);
  return terminal;
}

}  // namespace busbar
