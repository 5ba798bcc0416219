// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "core/base/json.hpp"
#include "reports/drawing/spec_parts.hpp"
#include "reports/figure/picture.hpp"

namespace busbar::figure {
namespace {

using report::Mark;

/// Marks of each line, from left to right.
std::map<std::size_t, std::vector<const Mark*>> marks_by_line(const Chart& chart) {
  std::map<std::size_t, std::vector<const Mark*>> all;
  for (const Mark& mark : chart.plot.marks)
    if (mark.line < chart.lines.size()) all[mark.line].push_back(&mark);
  for (auto& [line, marks] : all) std::ranges::stable_sort(marks, {}, &Mark::x);
  return all;
}

/// The interval, cut at the ends of the axis: its low end can lie below 0 on a logarithmic one.
report::Range inside(const report::Range& interval, const report::Range& axis) {
  return {std::clamp(interval.low, axis.low, axis.high), std::clamp(interval.high, axis.low, axis.high)};
}

/// A band for each stretch of at least two neighbouring points with intervals.
void add_bands(Picture& picture, const std::vector<const Mark*>& marks, Colour colour) {
  std::vector<Point> low, high;
  const auto close = [&] {
    if (low.size() > 1) {
      std::vector<Point> corners = low;
      corners.insert(corners.end(), high.rbegin(), high.rend());
      picture.areas.push_back({.corners = std::move(corners), .colour = colour, .opacity = 0.2});
    }
    low.clear();
    high.clear();
  };
  for (const Mark* mark : marks) {
    if (!mark->interval) {
      close();
      continue;
    }
    const report::Range range = inside(*mark->interval, picture.y.range);
    low.push_back({mark->x, range.low});
    high.push_back({mark->x, range.high});
    picture.whiskers.push_back({.x = mark->x, .range = range, .colour = colour});
  }
  close();
}

void add_guides(Picture& picture, const Chart& chart) {
  for (const report::Guide& guide : chart.plot.guides) {
    Curve curve{.colour = quiet, .dash = {4, 3}, .width = 0.9, .label = std::string(guide.label)};
    for (const auto& [x, y] : guide.points) curve.points.push_back({x, y});
    picture.guides.push_back(std::move(curve));
  }
}

}  // namespace

std::vector<double> dash_of(const report::LineStyle& style) {
  if (style.dash % report::dashes == 0) return {};
  return report::spec::dash_patterns()[style.dash % report::dashes].get<std::vector<double>>();
}

Colour colour_of(const report::LineStyle& style) { return line_colours[style.colour % report::colours]; }

void add_lines(Picture& picture, const Chart& chart) {
  picture.x = axis_of(chart.plot.x);
  picture.y = axis_of(chart.plot.y);
  add_guides(picture, chart);
  for (const auto& [line, marks] : marks_by_line(chart)) {
    const report::LineStyle& style = chart.lines[line].style;
    add_bands(picture, marks, colour_of(style));
    Curve curve{.colour = colour_of(style),
                .dash = dash_of(style),
                .width = style.thin ? 0.6 : 1.1,
                .shape = style.shape % report::shapes,
                .label = line_label(chart, line)};
    for (const Mark* mark : marks) curve.points.push_back({mark->x, mark->value});
    picture.points += curve.points.size();
    picture.curves.push_back(std::move(curve));
  }
  // solid lines over dashed ones: measurements over predictions
  std::ranges::stable_partition(picture.curves, [](const Curve& curve) { return !curve.dash.empty(); });
}

}  // namespace busbar::figure
