// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/hosts.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "reports/runs/json_file.hpp"
#include "reports/suite/child.hpp"
#include "reports/suite/placeholders.hpp"

namespace busbar::suite {
namespace {

constexpr int most_slots = 10'000, most_hosts = 20'000;

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || value < 1 || value > most_slots)
    return std::nullopt;
  return value;
}

/// Adds a host, or slots to a known one. Throws UsageError above most_hosts or most_slots.
void add(std::vector<Host>& hosts, const Host& host, std::string_view where) {
  if (const auto known = std::ranges::find(hosts, host.name, &Host::name); known != hosts.end()) {
    known->slots += host.slots;
    if (known->slots > most_slots)
      throw UsageError(fmt::format("{}: more than {} slots on {}", where, most_slots, host.name));
    return;
  }
  hosts.push_back(host);
  if (hosts.size() > most_hosts) throw UsageError(fmt::format("{}: more than {} hosts", where, most_hosts));
}

/// Parses "a:4" or "a".
Host parse_host(std::string_view word, std::string_view where) {
  const auto colon = word.find(':');
  const Host host{.name = std::string(word.substr(0, colon)), .slots = 1};
  const auto slots = colon == std::string_view::npos ? 1 : number(word.substr(colon + 1));
  if (!is_host_name(host.name) || !slots)
    throw UsageError(fmt::format("{}: '{}' is not HOST or HOST:SLOTS, such as node1:4", where, word));
  return {.name = host.name, .slots = *slots};
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Parses "4(x2),3" into 4, 4, 3.
std::vector<int> tasks_per_node(const std::string& text) {
  std::vector<int> all;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    const auto open = part.find("(x");
    const auto tasks = number(std::string_view(part).substr(0, open));
    const auto times = open == std::string::npos || part.back() != ')'
                           ? std::optional(open == std::string::npos ? 1 : 0)
                           : number(std::string_view(part).substr(open + 2, part.size() - open - 3));
    if (!tasks || times.value_or(0) < 1 || all.size() >= most_hosts)
      throw UsageError(fmt::format("SLURM_TASKS_PER_NODE: '{}' is not a list such as 4(x2),3", text));
    all.insert(all.end(), static_cast<std::size_t>(*times), *tasks);
  }
  return all;
}

std::vector<Host> slurm_hosts(const char* list, const Surroundings& around) {
  std::vector<Host> hosts;
  try {
    for (const std::string& name : words_of(around.output_of({"scontrol", "show", "hostnames", list})))
      hosts.push_back(parse_host(name, "scontrol show hostnames"));
  } catch (const UsageError&) {
    throw;
  } catch (const Error& e) {
    throw UsageError(fmt::format("SLURM_JOB_NODELIST: {}; name the hosts with --hosts", e.what()));
  }
  const char* const tasks = around.variable("SLURM_TASKS_PER_NODE");
  if (tasks == nullptr) return hosts;
  const auto slots = tasks_per_node(tasks);
  if (slots.size() != hosts.size())
    throw UsageError(fmt::format("SLURM_TASKS_PER_NODE: '{}' lists {} nodes, SLURM_JOB_NODELIST {}", tasks,
                                 slots.size(), hosts.size()));
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].slots = slots[i];
  return hosts;
}

const MpiLibrary& library_of(const std::string& program, const Surroundings& around) {
  try {
    if (const auto known = parse_mpi_version(around.output_of({program, "--version"}))) return *known->library;
  } catch (const Error&) {
    // The program does not exist or does not support --version.
  }
  return find_mpi_library("");
}

}  // namespace

std::vector<Host> parse_hosts(std::string_view flag, std::string_view text) {
  std::vector<Host> hosts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    add(hosts, parse_host(text.substr(at, comma - at), flag), flag);
    at = comma + 1;
  }
  return hosts;
}

std::vector<Host> parse_hostfile(std::string_view text, const std::string& file) {
  std::vector<Host> hosts;
  std::istringstream lines{std::string(text)};
  int line_number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string where = fmt::format("{}:{}", file, ++line_number);
    const auto words = words_of(line.substr(0, line.find('#')));
    if (words.empty()) continue;
    Host host = parse_host(words[0], where);
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].starts_with("max_slots=") || words[i].starts_with("max-slots=")) continue;
      const auto slots = words[i].starts_with("slots=") ? number(std::string_view(words[i]).substr(6)) : std::nullopt;
      if (!slots) throw UsageError(fmt::format("{}: '{}' after the host is not slots=N", where, words[i]));
      host.slots = *slots;
    }
    add(hosts, host, where);
  }
  if (hosts.empty()) throw UsageError(fmt::format("{}: names no host; a line is HOST or HOST slots=N", file));
  return hosts;
}

std::vector<Host> read_hostfile(const std::filesystem::path& path) {
  return parse_hostfile(report::read_text(path), path.string());
}

Surroundings surroundings() {
  return {.variable = [](const char* name) { return std::getenv(name); }, .output_of = output_of};
}

std::optional<std::vector<Host>> allocated_hosts(const Surroundings& around) {
  const auto set = [](const char* value) { return value != nullptr && *value != '\0'; };
  if (const char* list = around.variable("SLURM_JOB_NODELIST"); set(list)) return slurm_hosts(list, around);
  if (const char* file = around.variable("PBS_NODEFILE"); set(file)) return read_hostfile(file);
  return std::nullopt;
}

std::string hosts_text(const std::vector<Host>& hosts) {
  std::string text;
  for (const Host& host : hosts) text += fmt::format("{}{}:{}", text.empty() ? "" : ",", host.name, host.slots);
  return text;
}

bool has_placeholder(std::string_view launcher) { return launcher.find('{') != std::string_view::npos; }

std::string placement_of(const std::string& launcher, const Surroundings& around) {
  const auto words = split_words(launcher, "--launcher");
  if (words.empty() || has_placeholder(launcher)) return "";
  const MpiLibrary& library = library_of(words.front(), around);
  return fmt::format("{} {}", library.hosts, library.per_host);
}

}  // namespace busbar::suite
