// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/trace.hpp"

#include <cctype>
#include <tuple>
#include <utility>

#include "core/base/json.hpp"

namespace busbar::replay {

using nlohmann::json;

namespace {

/// In the order of the JSON.
template <class Call>
auto all_members(Call& c) {
  return std::tie(c.entry, c.name, c.collective, c.type, c.dtype, c.in, c.out, c.in_split, c.out_split, c.root, c.group,
                  c.start_s, c.duration_s, c.waited_for, c.tensors, c.why_not);
}

}  // namespace

std::optional<int> rank_in_name(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  const auto number_from = [&](std::size_t at) -> std::optional<int> {
    int n = 0;
    std::size_t end = at;
    for (; end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0 && end < at + 7; ++end)
      n = 10 * n + (name[end] - '0');
    return end > at ? std::optional(n) : std::nullopt;
  };
  for (const std::string_view word : {"rank", "worker"})
    if (const std::size_t at = name.find(word); at != std::string::npos) {
      std::size_t digits = at + word.size();
      while (digits < name.size() && (name[digits] == '-' || name[digits] == '_')) ++digits;
      if (const auto n = number_from(digits)) return n;
    }
  const std::size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos) return std::nullopt;
  const std::size_t before = name.substr(0, last).find_last_not_of("0123456789");
  return number_from(before == std::string::npos ? 0 : before + 1);
}

void to_json(json& j, const Trace& t) {
  json calls = json::array();
  for (const TracedCall& c : t.calls)
    calls.push_back(std::apply([](const auto&... member) { return json::array({member...}); }, all_members(c)));
  json groups = json::object();
  for (const auto& [name, g] : t.groups) groups[name] = {g.about, g.ranks, g.size};
  j = {t.file, t.format, t.rank, t.ranks, std::move(groups), std::move(calls), t.notes};
}

void from_json(const json& j, Trace& t) {
  j.at(0).get_to(t.file);
  j.at(1).get_to(t.format);
  j.at(2).get_to(t.rank);
  j.at(3).get_to(t.ranks);
  for (const auto& [name, g] : j.at(4).items())
    t.groups[name] = {.about = g.at(0), .ranks = g.at(1), .size = g.at(2).get<std::optional<int>>()};
  for (const json& c : j.at(5)) {
    std::size_t at = 0;
    std::apply([&](auto&... member) { (c.at(at++).get_to(member), ...); }, all_members(t.calls.emplace_back()));
  }
  j.at(6).get_to(t.notes);
}

}  // namespace busbar::replay
