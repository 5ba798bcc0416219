// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/axes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

namespace busbar::predict {

using report::Mark, report::Plot, report::PlotAxis, report::Quantity, report::Range;

Range extent(const Plot& plot) {
  Range all{.low = plot.marks.front().value, .high = plot.marks.front().value};
  for (const Mark& m : plot.marks) {
    all.low = std::min({all.low, m.value, m.interval ? m.interval->low : m.value});
    all.high = std::max({all.high, m.value, m.interval ? m.interval->high : m.value});
  }
  return all;
}

PlotAxis log_axis(std::string title, Range range, const report::Ticks& ticks, double margin) {
  return {.title = std::move(title),
          .domain = {range.low / margin, range.high * margin},
          .logarithmic = true,
          .ticks = ticks};
}

Range x_extent(const Plot& plot) {
  const auto [low, high] = std::ranges::minmax(plot.marks, {}, &Mark::x);
  return {low.x, high.x};
}

PlotAxis count_axis(const std::string& title, const Plot& plot) {
  constexpr std::size_t few = 7;
  constexpr double apart = 1.6;
  const Range range = x_extent(plot);
  std::set<double> counts;
  for (const Mark& m : plot.marks) counts.insert(m.x);
  const bool close =
      std::ranges::adjacent_find(counts, [](double a, double b) { return b < apart * a; }) != counts.end();
  report::Ticks ticks;
  for (const double count : counts) {
    ticks.values.push_back(count);
    ticks.labels.push_back(fmt::format("{:.0f}", count));
  }
  if (close || counts.size() > few) ticks = report::doubling_ticks({range.low / 1.12, range.high * 1.12});
  return log_axis(title, range, ticks, 1.12);
}

PlotAxis size_axis(const Plot& plot) { return report::size_axis(x_extent(plot)); }

PlotAxis value_axis(const Plot& plot, Quantity q) {
  const Range range = extent(plot);
  return log_axis(std::string(report::title(q)), range, report::value_ticks(range, q), 1.25);
}

}  // namespace busbar::predict
