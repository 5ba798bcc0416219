// SPDX-License-Identifier: Apache-2.0
#include "reports/history/histories.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>

#include "core/record/run.hpp"
#include "reports/compare/sides.hpp"

namespace busbar::history {
namespace {

constexpr std::size_t least_launches = 4;
constexpr double least_hours = 12;

}  // namespace

std::optional<double> start_hours(const Run& run) {
  const auto& utc = run.head.start_utc;
  if (!utc || utc->size() < 19) return std::nullopt;
  std::array<int, 6> parts{};
  static constexpr std::array<std::pair<std::size_t, std::size_t>, 6> places{
      {{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}, {17, 2}}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const char* begin = utc->data() + places[i].first;
    const auto [end, problem] = std::from_chars(begin, begin + places[i].second, parts[i]);
    if (problem != std::errc{} || end != begin + places[i].second) return std::nullopt;
  }
  using namespace std::chrono;
  const year_month_day date{year{parts[0]}, month{static_cast<unsigned>(parts[1])},
                            day{static_cast<unsigned>(parts[2])}};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(sys_days{date}.time_since_epoch().count()) * 24 + parts[3] + parts[4] / 60.0 +
         parts[5] / 3600.0;
}

std::vector<History> histories_of(const std::vector<Run>& runs) {
  std::map<std::string, std::vector<const Run*>> by_labels;
  for (const Run& run : runs)
    if (start_hours(run) && !is_simulated(run.head)) by_labels[compare::other_labels(run.head, "", {})].push_back(&run);
  std::vector<History> all;
  for (auto& [labels, launches] : by_labels) {
    std::ranges::stable_sort(launches, {}, [](const Run* run) { return *start_hours(*run); });
    const double span = *start_hours(*launches.back()) - *start_hours(*launches.front());
    if (launches.size() < least_launches || span < least_hours) continue;
    auto found = changes(launches);
    all.push_back({.labels = labels, .launches = std::move(launches), .changes = std::move(found)});
  }
  return all;
}

}  // namespace busbar::history
