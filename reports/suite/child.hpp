// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

/// Other programs as children of this one (core/files/spawn.hpp), and how they end.
namespace busbar::suite {

/// While this lives, SIGINT and SIGTERM end nothing: they are waited for, as is the end of a child; whichever was
/// ignored before (of a job in the background of a script) still is. One at a time.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Until one comes, or for so many seconds. How many SIGINT and SIGTERM came in all so far.
  int wait(double seconds);
  /// One has come.
  [[nodiscard]] bool interrupted() { return wait(0) > 0; }
  /// What was blocked before: what a child is to start with.
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t ours_{}, before_{};
  int seen_ = 0;
};

/// How a child ended.
struct Ended {
  enum class Why { itself, time_limit, interrupted } why = Why::itself;
  int exit_code = 0;  ///< 128 and the signal's number where one killed it
  double wall_s = 0;
};

/// "itself", "time limit", "interrupted".
[[nodiscard]] std::string_view name(Ended::Why why);

struct Limits {
  double time_s = 600;  ///< then it is ended
  double grace_s = 30;  ///< that it has to end in order before it is killed
};

/// Starts `argv`, found by PATH, with its output in `log` and nothing to read, in a process group of its own: Ctrl-C on
/// a terminal reaches this process alone. `meanwhile` is called about once a second with the seconds since. At the time
/// limit or at a signal, the group gets SIGTERM, which launchers take as the end of the job (srun takes one SIGINT for
/// a question); after the grace, or a second signal, SIGKILL. Throws Error where it cannot be started.
[[nodiscard]] Ended run_child(const std::vector<std::string>& argv, const std::filesystem::path& log,
                              const Limits& limits, Signals& signals, const std::function<void(double)>& meanwhile);

/// What `argv` writes to its standard output. Throws Error where it cannot be started or ends with another code than 0.
[[nodiscard]] std::string output_of(const std::vector<std::string>& argv);

}  // namespace busbar::suite
