// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/axes.hpp"

#include <algorithm>
#include <utility>

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
  const Range range = x_extent(plot);
  return log_axis(title, range, report::doubling_ticks({range.low / 1.12, range.high * 1.12}), 1.12);
}

PlotAxis size_axis(const Plot& plot) {
  const Range range = x_extent(plot);
  return log_axis("size", range, report::size_ticks(range), 1.3);
}

PlotAxis value_axis(const Plot& plot, Quantity q) {
  const Range range = extent(plot);
  return log_axis(std::string(report::title(q)), range, report::value_ticks(range, q), 1.25);
}

}  // namespace busbar::predict
