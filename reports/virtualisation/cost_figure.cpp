// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "reports/compare/text.hpp"
#include "reports/virtualisation/blocks.hpp"
#include "reports/virtualisation/texts.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, report::ColumnKind, report::Figure, report::Mark, report::Plot, report::Range;
using Curves = std::span<const Curve>;

constexpr double near = 1.5;  ///< ratios that all lie above it are drawn without the margin around 1

std::optional<Range> band(const ComparedCase& p) {
  if (!has_interval(p)) return std::nullopt;
  const Interval i = compare::slowdown_interval(p);
  return Range{i.low, i.high};
}

void widen(Range& range, double value) { range = {std::min(range.low, value), std::max(range.high, value)}; }

/// "+20 %", "0 %".
std::string tick_text(double cost) {
  const double percent = std::round(1000 * cost) / 10;
  return percent == 0 ? "0 %" : fmt::format("{:+g} %", percent);
}

/// A logarithmic axis of time ratios, labelled with the additional time in per cent.
report::PlotAxis cost_axis(const Range& ratios) {
  report::PlotAxis axis = report::log_axis("additional time", ratios, {}, 1.02);
  const bool narrow = axis.domain.high < 4 * axis.domain.low;
  const report::Ticks round = report::linear_ticks({axis.domain.low - 1, axis.domain.high - 1}, tick_text);
  std::vector<double> ticks;
  if (narrow)
    for (const double cost : round.values) ticks.push_back(1 + cost);
  else
    ticks = {0.1, 0.2, 0.5, 1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000};
  for (const double ratio : ticks) {
    if (ratio < axis.domain.low || ratio > axis.domain.high) continue;
    axis.ticks.add(ratio, tick_text(ratio - 1));
  }
  return axis;
}

report::Table points_table(const Study& study, Curves curves) {
  report::Table t{.title = "All sizes",
                  .columns = {{"collective", ColumnKind::name},
                              {"size", report::number},
                              {study.sides[reference].name, report::number},
                              {study.sides[other].name, report::number},
                              {"difference", report::number},
                              {"interval", ColumnKind::name},
                              {"verdict", ColumnKind::status}}};
  for (const Curve& curve : curves)
    for (const ComparedCase& p : curve.points)
      t.rows.push_back({curve.what, compare::size_text(p), shown_value(p, p.a.value), shown_value(p, p.b.value),
                        difference_text(p), interval_text(p), shown_verdict(p)});
  report::fold_if_long(t);
  return t;
}

Plot plot_of(const Study& study, Curves curves) {
  Plot plot;
  Range sizes{std::numeric_limits<double>::infinity(), 0}, ratios{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t line = 0; line < curves.size(); ++line) {
    for (const ComparedCase& p : curves[line].points) {
      const auto size = static_cast<double>(p.key.bytes);
      const auto interval = band(p);
      const double value = compare::slowdown(p);
      widen(sizes, size);
      for (const double v : {value, interval ? interval->low : value, interval ? interval->high : value})
        widen(ratios, v);
      plot.marks.push_back({.line = line,
                            .x = size,
                            .value = value,
                            .interval = interval,
                            .facts = {{"collective", curves[line].what},
                                      {"size", compare::size_text(p)},
                                      {"reference", shown_value(p, p.a.value)},
                                      {"value", shown_value(p, p.b.value)},
                                      {"difference", difference_text(p)},
                                      {"interval", interval_text(p)},
                                      {"verdict", shown_verdict(p)}}});
    }
  }
  plot.value_fact = "difference";
  plot.x = report::size_axis(sizes);
  if (ratios.low < near) widen(ratios, 1 / (1 + study.margin)), widen(ratios, 1 + study.margin);
  plot.y = cost_axis(ratios);
  if (ratios.low >= near) return plot;
  for (const double edge : {1 + study.margin, 1 / (1 + study.margin)})
    plot.guides.push_back({.points = {{plot.x.domain.low, edge}, {plot.x.domain.high, edge}}});
  return plot;
}

Figure figure_of(const Study& study, Curves curves) {
  Figure figure{
      .title = fmt::format("Additional time over size: {}{}", sides_text(study), study.emulated() ? " (emulated)" : ""),
      .caption = fmt::format("Time of {} minus that of {}, in per cent of the latter; logarithmic in the "
                             "ratio. Bands: {:g} % intervals between launches.",
                             study.sides[other].name, study.sides[reference].name, 100 * study.confidence),
      .tables = {points_table(study, curves)}};
  for (const Curve& curve : curves) report::add_line(figure, curve.what);
  figure.plots = {plot_of(study, curves)};
  report::show_few(figure, report::place_of_size);
  if (!figure.plots.front().guides.empty())
    figure.caption +=
        fmt::format(" Dashed: the {:g} % margin within which two sides are the same.", 100 * study.margin);
  return figure;
}

}  // namespace

std::vector<Figure> cost_figures(const Study& study) {
  std::vector<Curve> drawn = study.curves;
  std::erase_if(drawn, [](const Curve& curve) { return curve.points.size() < 2; });
  std::vector<Figure> all;
  for (std::size_t first = 0; first < drawn.size(); first += report::colours)
    all.push_back(figure_of(study, Curves(drawn).subspan(first, std::min(report::colours, drawn.size() - first))));
  return all;
}

}  // namespace busbar::virtualisation
