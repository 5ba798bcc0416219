// SPDX-License-Identifier: Apache-2.0
#include "core/mpi_library/mpi_library.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/files/kernel_files.hpp"

namespace busbar {
namespace {

/// The version at the beginning of `text`, after blanks, e.g. "5.0.0b1"; empty if no digit comes first.
std::string leading_version(std::string_view text) {
  constexpr std::string_view blanks = " \t", digits = "0123456789";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  if (text.empty() || digits.find(text[0]) == std::string_view::npos) return "";
  return std::string(text.substr(0, text.find_first_not_of("0123456789.abrc")));
}

std::string first_line(std::string_view text) {
  std::string line(facts::trimmed(text.substr(0, text.find('\n'))));
  for (char& c : line)
    if (c == '\t') c = ' ';
  return line;
}

/// Longest process name that the kernel keeps (/proc/PID/comm).
constexpr std::size_t longest_name = 15;

bool is_any_of(MpiLibrary::Words MpiLibrary::* names, std::string_view process_name) {
  const auto is_it = [&](std::string_view name) { return name.substr(0, longest_name) == process_name; };
  return std::ranges::any_of(table<MpiLibrary>(), [&](const auto* l) { return std::ranges::any_of(l->*names, is_it); });
}

}  // namespace

bool is_launcher(std::string_view process_name) {
  const auto base = process_name.substr(0, process_name.find('.'));
  return is_any_of(&MpiLibrary::launchers, process_name) || is_any_of(&MpiLibrary::launchers, base);
}

bool is_launcher_daemon(std::string_view process_name) { return is_any_of(&MpiLibrary::daemons, process_name); }

std::optional<MpiVersion> parse_mpi_version(std::string_view text) {
  for (const MpiLibrary* library : table<MpiLibrary>())
    for (const std::string_view mark : library->version_marks)
      if (const auto at = text.find(mark); at != std::string_view::npos)
        if (std::string version = leading_version(text.substr(at + mark.size())); !version.empty())
          return MpiVersion{.library = library, .version = std::move(version)};
  return std::nullopt;
}

std::string mpi_library_name(std::string_view text) {
  const auto known = parse_mpi_version(text);
  return known ? fmt::format("{} {}", known->library->name, known->version) : first_line(text);
}

const MpiLibrary& find_mpi_library(std::string_view library_name) {
  for (const MpiLibrary* library : table<MpiLibrary>())
    if (library_name.starts_with(library->name)) return *library;
  return *try_find<MpiLibrary>("Open MPI");
}

std::vector<std::string> place_on_hosts(const MpiLibrary& library, std::span<const std::string> hosts,
                                        int ranks_per_host) {
  std::vector<std::string> slots;
  for (const std::string& host : hosts) slots.push_back(fmt::format("{}:{}", host, ranks_per_host));
  const std::array<std::pair<std::string_view, std::string>, 4> values{
      {{"{ranks}", std::to_string(static_cast<int>(hosts.size()) * ranks_per_host)},
       {"{ranks_per_node}", std::to_string(ranks_per_host)},
       {"{hosts}", fmt::format("{}", fmt::join(hosts, ","))},
       {"{slots}", fmt::format("{}", fmt::join(slots, ","))}}};
  std::vector<std::string> words;
  for (const std::string_view word : facts::split(library.hosts, ' ')) {
    const auto value = std::ranges::find(values, word, &std::pair<std::string_view, std::string>::first);
    words.push_back(value == values.end() ? std::string(word) : value->second);
  }
  return words;
}

}  // namespace busbar
