// SPDX-License-Identifier: Apache-2.0
#include "core/launcher.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

#include "core/environment.hpp"
#include "core/environment/files.hpp"
#include "core/mpi_library.hpp"

namespace busbar {
namespace {

/// Of a variable of the environment.
std::optional<int> number(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  int value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{}) return value;
  return std::nullopt;
}

/// The first of the variables that launchers of MPI libraries set, else `of_slurm`, which srun sets.
std::optional<int> launcher_number(MpiLibrary::Variables MpiLibrary::* variables, const char* of_slurm = nullptr) {
  for (const MpiLibrary* library : table<MpiLibrary>())
    for (const char* variable : library->*variables)
      if (const auto value = number(variable)) return value;
  return of_slurm != nullptr ? number(of_slurm) : std::nullopt;
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

std::string name_of(int pid) { return facts::line(fmt::format("/proc/{}/comm", pid)).value_or(""); }

/// Field 4 of /proc/PID/stat, the second behind the name; 0: there is no such process.
int parent_of(int pid) {
  const auto stat = facts::text(fmt::format("/proc/{}/stat", pid)).value_or("");
  const auto behind_name = stat.rfind(") ");
  if (behind_name == std::string::npos) return 0;
  const auto fields = facts::split(std::string_view(stat).substr(behind_name + 2), ' ');
  return fields.size() > 1 ? static_cast<int>(facts::to_number(fields[1]).value_or(0)) : 0;
}

void add_cpus_of(int pid, cpu_set_t& cpus) {
  cpu_set_t own;
  if (sched_getaffinity(pid, sizeof own, &own) == 0) CPU_OR(&cpus, &cpus, &own);
}

/// Adds the CPUs of this process and those above it up to the launcher. One of them alone can mislead: ranks may be
/// bound to fewer, and hydra's daemon binds itself to one CPU after another while it looks at the machine (hwloc),
/// after it has started the ranks. False: there is no launcher.
bool add_cpus_of_launcher(cpu_set_t& cpus) {
  add_cpus_of(getpid(), cpus);
  bool found = false;
  for (int pid = getppid(); pid > 1; pid = parent_of(pid)) {
    const std::string name = name_of(pid);
    const bool ours = is_launcher_daemon(name) || is_launcher(name);
    if (found && !ours) break;
    if (ours) add_cpus_of(pid, cpus);
    found = ours;
  }
  return found;
}

}  // namespace

int launch_rank() { return launcher_number(&MpiLibrary::rank, "SLURM_PROCID").value_or(0); }

std::optional<int> launch_size() { return launcher_number(&MpiLibrary::size, "SLURM_STEP_NUM_TASKS"); }

std::optional<int> local_launch_rank() { return launcher_number(&MpiLibrary::local_rank, "SLURM_LOCALID"); }

std::optional<int> local_launch_size() {
  if (const auto size = launcher_number(&MpiLibrary::local_size)) return size;
  const char* list = std::getenv("SLURM_STEP_TASKS_PER_NODE");
  const auto node = number("SLURM_NODEID");
  return list != nullptr && node ? tasks_on_node(list, *node) : std::nullopt;
}

std::vector<std::string> launch_words() { return {}; }

int launcher_process() {
  int pid = getppid();
  while (pid > 1 && is_launcher_daemon(name_of(pid))) pid = parent_of(pid);
  return pid > 1 && is_launcher(name_of(pid)) ? pid : 0;
}

std::optional<int> cpus_of_job() {
  constexpr int looks = 10;
  constexpr auto between_looks = std::chrono::milliseconds(2);
  const auto usable = usable_cpus();
  if (!usable) return usable;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (int look = 0; look < looks; ++look) {
    if (look > 0) std::this_thread::sleep_for(between_looks);
    if (!add_cpus_of_launcher(cpus)) return usable;
    if (CPU_COUNT(&cpus) >= local_launch_size().value_or(1)) break;
  }
  return std::min(*usable, CPU_COUNT(&cpus));
}

bool stdout_is_terminal() {
  const int launcher = launcher_process();
  if (launcher == 0) return !is_launcher_daemon(name_of(getppid())) && isatty(STDOUT_FILENO) == 1;
  const int theirs = open(fmt::format("/proc/{}/fd/1", launcher).c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (theirs < 0) return false;
  const bool terminal = isatty(theirs) == 1;
  close(theirs);
  return terminal;
}

}  // namespace busbar
