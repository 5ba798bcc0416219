// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "reports/runs/fastest.hpp"
#include "reports/sections/overview.hpp"

/// The winners of --fastest.
namespace busbar::report {
namespace {

struct Winner {
  std::string value;
  std::size_t contests = 0;
};

/// By number of contests won.
std::vector<Winner> winners_of(const Study& study, std::size_t& contests) {
  std::map<std::string, std::size_t> won;
  for (const Contest& c : study.contests) {
    if (c.contenders.size() < 2) continue;
    ++contests;
    ++won[c.contenders.front().value];
  }
  std::vector<Winner> all;
  for (const auto& [value, n] : won) all.push_back({.value = value, .contests = n});
  std::ranges::stable_sort(all, std::ranges::greater{}, &Winner::contests);
  return all;
}

Highlight find_fastest_values(const Material& material) {
  const Study* study = material.study();
  if (study == nullptr) return {};
  std::size_t contests = 0;
  const auto winners = winners_of(*study, contests);
  if (winners.empty()) return {};
  const bool simulated = std::ranges::all_of(study->contests, &Contest::simulated);
  Highlight found{.weight = Weight::comparison};
  found.verdict = fmt::format("{}{} {} is the fastest in {} of {} cases", simulated ? "Simulated: " : "", study->label,
                              winners[0].value, winners[0].contests, contests);
  if (winners.size() > 1) found.verdict += fmt::format(", {} in {}", winners[1].value, winners[1].contests);
  for (std::size_t i = 0; i < std::min<std::size_t>(2, winners.size()); ++i)
    found.figures.push_back({.title = fmt::format("{} is the fastest", winners[i].value),
                             .value = std::to_string(winners[i].contests),
                             .unit = fmt::format("of {} cases", contests),
                             .scope = simulated ? "simulated" : "",
                             .link = "fastest"});
  found.chart = {"fastest", ""};
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource fastest_values{.name = "fastest_values", .find = report::find_fastest_values};

}  // namespace busbar
