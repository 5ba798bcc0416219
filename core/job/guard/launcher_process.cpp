// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/launcher_process.hpp"

#include <csignal>
#include <string_view>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/files/kernel_files.hpp"
#include "core/ranks/launcher.hpp"

namespace busbar::guarding {
namespace {

/// Start time since boot; empty if the process does not exist or has ended.
std::string start_of(int pid) { return facts::field_of_process(pid, 3) == "Z" ? "" : facts::field_of_process(pid, 22); }

}  // namespace

LauncherProcess::LauncherProcess()
    : pid_(launcher_process()),
      name_(facts::line(fmt::format("/proc/{}/comm", pid_)).value_or("")),
      started_(start_of(pid_)) {}

bool LauncherProcess::running() const { return pid_ != 0 && !started_.empty() && start_of(pid_) == started_; }

void LauncherProcess::take_over_stderr() const {
  const auto path = running() ? fmt::format("/proc/{}/fd/2", pid_) : std::string("/dev/null");
  int theirs = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (theirs < 0) theirs = ::open("/dev/null", O_WRONLY | O_CLOEXEC);  // a socket cannot be reopened
  ::dup2(theirs, STDERR_FILENO);
  ::close(theirs);
}

void LauncherProcess::kill() const { ::kill(pid_, SIGKILL); }

}  // namespace busbar::guarding
