// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/job/guard/progress.hpp"

namespace busbar::guarding {

/// What the system says of a process.
enum class Process {
  alive,
  stopped,    ///< by a signal (SIGSTOP, a debugger)
  in_kernel,  ///< waits in the kernel and takes no signal: a file system or a driver that does not answer
  gone,
};
/// By /proc.
[[nodiscard]] Process look_at(int pid);

/// Where a rank is, as its guard tells it.
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

/// What makes a guard end the job; the first of them matters most.
enum class Trouble {
  gone,       ///< the rank's process has died
  aborted,    ///< the rank has met an error after which ranks can no longer agree
  expired,    ///< a limit has passed
  signalled,  ///< the rank was asked to end, and was killed before it had
};

struct Diagnosis {
  Trouble trouble = Trouble::expired;
  Status status;
  std::string words;  ///< expired: "--timeout 300 s"; aborted: why; signalled: "SIGTERM"
};

[[nodiscard]] Status status_of(const Progress&, int rank, const std::string& host, int pid);
/// What is wrong with a rank now; empty: nothing. `gone`: its process has ended. Not for one that has ended in order.
[[nodiscard]] std::optional<Diagnosis> look_for_trouble(const Progress&, const Status&, bool gone);

/// "allreduce 8 B, round 3, timed call 17 of 100".
[[nodiscard]] std::string place(const Status&);

void to_json(nlohmann::json&, const Status&);
void from_json(const nlohmann::json&, Status&);
void to_json(nlohmann::json&, const Diagnosis&);
void from_json(const nlohmann::json&, Diagnosis&);

}  // namespace busbar::guarding
