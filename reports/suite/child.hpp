// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/record/launch_record.hpp"

/// Child processes (core/files/child.hpp): running them with limits, and how they end.
namespace busbar::suite {

/// Blocks SIGINT, SIGTERM and SIGCHLD for its lifetime; wait() receives them. SIGINT or SIGTERM stays ignored if it
/// was, as for a script's background jobs. At most one instance at a time.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Waits for a signal, at most `seconds`. Returns the number of SIGINT and SIGTERM received so far.
  int wait(double seconds);
  /// True if SIGINT or SIGTERM has arrived.
  [[nodiscard]] bool interrupted() { return wait(0) > 0; }
  /// The signal mask from before, for children to start with.
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t ours_{}, before_{};
  int seen_ = 0;
};

[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// How a child process ended.
struct Ended {
  LaunchEnd why = LaunchEnd::itself;
  int exit_code = 0;  ///< 128 + signal number if a signal killed it
  double wall_s = 0;
};

struct Limits {
  double time_s = 600;  ///< until SIGTERM
  double grace_s = 30;  ///< from SIGTERM to SIGKILL
};

/// Runs `argv`, found in PATH, with its output in `log` and no input. The child has its own process group, so Ctrl-C on
/// a terminal reaches only this process. Calls `meanwhile` about once a second with the elapsed seconds. At the time
/// limit or on a signal, sends the group SIGTERM, which launchers treat as the end of the job (srun only asks back on a
/// first SIGINT); after the grace period or a second signal, SIGKILL. Throws Error if the child cannot be started.
[[nodiscard]] Ended run_child(const std::vector<std::string>& argv, const std::filesystem::path& log,
                              const Limits& limits, Signals& signals, const std::function<void(double)>& meanwhile);

/// Returns the standard output of `argv`. Throws Error if it cannot be started or its exit code is not 0.
[[nodiscard]] std::string output_of(const std::vector<std::string>& argv);

}  // namespace busbar::suite
