// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/summary.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

/// CPU speed over a run: the time of a fixed piece of work before and after each round.
namespace busbar::report {
namespace {

constexpr std::size_t slots = 120;  ///< parts of a run's time: more are indistinguishable in a chart

/// A part of a run's time: median, 10th and 90th percentile over its rounds.
struct Slot {
  double at_s = 0, median_s = 0, low_s = 0, high_s = 0;
  std::size_t rounds = 0;
};

std::vector<Slot> over_time(const Run& run) {
  std::vector<std::pair<double, double>> seen;  // at, pace
  for (const CaseRecord& c : run.cases)
    for (const Round& r : c.rounds)
      if (r.pace_s) seen.emplace_back(r.at_s, *r.pace_s);
  if (seen.size() < 2) return {};
  std::ranges::sort(seen);
  const double begin = seen.front().first, width = (seen.back().first - begin) / slots;
  std::map<std::size_t, std::vector<double>> by_slot;
  for (const auto& [at, pace] : seen)
    by_slot[width > 0 ? std::min(static_cast<std::size_t>((at - begin) / width), slots - 1) : 0].push_back(pace);
  std::vector<Slot> all;
  for (auto& [slot, paces] : by_slot) {
    std::ranges::sort(paces);
    const std::size_t tenth = paces.size() / 10;
    all.push_back({.at_s = begin + (static_cast<double>(slot) + 0.5) * width,
                   .median_s = median(paces),
                   .low_s = paces[tenth],
                   .high_s = paces[paces.size() - 1 - tenth],
                   .rounds = paces.size()});
  }
  return all;
}

struct Paced {
  std::size_t run = 0;
  std::vector<Slot> slots;
  double slowest = 1;  ///< ratio of the slowest slot to the fastest
};

/// Runs with pace data.
std::vector<Paced> paced_runs(const std::vector<Run>& runs) {
  std::vector<Paced> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto slots_of_run = over_time(runs[i]);
    if (slots_of_run.empty()) continue;
    const auto [least, most] = std::ranges::minmax(slots_of_run, {}, &Slot::median_s);
    all.push_back({.run = i, .slots = std::move(slots_of_run), .slowest = most.median_s / least.median_s});
  }
  return all;
}

Plot pace_plot(const std::vector<Paced>& drawn) {
  Plot plot;
  Range y{std::numeric_limits<double>::infinity(), 0};
  double last = 1;
  for (std::size_t line = 0; line < drawn.size(); ++line) {
    for (const Slot& s : drawn[line].slots) {
      y = {std::min(y.low, s.low_s), std::max(y.high, s.high_s)};
      last = std::max(last, s.at_s);
      plot.marks.push_back({.line = line,
                            .x = s.at_s,
                            .value = 1e6 * s.median_s,
                            .interval = Range{1e6 * s.low_s, 1e6 * s.high_s},
                            .facts = {{"at", duration(s.at_s)},
                                      {"median", duration(s.median_s)},
                                      {"10th percentile", duration(s.low_s)},
                                      {"90th percentile", duration(s.high_s)},
                                      {"rounds", std::to_string(s.rounds)}}});
    }
  }
  plot.x = linear_axis("time since the start of the run (s)", {-0.02 * last, 1.02 * last});
  plot.y = linear_axis("fixed work (us)", {0.9e6 * y.low, 1.1e6 * y.high});
  return plot;
}

Table pace_table(const std::vector<Paced>& all, const std::vector<std::string>& names) {
  Table t{.title = "Time of fixed work in each run",
          .columns = make_columns(
              {{ColumnKind::name, {"run"}}, {number, {"fastest", "median", "slowest", "slowest over fastest"}}})};
  for (const Paced& p : all) {
    std::vector<double> medians;
    for (const Slot& s : p.slots) medians.push_back(s.median_s);
    const auto [least, most] = std::ranges::minmax(medians);
    t.rows.push_back(
        {names[p.run], duration(least), duration(median(medians)), duration(most), fmt::format("{:.2f}", p.slowest)});
  }
  return t;
}

std::vector<Block> pace_blocks(const Material& material) {
  std::vector<Paced> all = paced_runs(material.runs());
  if (all.empty()) return {};
  Figure figure{
      .title = "Time of a fixed amount of work",
      .caption =
          "Measured before and after each round, on the rank with the slowest CPU: medians over parts of the run's "
          "time; bands: 10th to 90th percentile. Where it rises, other processes used the cores, or their clock fell.",
      .tables = {pace_table(all, material.names())}};
  if (all.size() > colours) {
    figure.caption += fmt::format(" Shown: the {} of {} runs in which it varied most.", colours, all.size());
    std::ranges::stable_sort(all, std::greater{}, &Paced::slowest);
    all.resize(colours);
    std::ranges::sort(all, {}, &Paced::run);
  }
  for (const Paced& p : all) add_line(figure, material.names()[p.run]);
  figure.plots = {pace_plot(all)};
  return {figure};
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section pace{
    .name = "pace", .title = "CPU speed over the run", .blocks = report::pace_blocks, .folded = true};

}  // namespace busbar
