// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/platform.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/files/sha256.hpp"
#include "core/simulation/last_line.hpp"

namespace busbar {
namespace {

/// Compares numbers in names by value: n2 before n10.
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

/// "platform.xml:4: unknown unit: parsecs" from "Parse error at platform.xml:4: unknown unit: parsecs".
std::string first_line_of_error(std::string text) {
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

/// Properties of the file's zone: the root in SimGrid 3, a child of the root in SimGrid 4.
std::map<std::string, std::string> words_of(simgrid::s4u::NetZone& root) {
  std::map<std::string, std::string> words;
  std::vector<simgrid::s4u::NetZone*> zones = root.get_children();
  zones.push_back(&root);
  for (const simgrid::s4u::NetZone* zone : zones)
    for (const auto& [name, value] : *zone->get_properties())
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
    throw UsageError(fmt::format("--platform {}: {}", file, first_line_of_error(e.what())));
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
