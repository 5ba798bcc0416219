// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/document/plot.hpp"
#include "reports/serve/live_state.hpp"
#include "reports/text/escape.hpp"

namespace busbar::serve {
namespace {

using report::Charts;
using report::Quantity;
using report::Range;
using report::Ticks;

constexpr std::size_t most_charts = 16;
constexpr double width = 640, height = 280, left = 72, right = 12, top = 10, bottom = 34;

/// Positions on two logarithmic axes.
struct Frame {
  Range x, y;

  static double part(double value, Range of) { return std::log(value / of.low) / std::log(of.high / of.low); }
  [[nodiscard]] double at_x(double value) const { return left + (width - left - right) * part(value, x); }
  [[nodiscard]] double at_y(double value) const { return height - bottom - (height - top - bottom) * part(value, y); }
};

/// Room on both sides, so that a single point has an axis as well.
Range wider(Range range, double factor) { return {range.low / factor, range.high * factor}; }

std::string axes(const Frame& f, const Ticks& x, const Ticks& y) {
  std::string out;
  for (std::size_t i = 0; i < x.values.size(); ++i)
    out += fmt::format(
        "<path class=\"tick\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>",
        f.at_x(x.values[i]), top, height - bottom, height - bottom + 18, report::escape_html(x.labels[i]));
  for (std::size_t i = 0; i < y.values.size(); ++i)
    out += fmt::format(
        "<path class=\"tick\" d=\"M{1} {0:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
        f.at_y(y.values[i]), left, width - right, left - 8, f.at_y(y.values[i]) + 4, report::escape_html(y.labels[i]));
  return out;
}

/// The points of one line, by size: a path through them, a dot each, and their intervals as bars.
std::string line_path(const Charts& charts, Quantity q, std::size_t line, const Frame& f) {
  std::vector<const report::ChartPoint*> points;
  for (const auto& p : charts.points)
    if (p.line == line && report::value_of(p, q)) points.push_back(&p);
  std::ranges::sort(points, {}, [](const auto* p) { return p->bytes; });
  std::string path, bars, dots;
  for (const auto* p : points) {
    const double x = f.at_x(static_cast<double>(p->bytes)), y = f.at_y(*report::value_of(*p, q));
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", x, y);
    if (const auto band = report::band_of(*p, q))
      bars += fmt::format("M{:.1f} {:.1f}V{:.1f}", x, f.at_y(std::clamp(band->low, f.y.low, f.y.high)),
                          f.at_y(std::clamp(band->high, f.y.low, f.y.high)));
  }
  const std::size_t colour = charts.lines[line].style.colour % report::colours;
  return fmt::format("<g class=\"line c{}\"><path class=\"bars\" d=\"{}\"/><path d=\"{}\"/>{}</g>", colour, bars, path,
                     dots);
}

std::string svg_of(const Charts& charts, Quantity q) {
  const Range values = charts.values[static_cast<std::size_t>(q)];
  const Frame f{.x = wider(charts.bytes, 1.3), .y = wider(values, 1.25)};
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} over message size; the tables below have the figures\">",
      width, height, report::title(q));
  out += axes(f, report::size_ticks(charts.bytes), report::value_ticks(values, q));
  for (std::size_t line = 0; line < charts.lines.size(); ++line) out += line_path(charts, q, line, f);
  return out + "</svg>";
}

nlohmann::json legend_of(const Charts& charts) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& line : charts.lines)
    all.push_back({{"label", line.series}, {"colour", line.style.colour % report::colours}});
  return charts.lines.size() > 1 ? all : nlohmann::json::array();
}

}  // namespace

nlohmann::json live_charts(const std::vector<Run>& runs) {
  nlohmann::json all = nlohmann::json::array();
  for (const Charts& charts : report::make_charts(runs)) {
    const Quantity q = has_points(charts, Quantity::busbw) ? Quantity::busbw : Quantity::time;
    if (!has_points(charts, q) || all.size() == most_charts) continue;
    all.push_back({{"title", fmt::format("{}: {} over message size", charts.title, report::title(q))},
                   {"caption", charts.caption},
                   {"svg", svg_of(charts, q)},
                   {"legend", legend_of(charts)}});
  }
  return all;
}

}  // namespace busbar::serve
