// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace busbar::preflight {

/// Command words that start a remote shell, as launchers choose it: the first set variable of MpiLibrary::remote_shell,
/// else ssh. ssh gets BatchMode (no prompts) and a connection timeout of `limit_s`.
[[nodiscard]] std::vector<std::string> find_remote_shell(double limit_s);

struct Answer {
  std::string host;
  std::string output;
  std::optional<std::string> problem;  ///< "no answer within 5 s", "exit code 255: Permission denied (publickey)."
};

/// Runs `command` on all hosts, 32 at a time, each for `limit_s` at most. Names from gethostname may contain anything:
/// hosts that fail is_host_name() are not contacted and get a `problem`.
[[nodiscard]] std::vector<Answer> ask_hosts(const std::vector<std::string>& hosts, const std::string& command,
                                            double limit_s);

}  // namespace busbar::preflight
