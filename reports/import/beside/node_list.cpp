// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "reports/import/beside/companion.hpp"
#include "reports/import/beside/host_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

/// True for what may follow a host in a hostfile: "slots=4", "max_slots=8", "4".
bool is_slots(std::string_view word) {
  const std::size_t equals = word.find('=');
  return small_integer(equals == std::string_view::npos ? word : word.substr(equals + 1)).has_value();
}

/// The hosts of a line of a hostfile, without slots; empty if it is no such line.
std::optional<std::vector<std::string>> hosts_of_line(std::string_view line) {
  const std::vector<Word> all = words(line);
  if (!std::all_of(all.begin() + 1, all.end(), [](const Word& w) { return is_slots(w.text); })) return std::nullopt;
  std::string_view host = all.front().text;
  if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
    if (!is_slots(host.substr(colon + 1))) return std::nullopt;
    host = host.substr(0, colon);
  }
  return expand_hosts(host);
}

std::optional<CompanionFacts> read_node_list(std::string_view text) {
  std::vector<std::string> hosts;
  const std::string_view number = trimmed(text.substr(0, text.find_last_not_of(" \r\n") + 1));
  if (const auto count = small_integer(number); count && *count > 0 && *count <= most_stated_ranks)
    return CompanionFacts{.nodes = count};
  LogLines lines(text);
  while (const auto line = lines.next()) {
    const std::string_view said = trimmed(line->text.substr(0, line->text.find('#')));
    if (said.empty()) continue;
    const auto names = hosts_of_line(said);
    if (!names) return std::nullopt;
    hosts.insert(hosts.end(), names->begin(), names->end());
    if (hosts.size() > static_cast<std::size_t>(most_stated_ranks)) return std::nullopt;
  }
  if (hosts.empty()) return std::nullopt;
  CompanionFacts facts{.hosts = distinct_hosts(hosts)};
  facts.nodes = static_cast<int>(facts.hosts.size());
  return facts;
}

}  // namespace

extern const Companion node_list{
    .name = "node list",
    .about = "nodes, nodelist, hostfile, machinefile, also with .txt",
    .is_named =
        [](std::string_view file) {
          static constexpr std::array<std::string_view, 4> names{"nodes", "nodelist", "hostfile", "machinefile"};
          if (file.ends_with(".txt")) file.remove_suffix(4);
          return is_one_of(names, file);
        },
    .read = read_node_list,
};

}  // namespace busbar
