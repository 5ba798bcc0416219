// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/last_line.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

constexpr std::array signals{SIGABRT, SIGSEGV};

// Globals, since the signal handler cannot reach anything else.
std::array<char, 512> prefix_of_line{};
int held = -1, shown = -1;  // SimGrid's output; the real standard error

/// The message of "[0.000000] ./src/FILE.cpp:LINE: [CATEGORY/CRITICAL] MESSAGE".
std::string_view message(std::string_view text) {
  static constexpr std::string_view before = "CRITICAL] ";
  text = text.substr(0, text.find('\n'));
  const auto at = text.rfind(before);
  return at == std::string_view::npos ? text : text.substr(at + before.size());
}

/// SimGrid 4.0 crashes without a message on a torus with more hosts than names.
void show(int signal) {
  std::array<char, 1024> text{};
  const auto bytes = ::pread(held, text.data(), text.size(), 0);
  std::string_view line = message({text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0});
  if (signal == SIGSEGV && line.empty()) line = "SimGrid itself crashes as it reads it; another version may say why";
  for (const std::string_view part : {std::string_view(prefix_of_line.data()), line, std::string_view("\n")})
    if (::write(shown, part.data(), part.size()) < 0) break;
  ::_exit(static_cast<int>(Exit::usage));
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

}  // namespace busbar
