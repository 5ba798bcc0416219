// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/history/histories.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"

/// What became slower or faster over days.
namespace busbar::report {
namespace {

using history::Change, history::History, history::Moved;

/// The direction in which more cases moved.
const Moved& larger_part(const Change& c) { return c.slower.cases >= c.faster.cases ? c.slower : c.faster; }

/// Its median slowdown since that day: "+15.2 %".
KeyFigure change_figure(const History& history, const Change& change) {
  const Moved& moved = larger_part(change);
  const bool slower = change.slower.cases > 0;
  KeyFigure figure{.title = fmt::format("time since {}", change.since.substr(0, change.since.find('T'))),
                   .value = "changed",
                   .expected = slower ? "should not rise" : "",
                   .scope = fmt::format("{} of {}, {} launches", moved.cases, plural(change.cases.size(), "case"),
                                        history.launches.size()),
                   .judgement = slower ? Judgement::doubtful : Judgement::open,
                   .link = "trend"};
  if (!moved.median) return figure;
  const auto change_percent = [](double ratio) { return 100 * (ratio - 1); };
  const Interval& interval = moved.median->interval;
  figure.value = fmt::format("{:+.1f}", change_percent(moved.median->ratio));
  figure.unit = "%";
  figure.interval = fmt::format("{:+.1f} to {:+.1f} %", change_percent(interval.low), change_percent(interval.high));
  return figure;
}

/// The latest change of a history.
Highlight of_change(const History& history) {
  const Change& change = history.changes.back();
  Highlight found{.weight = Weight::comparison, .verdict = history::sentence(change)};
  found.verdict.pop_back();  // its full stop
  if (!history.labels.empty()) found.verdict = history.labels + ": " + found.verdict;
  found.figures.push_back(change_figure(history, change));
  found.judgement = found.figures.front().judgement;
  found.chart = {.chapter = "trend", .title = history.labels};
  return found;
}

/// Of several histories, the one with the latest change.
Highlight find_lasting_changes(const Material& material) {
  const History* latest = nullptr;
  std::size_t launches = 0;
  for (const History& history : material.histories()) {
    launches = std::max(launches, history.launches.size());
    if (history.changes.empty()) continue;
    if (latest == nullptr || history.changes.back().since > latest->changes.back().since) latest = &history;
  }
  if (latest != nullptr) return of_change(*latest);
  if (launches < history::least_for_changes) return {};
  Highlight found;
  found.figures.push_back({.title = "lasting changes",
                           .value = "0",
                           .unit = fmt::format("in {} launches", launches),
                           .expected = "should be 0",
                           .judgement = Judgement::good,
                           .link = "trend"});
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource lasting_changes{.name = "lasting_changes", .find = report::find_lasting_changes};

}  // namespace busbar
