// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/platform.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/sha256.hpp"

namespace busbar {
namespace {

/// SimGrid says what is wrong with some platforms on standard error, with a backtrace, and aborts. While this lives,
/// the first line of that is all that is seen, and the process ends with exit code 2.
class LastLine {
 public:
  explicit LastLine(const std::string& prefix) {
    prefix.copy(prefix_.data(), prefix_.size() - 1);
    held_ = ::memfd_create("standard error", MFD_CLOEXEC);
    stderr_ = ::dup(STDERR_FILENO);
    std::fflush(stderr);
    ::dup2(held_, STDERR_FILENO);
    before_ = std::signal(SIGABRT, show);
  }
  ~LastLine() {
    std::fflush(stderr);
    ::dup2(stderr_, STDERR_FILENO);
    std::signal(SIGABRT, before_);
    ::close(held_);
    ::close(stderr_);
  }
  LastLine(const LastLine&) = delete;
  LastLine& operator=(const LastLine&) = delete;

 private:
  /// "[0.000000] ./src/FILE.cpp:LINE: [CATEGORY/CRITICAL] MESSAGE" without what is before the message.
  static std::string_view message(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    const auto end = text.rfind("CRITICAL] ");
    return end == std::string_view::npos ? text : text.substr(end + std::strlen("CRITICAL] "));
  }
  static void show(int /*signal*/) {
    std::array<char, 1024> text{};
    const auto bytes = ::pread(held_, text.data(), text.size(), 0);
    const std::string_view line = message({text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0});
    for (const std::string_view part : {std::string_view(prefix_.data()), line, std::string_view("\n")})
      if (::write(stderr_, part.data(), part.size()) < 0) break;
    ::_exit(static_cast<int>(Exit::usage));
  }

  // What the signal handler may look at: nothing else can reach it.
  static inline std::array<char, 512> prefix_{};
  static inline int held_ = -1, stderr_ = -1;
  void (*before_)(int) = SIG_DFL;
};

/// Numbers in names by their value: n2 before n10.
bool comes_before(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (digit(a[0]) && digit(b[0])) {
      unsigned long x = 0, y = 0;
      const auto* const a_end = std::from_chars(a.data(), a.data() + a.size(), x).ptr;
      const auto* const b_end = std::from_chars(b.data(), b.data() + b.size(), y).ptr;
      if (x != y) return x < y;
      a.remove_prefix(static_cast<std::size_t>(a_end - a.data()));
      b.remove_prefix(static_cast<std::size_t>(b_end - b.data()));
      continue;
    }
    if (a[0] != b[0]) return a[0] < b[0];
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw UsageError(fmt::format("--platform: {} cannot be read", file));
  return bytes;
}

/// "platform.xml:4: unknown unit: parsecs" of "Parse error at platform.xml:4: unknown unit: parsecs".
std::string first_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  static constexpr std::string_view prefix = "Parse error at ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

std::vector<RankHost> hosts_of(const simgrid::s4u::Engine& engine) {
  std::vector<RankHost> hosts;
  for (simgrid::s4u::Host* host : engine.get_all_hosts()) {
    const char* node = host->get_property("busbar.node");
    hosts.push_back({.host = host, .node = node != nullptr ? node : host->get_name()});
  }
  std::ranges::sort(
      hosts, [](const RankHost& a, const RankHost& b) { return comes_before(a.host->get_name(), b.host->get_name()); });
  return hosts;
}

std::map<std::string, std::string> words_of(const simgrid::s4u::NetZone& zone) {
  std::map<std::string, std::string> words;
  for (const auto& [name, value] : *zone.get_properties())
    if (name.starts_with("busbar.")) words[name] = value;
  return words;
}

}  // namespace

Platform load_platform(simgrid::s4u::Engine& engine, const std::string& file, const std::string& program) {
  Platform platform{.file = file, .sha256 = sha256_hex(read_file(file))};
  try {
    const LastLine last(fmt::format("{}: --platform {}: ", program, file));
    engine.load_platform(file);
    platform.hosts = hosts_of(engine);
  } catch (const std::exception& e) {
    throw UsageError(fmt::format("--platform {}: {}", file, first_line(e.what())));
  }
  if (platform.hosts.empty()) throw UsageError(fmt::format("--platform {}: it has no host", file));
  platform.words = words_of(*engine.get_netzone_root());
  return platform;
}

std::vector<RankHost> place_ranks(const Platform& platform, const SimulationOptions& options) {
  std::map<std::string, int> on;
  std::vector<RankHost> places;
  for (const RankHost& host : platform.hosts)
    if (++on[host.node] <= options.ranks_per_node.value_or(std::numeric_limits<int>::max())) places.push_back(host);
  const auto room = static_cast<int>(places.size()), ranks = options.ranks.value_or(room);
  if (ranks > room)
    throw UsageError(fmt::format("-np {}: {} has {} host{} for ranks{}", ranks, platform.file, room,
                                 room == 1 ? "" : "s",
                                 options.ranks_per_node ? fmt::format(", {} a node", *options.ranks_per_node) : ""));
  places.resize(static_cast<std::size_t>(ranks));
  return places;
}

}  // namespace busbar
