// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/last_line.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

constexpr std::array signals{SIGABRT, SIGSEGV};

// Globals, since signal handlers cannot reach anything else.
std::array<char, 256> name_of_program{};
std::array<char, 512> prefix_of_line{};
int held = -1, shown = -1;  // SimGrid's output; the real standard error

/// The message of "[0.000000] ./src/FILE.cpp:LINE: [CATEGORY/CRITICAL] MESSAGE".
std::string_view message(std::string_view text) {
  static constexpr std::string_view before = "CRITICAL] ";
  text = text.substr(0, text.find('\n'));
  const auto at = text.rfind(before);
  return at == std::string_view::npos ? text : text.substr(at + before.size());
}

[[noreturn]] void end_with(int file, std::initializer_list<std::string_view> parts, Exit code) {
  std::array<char, 1600> line{};
  std::size_t length = 0;
  for (const std::string_view part : parts) length += part.copy(line.data() + length, line.size() - length);
  if (::write(file, line.data(), length) < 0) ::_exit(static_cast<int>(code));  // nobody reads it
  ::_exit(static_cast<int>(code));
}

/// SimGrid 4.0 crashes without a message on a torus with more hosts than names.
void show(int signal) {
  std::array<char, 1024> text{};
  const auto bytes = ::pread(held, text.data(), text.size(), 0);
  std::string_view line = message({text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0});
  if (signal == SIGSEGV && line.empty()) line = "SimGrid itself crashes as it reads it; another version may say why";
  end_with(shown, {prefix_of_line.data(), line, "\n"}, Exit::usage);
}

void end_interrupted(int signal) {
  end_with(STDERR_FILENO,
           {name_of_program.data(), ": ended by ", signal == SIGINT ? "SIGINT" : "SIGTERM",
            "; a record keeps the cases that had ended, and --resume goes on\n"},
           Exit::interrupted);
}

void end_crashed(int /*signal*/) {
  end_with(
      STDERR_FILENO,
      {name_of_program.data(),
       ": SimGrid crashed; a record keeps the cases that had ended. Another algorithm (--cfg smpi/...) may work\n"},
      Exit::aborted);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

LastLine::LastLine(const std::string& prefix) {
  prefix_of_line = {};
  prefix.copy(prefix_of_line.data(), prefix_of_line.size() - 1);
  held = ::memfd_create("standard error", MFD_CLOEXEC);
  shown = ::dup(STDERR_FILENO);
  std::fflush(stderr);
  ::dup2(held, STDERR_FILENO);
  struct sigaction action{};
  action.sa_handler = show;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &before_[i]);
}

LastLine::~LastLine() {
  std::fflush(stderr);
  ::dup2(shown, STDERR_FILENO);
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
  ::close(held);
  ::close(shown);
}

void end_at_once_on_signals(const std::string& program) {
  name_of_program = {};
  program.copy(name_of_program.data(), name_of_program.size() - 1);
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, end_interrupted, SA_ONSTACK);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) handle(signal, end_crashed, SA_ONSTACK);
  for (const int signal : {SIGXFSZ, SIGPIPE}) handle(signal, SIG_IGN, 0);  // reported as a failed write
}

}  // namespace busbar
