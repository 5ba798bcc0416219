// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "reports/figure/picture.hpp"

namespace busbar::figure {
namespace {

using report::Mark;

/// Names of rows, columns or groups: those of the axis first, then in order of the marks.
class Slots {
 public:
  explicit Slots(const std::vector<std::string>& first) {
    for (const std::string& name : first) place_of(name);
  }
  double place_of(const std::string& name) {
    const auto [at, is_new] = places_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return static_cast<double>(at->second);
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
};

Slots slots_of(const report::Plot& plot, const report::PlotAxis& axis, std::string Mark::* name) {
  Slots slots(axis.names);
  for (const Mark& mark : plot.marks) slots.place_of(mark.*name);
  return slots;
}

std::vector<Point> box(report::Range x, report::Range y) {
  return {{x.low, y.low}, {x.high, y.low}, {x.high, y.high}, {x.low, y.high}};
}

/// Nobody tells more lines apart; the data file has all of them.
void limit_keys(Picture& picture) {
  constexpr std::size_t most = 20;
  if (picture.keys.size() <= most) return;
  const std::size_t rest = picture.keys.size() - (most - 1);
  picture.keys.resize(most - 1);
  picture.keys.push_back({.label = fmt::format("and {} more", rest), .colour = paper});
}

report::LineStyle style_of(const Chart& chart, const Mark& mark) {
  return mark.line < chart.lines.size() ? chart.lines[mark.line].style : report::LineStyle{};
}

}  // namespace

void add_bars(Picture& picture, const Chart& chart) {
  const report::Plot& plot = chart.plot;
  Slots groups = slots_of(plot, plot.x, &Mark::group);
  picture.x = named_axis(plot.x.title, groups.names(), false);
  picture.y = axis_of(plot.y);
  const std::vector<std::size_t> lines = drawn_lines(chart);
  const double of_group = 0.7;  // share of a slot that bars fill
  const double width = plot.side_by_side ? of_group / static_cast<double>(std::max<std::size_t>(lines.size(), 1)) : 0.5;
  for (const Mark& mark : plot.marks) {
    const double nth = static_cast<double>(std::ranges::find(lines, mark.line) - lines.begin());
    const double left = groups.place_of(mark.group) + (plot.side_by_side ? nth * width - of_group / 2 : -width / 2);
    const double middle = left + width / 2;
    picture.areas.push_back({.corners = box({left, left + width}, {mark.base, mark.value}),
                             .colour = colour_of(style_of(chart, mark)),
                             .outlined = true});
    if (mark.interval) picture.whiskers.push_back({.x = middle, .range = *mark.interval});
    const double top = mark.interval ? std::max(mark.value, mark.interval->high) : mark.value;
    if (plot.side_by_side && !mark.label.empty())
      picture.notes.push_back(
          {.at = {middle, top}, .place = Note::Place::above, .text = mark.label, .room = {1.2 * width, 0}});
  }
}

void add_cells(Picture& picture, const Chart& chart) {
  const report::Plot& plot = chart.plot;
  Slots columns = slots_of(plot, plot.x, &Mark::group), rows = slots_of(plot, plot.y, &Mark::row);
  picture.x = named_axis(plot.x.title, columns.names(), false);
  picture.y = named_axis(plot.y.title, rows.names(), true);
  for (const Mark& mark : plot.marks) {
    const double x = columns.place_of(mark.group), y = -rows.place_of(mark.row);
    picture.areas.push_back({.corners = box({x - 0.5, x + 0.5}, {y - 0.5, y + 0.5}),
                             .colour = shade_colours[mark.shade % report::shades],
                             .outlined = true});
    if (!mark.label.empty())
      picture.notes.push_back(
          {.at = {x, y}, .text = mark.label, .colour = mark.shade + 2 >= report::shades ? paper : ink, .room = {1, 1}});
  }
}

void add_spans(Picture& picture, const Chart& chart) {
  const report::Plot& plot = chart.plot;
  Slots rows = slots_of(plot, plot.y, &Mark::row);
  picture.x = axis_of(plot.x);
  picture.y = named_axis(plot.y.title, rows.names(), true);
  for (const Mark& mark : plot.marks) {
    const double y = -rows.place_of(mark.row);
    picture.areas.push_back({.corners = box({mark.base, mark.value}, {y - 0.4, y + 0.4}),
                             .colour = colour_of(style_of(chart, mark)),
                             .outlined = true});
    if (!mark.label.empty())
      picture.notes.push_back({.at = {(mark.base + mark.value) / 2, y},
                               .text = mark.label,
                               .colour = paper,
                               .room = {mark.value - mark.base, 0.8}});
  }
}

Picture picture_of(const Chart& chart) {
  Picture picture;
  switch (chart.plot.kind) {
    case report::PlotKind::lines:
      add_lines(picture, chart);
      break;
    case report::PlotKind::bars:
      add_bars(picture, chart);
      break;
    case report::PlotKind::cells:
      add_cells(picture, chart);
      break;
    case report::PlotKind::spans:
      add_spans(picture, chart);
      break;
  }
  const bool boxes = chart.plot.kind != report::PlotKind::lines;
  if (boxes) picture.points = chart.plot.marks.size();
  for (const report::LegendEntry& entry : chart.legend) {
    Key key{.label = entry.label, .filled = entry.filled || boxes};
    if (entry.coloured) key.colour = colour_of(entry.style);
    key.dash = dash_of(entry.style);
    if (entry.coloured && !key.filled) key.shape = entry.style.shape % report::shapes;
    picture.keys.push_back(std::move(key));
  }
  limit_keys(picture);
  return picture;
}

}  // namespace busbar::figure
