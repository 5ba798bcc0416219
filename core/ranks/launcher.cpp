// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/launcher.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/environment/environment.hpp"
#include "core/files/kernel_files.hpp"
#include "core/machine/local_clock.hpp"
#include "core/mpi_library/mpi_library.hpp"

namespace busbar {
namespace {

/// The value of an environment variable.
std::optional<int> number(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  int value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{}) return value;
  return std::nullopt;
}

/// The first variable that launchers of MPI libraries set, else `of_slurm`, which srun sets.
std::optional<int> launcher_number(MpiLibrary::Variables MpiLibrary::* variables, const char* of_slurm = nullptr) {
  for (const MpiLibrary* library : table<MpiLibrary>())
    for (const char* variable : library->*variables)
      if (const auto value = number(variable)) return value;
  return of_slurm != nullptr ? number(of_slurm) : std::nullopt;
}

/// Parses Slurm's "4(x2),3": 4 tasks on each of the first two nodes and 3 on the third.
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

/// 0 if there is no such process.
int parent_of(int pid) { return static_cast<int>(facts::to_number(facts::field_of_process(pid, 4)).value_or(0)); }

std::int64_t nanoseconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

void add_cpus_of(int pid, cpu_set_t& cpus) {
  cpu_set_t own;
  if (sched_getaffinity(pid, sizeof own, &own) == 0) CPU_OR(&cpus, &cpus, &own);
}

/// The nearest ancestor of this process that started the ranks of this host; 0 if there is none.
int daemon_of_host() {
  int pid = getppid();
  for (std::string name = name_of(pid); pid > 1 && !is_launcher_daemon(name) && !is_launcher(name); name = name_of(pid))
    pid = parent_of(pid);
  return pid > 1 ? pid : 0;
}

std::string program_of(int pid) {
  std::array<char, 4096> path{};
  const auto length = ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "";
}

/// Finds descendants of `pid` that run the same program as this process. Does not search below them.
void find_ranks_below(int pid, const std::string& program, std::vector<int>& ranks) {
  const std::string tasks = fmt::format("/proc/{}/task", pid);
  for (const std::string& task : facts::entries(tasks)) {
    const std::string children = facts::line(tasks + "/" + task + "/children").value_or("");  // the words point into it
    for (const std::string_view word : facts::split(children, ' ')) {
      const auto child = static_cast<int>(facts::to_number(word).value_or(0));
      if (child <= 0) continue;
      if (program_of(child) == program)
        ranks.push_back(child);
      else
        find_ranks_below(child, program, ranks);
    }
  }
}

constexpr auto between_looks = std::chrono::milliseconds(2);

/// Adds the CPUs of this process and of its ancestors up to the launcher. One of them alone can mislead: ranks may be
/// bound to fewer CPUs, and Hydra's daemon, after it has started the ranks, binds itself to one CPU after another to
/// discover the machine (hwloc). False if there is no launcher.
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

std::optional<Terminal> terminal_of(int file) {
  if (isatty(file) != 1) return std::nullopt;
  Terminal terminal;
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    terminal = {.columns = size.ws_col, .rows = size.ws_row};
  return terminal;
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

std::int64_t launched_ns() {
  const int launcher = launcher_process();
  const auto ticks = facts::to_number(facts::field_of_process(launcher > 0 ? launcher : ::getpid(), 22));  // since boot
  if (!ticks) return steady_ns();
  const std::int64_t age_ns = nanoseconds_of(CLOCK_BOOTTIME) - *ticks * (1'000'000'000 / ::sysconf(_SC_CLK_TCK));
  return steady_ns() - age_ns;
}

std::optional<int> cpus_of_job() {
  constexpr int looks = 10;
  const auto usable = usable_cpus();
  if (!usable) return usable;
  const int ranks = local_launch_size().value_or(1);
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (int look = 0; look < looks; ++look) {
    if (look > 0) std::this_thread::sleep_for(between_looks);
    if (!add_cpus_of_launcher(cpus)) return usable;
    if (CPU_COUNT(&cpus) >= ranks) break;
  }
  return std::min(*usable, CPU_COUNT(&cpus));
}

std::optional<int> cpus_of_ranks() {
  constexpr int looks = 50;
  const int ranks = local_launch_size().value_or(1), daemon = daemon_of_host();
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  add_cpus_of(getpid(), cpus);
  if (CPU_COUNT(&cpus) >= ranks) return CPU_COUNT(&cpus);
  const std::string program = program_of(getpid());
  for (int look = 0; daemon != 0 && look < looks; ++look) {
    if (look > 0) std::this_thread::sleep_for(between_looks);
    std::vector<int> found;
    find_ranks_below(daemon, program, found);
    if (static_cast<int>(found.size()) < ranks) continue;
    for (const int rank : found) add_cpus_of(rank, cpus);
    return CPU_COUNT(&cpus);
  }
  return std::nullopt;
}

std::optional<Terminal> stdout_terminal() {
  const int launcher = launcher_process();
  if (launcher == 0) return is_launcher_daemon(name_of(getppid())) ? std::nullopt : terminal_of(STDOUT_FILENO);
  const int theirs = open(fmt::format("/proc/{}/fd/1", launcher).c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (theirs < 0) return std::nullopt;
  const auto terminal = terminal_of(theirs);
  close(theirs);
  return terminal;
}

}  // namespace busbar
