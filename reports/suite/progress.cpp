// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/progress.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <iterator>

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace busbar::suite {
namespace {

std::size_t columns() {
  winsize window{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20 ? window.ws_col : 80;
}

}  // namespace

Progress::Progress(std::string place) : place_(std::move(place)), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(double seconds, const std::filesystem::path& log) {
  if (!terminal_) return;
  const std::string line = fmt::format("{}, {:.0f} s: {}", place_, seconds, last_line(log));
  fmt::print(stderr, "\r\033[K{}", line.substr(0, columns() - 1));
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

std::string last_line(const std::filesystem::path& file) {
  constexpr std::uintmax_t enough = 4096;
  std::error_code problem;
  const auto size = std::filesystem::file_size(file, problem);
  if (problem) return "";
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(size - std::min(size, enough)));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  std::string line, last;
  for (const char c : text + "\n") {
    const bool ends = c == '\n' || c == '\r';
    if (!ends && std::iscntrl(static_cast<unsigned char>(c)) == 0) line += c;
    if (!ends) continue;
    if (line.find_first_not_of(' ') != std::string::npos) last = line;
    line.clear();
  }
  return last;
}

}  // namespace busbar::suite
