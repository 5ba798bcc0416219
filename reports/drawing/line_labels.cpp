// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/line_labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/drawing/chart_data.hpp"

namespace busbar::report::spec {
namespace {

constexpr std::size_t most_labels = 4, longest_label = 26, most_wide_plots = 3;
constexpr double line_height = 13, letter = 6.6, distance = 7;  // pixels; letters of 11 px, bold

std::size_t count_letters(const std::string& text) {  // of UTF-8
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Length of what all texts begin with, up to and with the last "=" or blank; 0 for a single text.
std::size_t common_beginning(const std::vector<std::string>& texts) {
  if (texts.size() < 2) return 0;
  std::size_t same = texts.front().size();
  for (const std::string& text : texts) {
    const auto [at, _] = std::ranges::mismatch(texts.front(), text);
    same = std::min(same, static_cast<std::size_t>(at - texts.front().begin()));
  }
  while (same > 0 && texts.front()[same - 1] != '=' && texts.front()[same - 1] != ' ') --same;
  return std::ranges::all_of(texts, [&](const std::string& text) { return text.size() > same; }) ? same : 0;
}

/// Where a value is on an axis, from 0 at its low end to 1.
double share_of_axis(double value, Range domain, bool logarithmic) {
  if (logarithmic) return std::log(value / domain.low) / std::log(domain.high / domain.low);
  return (value - domain.low) / (domain.high - domain.low);
}

Json text_layer() {
  return {{"name", "labels"},
          {"transform", {look_up_line(), without_hidden()}},
          {"mark",
           {{"type", "text"},
            {"clip", false},  // the names are beside the plot; charts that can be moved clip by default
            {"align", "left"},
            {"baseline", "middle"},
            {"fontSize", 11},
            {"fontWeight", 600},
            {"dx", distance},
            {"dy", {{"expr", "datum.dy"}}}}}};
}

}  // namespace

std::vector<std::string> short_names(const std::vector<Line>& lines) {
  const bool one_run = std::ranges::all_of(lines, [&](const Line& l) { return l.run == lines.front().run; });
  std::vector<std::string> names;
  for (const Line& line : lines) {
    const bool of_run = line.series.empty() || !one_run;
    names.push_back(of_run ? line.run + (line.series.empty() ? "" : ", " + line.series) : line.series);
  }
  const std::size_t cut = common_beginning(names);
  for (std::string& name : names) name.erase(0, cut);
  return names;
}

bool can_label(const std::vector<Line>& lines) {
  if (lines.empty() || lines.size() > most_labels) return false;
  if (std::ranges::any_of(lines, [](const Line& l) { return l.style.thin; })) return false;
  return std::ranges::all_of(short_names(lines), [](const auto& name) { return count_letters(name) <= longest_label; });
}

bool can_label(const Figure& figure) {
  const auto of_lines = [](const Plot& p) { return p.kind == PlotKind::lines && p.words.empty(); };
  return !figure.legend.empty() && figure.plots.size() <= most_wide_plots && can_label(figure.lines) &&
         std::ranges::all_of(figure.plots, of_lines);
}

std::vector<double> moved_apart(const std::vector<double>& wanted, double gap, Range within) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
  std::vector<double> at(wanted.size());
  double next = within.low;
  for (const std::size_t i : order) next = (at[i] = std::max(wanted[i], next)) + gap;
  next = within.high;
  for (auto i = order.rbegin(); i != order.rend(); ++i) next = (at[*i] = std::min(at[*i], next)) - gap;
  return at;
}

void add_labels(Json& chart, const std::vector<Line>& lines, const std::vector<LineEnd>& ends, const PlotAxis& y_axis,
                double height, std::pair<std::string, std::string> fields, const Json& encoding) {
  const std::vector<std::string> names = short_names(lines);
  std::vector<double> wanted;
  for (const LineEnd& end : ends)
    wanted.push_back(height * (1 - share_of_axis(end.y, y_axis.domain, y_axis.logarithmic)));
  const std::vector<double> at = moved_apart(wanted, line_height, {0, height});
  Json values = Json::array();
  std::size_t longest = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    longest = std::max(longest, count_letters(names[ends[i].line]));
    values.push_back({{"line", ends[i].line},
                      {fields.first, ends[i].x},
                      {fields.second, rounded(ends[i].y)},
                      {"name", names[ends[i].line]},
                      {"dy", std::round(at[i] - wanted[i])}});
  }
  Json layer = text_layer();
  layer["data"] = {{"values", values}};
  layer["encoding"] = encoding;
  layer["encoding"]["text"] = {{"field", "name"}, {"type", "nominal"}};
  // where a reader has moved or enlarged the chart, the ends are elsewhere
  layer["mark"]["opacity"] = {{"expr", "isValid(zoom." + fields.second + ") ? 0 : 1"}};
  chart["layer"].push_back(std::move(layer));
  // Vega finds the room for names at one width and draws at a smaller one, where less of them is inside the plot.
  chart["padding"] = {{"left", 5}, {"top", 5}, {"bottom", 5}, {"right", 18}};
  chart["usermeta"]["busbar"]["labels"] = std::lround(distance + letter * static_cast<double>(longest));
}

}  // namespace busbar::report::spec
