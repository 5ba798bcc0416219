// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/job/guard/progress.hpp"

namespace busbar::guarding {

/// State of a process, from the system.
enum class Process {
  alive,
  stopped,    ///< by a signal (SIGSTOP, a debugger)
  in_kernel,  ///< uninterruptible in the kernel: a file system or driver does not respond
  gone,
};
/// Reads /proc.
[[nodiscard]] Process look_at(int pid);

/// Position and state of a rank, as its guard reports them.
struct Status {
  int rank = 0;
  std::string host;
  Process process = Process::alive;
  std::string what, where;  ///< "allreduce 8 B", "round 3"
  std::uint64_t turn = 0;
  Position position;
  std::int64_t calls = 0;
  bool resting = false;
};

/// Reasons for a guard to end the job, most important first.
enum class Trouble {
  gone,       ///< the rank's process died
  aborted,    ///< an error in the rank, after which ranks cannot agree
  expired,    ///< a limit passed
  signalled,  ///< the rank was asked to end and was killed before it did
};

struct Diagnosis {
  Trouble trouble = Trouble::expired;
  Status status;
  std::string words;  ///< expired: "--timeout 300 s"; aborted: why; signalled: "SIGTERM"
};

[[nodiscard]] Status status_of(const Progress&, int rank, const std::string& host, int pid);
/// What is wrong with a rank now; empty: nothing. `gone`: its process has ended. Not for ranks that ended normally.
[[nodiscard]] std::optional<Diagnosis> look_for_trouble(const Progress&, const Status&, bool gone);

/// "allreduce 8 B, round 3, timed call 17 of 100".
[[nodiscard]] std::string place(const Status&);

void to_json(nlohmann::json&, const Status&);
void from_json(const nlohmann::json&, Status&);
void to_json(nlohmann::json&, const Diagnosis&);
void from_json(const nlohmann::json&, Diagnosis&);

}  // namespace busbar::guarding
