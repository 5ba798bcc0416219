// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/ratio_band.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/compare/text.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

using report::ChartPoint;
using report::Charts;
using report::Plot;
using report::Range;

std::string point_name(const std::string& set, const CaseKey& key) { return set + '\n' + to_string(key); }

/// Names of runs in order of their first line.
std::vector<std::string> runs_of(const Charts& charts) {
  std::vector<std::string> runs;
  for (const report::Line& line : charts.lines)
    if (std::ranges::find(runs, line.run) == runs.end()) runs.push_back(line.run);
  return runs;
}

/// Points of one run that have a time, by series and size. Of a repeated size, the first counts.
using Times = std::map<std::pair<std::string, std::uint64_t>, const ChartPoint*>;
Times times_of(const Charts& charts, const std::string& run) {
  Times all;
  for (const ChartPoint& p : charts.points) {
    const report::Line& line = charts.lines[p.line];
    if (line.run == run && p.time_s && *p.time_s > 0) all.try_emplace({line.series, p.bytes}, &p);
  }
  return all;
}

Range range_of(const Interval& i) { return {i.low, i.high}; }

constexpr double confidence = 0.95;  ///< of intervals of combined launches

std::string caption(const Plot& plot, const std::vector<std::string>& runs, bool combined) {
  const auto with = [](const report::Mark& mark) { return mark.interval.has_value(); };
  const auto found = std::ranges::find_if(plot.marks, with);
  const std::string what = fmt::format("Time of {} over that of {}", runs[1], runs[0]);
  if (combined && found == plot.marks.end()) return what + ".";
  if (combined)
    return what + fmt::format(", with {:g} % intervals from launch-to-launch variation", 100 * confidence) +
           (std::ranges::all_of(plot.marks, with) ? "." : ", where there are enough launches.");
  if (found == plot.marks.end()) return what + ". No interval: give --by to compare the two with one.";
  return what + ", with the interval of the comparison" +
         (std::ranges::all_of(plot.marks, with) ? "." : ", where it has one.");
}

}  // namespace

RatioBands::RatioBands(const Told* told, const report::Pooled* pooled) : pooled_(pooled) {
  if (told == nullptr) return;
  for (std::size_t i = 0; i < told->runs.size(); ++i) {
    for (const CaseRecord& c : told->runs[i].cases) {
      const auto side = told->request.side_of(i, c);
      if (!side) continue;
      CaseKey key = c.key;
      told->request.blank(key);
      places_[&c] = {.side = *side, .point = point_name(told->request.set_of(i, key), key)};
    }
  }
  for (const Set& set : told->comparison.sets)
    for (const Pair& pair : set.pairs)
      for (const ComparedCase& p : pair.points) points_[{point_name(set.title, p.key), {pair.a, pair.b}}] = &p;
}

const ComparedCase* RatioBands::compared(const CaseRecord* a, const CaseRecord* b) const {
  const auto of_a = places_.find(a), of_b = places_.find(b);
  if (of_a == places_.end() || of_b == places_.end() || of_a->second.point != of_b->second.point) return nullptr;
  const auto point = points_.find({of_a->second.point, {of_a->second.side, of_b->second.side}});
  if (point == points_.end()) return nullptr;
  const ComparedCase* p = point->second;
  return p->a.launches.size() == 1 && p->b.launches.size() == 1 && p->ratio.standard_error > 0 ? p : nullptr;
}

/// The interval belongs to the ratio of the lines: as measured, with all launches.
std::optional<Range> RatioBands::interval_of_launches(const CaseRecord* a, const CaseRecord* b) const {
  if (pooled_ == nullptr) return std::nullopt;
  const auto of_a = pooled_->launches.find(a), of_b = pooled_->launches.find(b);
  if (of_a == pooled_->launches.end() || of_b == pooled_->launches.end()) return std::nullopt;
  const ComparedCase point = point_between(of_a->second, of_b->second, *find_quantity("time"), {.as_measured = true});
  if (point.basis == Basis::assumed || !(point.ratio_of_all.standard_error > 0)) return std::nullopt;
  return range_of(point.ratio_of_all.interval(confidence));
}

RatioBands::Ratio RatioBands::ratio(const ChartPoint& a, const ChartPoint& b) const {
  if (const ComparedCase* p = compared(a.record, b.record))
    return {.value = slowdown(*p), .interval = range_of(slowdown_interval(*p))};
  if (const ComparedCase* p = compared(b.record, a.record))  // the comparison has the sides in the other order
    return {.value = 1 / slowdown(*p), .interval = range_of(inverse(slowdown_interval(*p)))};
  return {.value = *b.time_s / *a.time_s, .interval = interval_of_launches(a.record, b.record)};
}

std::shared_ptr<const Plot> RatioBands::of(const Charts& charts) const {
  const std::vector<std::string> runs = runs_of(charts);
  if (runs.size() != 2) return nullptr;
  const Times first = times_of(charts, runs[0]), second = times_of(charts, runs[1]);
  Plot plot{.height = 110};
  for (const auto& [key, b] : second) {
    const auto a = first.find(key);
    if (a == first.end()) continue;
    const Ratio r = ratio(*a->second, *b);
    plot.marks.push_back(
        {.line = b->line,
         .x = static_cast<double>(b->bytes),
         .value = r.value,
         .interval = r.interval,
         .facts = {
             {"ratio", fmt::format("{:.3f}", r.value)},
             {"interval", r.interval ? fmt::format("{:.3f} to {:.3f}", r.interval->low, r.interval->high) : "none"},
             {"size", format_size(b->bytes)},
             {"series", charts.lines[b->line].series.empty() ? "-" : charts.lines[b->line].series},
             {"first", report::duration(a->second->time_s)},
             {"second", report::duration(b->time_s)}}});
  }
  if (plot.marks.empty()) return nullptr;
  plot.caption = caption(plot, runs, pooled_ != nullptr);
  plot.x = report::size_axis(charts.bytes);
  plot.y = report::ratio_axis("time ratio", report::ratio_range(plot.marks, 0.02));
  plot.regions = {{.label = "slower", .y = {1, plot.y.domain.high}, .good = false},
                  {.label = "faster", .y = {plot.y.domain.low, 1}, .good = true}};
  const std::string who = report::spec::short_names({{.run = runs[0]}, {.run = runs[1]}}).back();
  for (report::Region& region : plot.regions) region.label = who + " " + region.label;
  plot.guides = {{.points = {{plot.x.domain.low, 1}, {plot.x.domain.high, 1}}}};
  return std::make_shared<const Plot>(std::move(plot));
}

}  // namespace busbar::compare
