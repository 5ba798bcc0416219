// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace busbar::preflight {

/// The words that start a command on another host, as launchers find them: the first variable of
/// MpiLibrary::remote_shell that is set, else ssh. With ssh:
/// no question is asked (BatchMode), and a host that does not answer is given up after `limit_s`.
[[nodiscard]] std::vector<std::string> remote_shell(double limit_s);

struct Answer {
  std::string host;
  std::string output;
  std::optional<std::string> problem;  ///< "no answer within 5 s", "exit code 255: Permission denied (publickey)."
};

/// True for letters, digits, dots, - and _, without a - in front: what no remote shell takes for an option, nor the
/// shell behind it for anything but a word.
[[nodiscard]] bool is_host_name(std::string_view word);

/// Runs `command` on all hosts, 32 at a time, each for `limit_s` at most. Hosts that are named by themselves
/// (gethostname) may be called anything: one that is no is_host_name() is not asked, and that is its problem.
[[nodiscard]] std::vector<Answer> ask_hosts(const std::vector<std::string>& hosts, const std::string& command,
                                            double limit_s);

}  // namespace busbar::preflight
