// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/end_at_once.hpp"

#include <array>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

// Global, since a signal handler cannot reach anything else.
std::array<char, 256> name_of_program{};

[[noreturn]] void end_with(std::string_view text, Exit code) {
  std::array<char, 1024> line{};
  std::size_t length = 0;
  for (const std::string_view part : {std::string_view(name_of_program.data()), std::string_view(": "), text})
    length += part.copy(line.data() + length, line.size() - length);
  if (::write(STDERR_FILENO, line.data(), length) < 0) ::_exit(static_cast<int>(code));  // nobody reads it
  ::_exit(static_cast<int>(code));
}

void end_interrupted(int signal) {
  end_with(signal == SIGINT ? "ended by SIGINT; a record keeps the cases that had ended, and --resume goes on\n"
                            : "ended by SIGTERM; a record keeps the cases that had ended, and --resume goes on\n",
           Exit::interrupted);
}

void end_crashed(int /*signal*/) {
  end_with("SimGrid crashed; a record keeps the cases that had ended. Another algorithm (--cfg smpi/...) may work\n",
           Exit::aborted);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void end_at_once_on_signals(const std::string& program) {
  name_of_program = {};
  program.copy(name_of_program.data(), name_of_program.size() - 1);
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, end_interrupted, SA_ONSTACK);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) handle(signal, end_crashed, SA_ONSTACK);
  for (const int signal : {SIGXFSZ, SIGPIPE}) handle(signal, SIG_IGN, 0);  // reported as a failed write
}

}  // namespace busbar
