// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/plot_spec.hpp"

#include <set>
#include <utility>

#include <fmt/core.h>

#include "reports/drawing/chart_data.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/drawing/plot_layers.hpp"
#include "reports/drawing/spec_parts.hpp"

namespace busbar::report {
namespace {

using plot::channel, plot::tooltip, spec::Json;

/// The lines that have an interval somewhere.
std::set<std::size_t> lines_with_intervals(const Plot& plot) {
  std::set<std::size_t> lines;
  for (const Mark& mark : plot.marks)
    if (mark.interval) lines.insert(mark.line);
  return lines;
}

/// The guides, each with its label at the last point.
std::vector<Json> guide_layers(const Plot& plot) {
  Json lines = Json::array(), names = Json::array();
  for (std::size_t i = 0; i < plot.guides.size(); ++i) {
    const Guide& guide = plot.guides[i];
    for (const auto& [x, y] : guide.points) lines.push_back({{"guide", i}, {"x", x}, {"y", y}});
    const auto& [x, y] = guide.points.back();
    if (guide.label.empty()) continue;
    names.push_back({{"label", guide.label}, {"x", x}, {"y", y}});
  }
  const Json place = {{"x", channel(plot.x, "x", "x")}, {"y", channel(plot.y, "y", "y")}};
  Json line = {{"data", {{"values", lines}}}, {"encoding", place}},
       text = {{"data", {{"values", names}}}, {"encoding", place}};
  line["mark"] = {{"type", "line"}, {"strokeDash", {5, 4}}, {"strokeWidth", 1.2}, {"color", "var(--quiet)"}};
  line["encoding"]["detail"] = {{"field", "guide"}, {"type", "nominal"}};
  text["mark"] = {{"type", "text"}, {"align", "right"}, {"dy", -7},
                  {"dx", -4},       {"fontSize", 11},   {"color", "var(--quiet)"}};
  text["encoding"]["text"] = {{"field", "label"}, {"type", "nominal"}};
  return {line, text};
}

/// Shaded areas over the whole width, each with its label at the edge of the plot.
std::vector<Json> region_layers(const Plot& plot) {
  Json values = Json::array();
  for (const Region& region : plot.regions) {
    const bool top = region.y.high >= plot.y.domain.high;
    values.push_back({{"label", region.label},
                      {"good", region.good ? 1 : 0},
                      {"low", region.y.low},
                      {"high", region.y.high},
                      {"edge", top ? region.y.high : region.y.low},
                      {"dy", top ? 9 : -7}});
  }
  const Json colour = {{"condition", {{"test", "datum.good === 1"}, {"value", "var(--good)"}}},
                       {"value", "var(--bad)"}};
  Json area = {{"data", {{"values", values}}}, {"mark", {{"type", "rect"}, {"clip", true}, {"opacity", 0.08}}}};
  area["encoding"] = {{"y", channel(plot.y, "y", "low")}, {"y2", {{"field", "high"}}}, {"color", colour}};
  Json text = {{"data", {{"values", values}}}};
  text["mark"] = {{"type", "text"},    {"align", "left"}, {"baseline", "middle"},         {"fontSize", 11},
                  {"fontWeight", 600}, {"dx", 6},         {"dy", {{"expr", "datum.dy"}}}, {"clip", true}};
  text["encoding"] = {{"x", {{"value", 0}}},
                      {"y", channel(plot.y, "y", "edge")},
                      {"color", colour},
                      {"text", {{"field", "label"}, {"type", "nominal"}}}};
  return {area, text};
}

/// Adds the axes, colour and line channels to a layer of lines, points or intervals.
Json with_lines(Json layer, const Plot& plot) {
  Json encoding = {{"x", channel(plot.x, "x", "x")},
                   {"y", channel(plot.y, "y", "value")},
                   {"color", spec::colour_channel()},
                   {"detail", spec::line_channel()}};
  encoding.update(layer.value("encoding", Json::object()), true);
  layer["encoding"] = encoding;
  return layer;
}

Json line_layers(const Plot& plot) {
  Json layers = Json::array();
  if (!plot.regions.empty()) layers = region_layers(plot);
  if (!plot.guides.empty())
    for (Json& layer : guide_layers(plot)) layers.push_back(std::move(layer));
  if (const auto lines = lines_with_intervals(plot); !lines.empty()) {
    if (lines.size() <= spec::most_bands)
      layers.push_back(with_lines(spec::interval_layer("area", "low", "high"), plot));
    layers.push_back(with_lines(spec::interval_layer("rule", "low", "high"), plot));
  }
  layers.push_back(with_lines(spec::line_layer(), plot));
  layers.push_back(with_lines(spec::point_layer(), plot));
  return layers;
}

Json line_offset() { return {{"field", "line"}, {"type", "nominal"}, {"sort", nullptr}}; }

/// Labels above bars.
Json label_layer(const Plot& plot, const Json& x) {
  return {{"transform", Json::array({{{"filter", "isValid(datum.label)"}}})},
          {"mark", {{"type", "text"}, {"dy", -6}, {"fontSize", 11}, {"color", "var(--text)"}}},
          {"encoding",
           {{"x", x},
            {"xOffset", line_offset()},
            {"y", channel(plot.y, "y", "value")},
            {"text", {{"field", "label"}, {"type", "nominal"}}}}}};
}

Json bar_layers(const Plot& plot) {
  Json x = {{"field", "group"}, {"type", "nominal"}, {"sort", nullptr}};
  x["axis"] = {{"title", plot.x.title}, {"labelAngle", 0}, {"grid", false}, {"labelOverlap", false}};
  // wraps "2 jobs of 1 rank" and "4 ranks on 2 nodes" onto two lines where bars are narrow
  x["axis"]["labelExpr"] =
      "bandwidth('x') < 7 * length(datum.label) ? split(datum.label, regexp(' (?=o[fn] )')) : datum.label";
  x["scale"] = {{"paddingInner", 0.35}, {"paddingOuter", 0.25}};
  Json bar = {{"mark", {{"type", "bar"}, {"width", {{"expr", "min(72, bandwidth('x'))"}}}}}};
  bar["encoding"] = {{"x", x},
                     {"y", channel(plot.y, "y", "base")},
                     {"y2", {{"field", "value"}}},
                     {"color", spec::colour_channel()},
                     {"tooltip", {{"value", {{"expr", tooltip(plot, "datum")}}}}}};
  if (plot.side_by_side) {
    bar["mark"].erase("width");
    bar["encoding"]["xOffset"] = line_offset();
  }
  Json layers = Json::array({bar});
  if (plot.side_by_side) layers.push_back(label_layer(plot, x));
  if (lines_with_intervals(plot).empty()) return layers;
  Json rule = {{"mark", {{"type", "rule"}, {"strokeWidth", 1.6}, {"color", "var(--text)"}}}};
  rule["encoding"] = {{"x", x}, {"y", channel(plot.y, "y", "low")}, {"y2", {{"field", "high"}}}};
  layers.push_back(rule);
  return layers;
}

Json mark_data(const Mark& mark, PlotKind kind, std::size_t plot) {
  Json j = {{"plot", plot}, {"line", mark.line}, {"value", rounded(mark.value)}};
  switch (kind) {
    case PlotKind::lines:
      j["x"] = mark.x;
      break;
    case PlotKind::bars:
      j.update({{"group", mark.group}, {"base", rounded(mark.base)}});
      break;
    case PlotKind::cells:
      j.update({{"group", mark.group}, {"row", mark.row}, {"shade", mark.shade}});
      break;
    case PlotKind::spans:
      j.update({{"row", mark.row}, {"base", rounded(mark.base)}, {"x", rounded(mark.x)}});
      break;
  }
  if (mark.interval) {
    j["low"] = rounded(mark.interval->low);
    j["high"] = rounded(mark.interval->high);
  }
  if (!mark.label.empty()) j["label"] = mark.label;
  for (const Fact& fact : mark.facts) j["facts"].push_back(fact.text);
  return j;
}

/// The points furthest to the right, by line.
std::vector<spec::LineEnd> ends_of(const Plot& plot, std::size_t lines) {
  std::vector<const Mark*> last(lines);
  for (const Mark& mark : plot.marks)
    if (!last[mark.line] || mark.x > last[mark.line]->x) last[mark.line] = &mark;
  std::vector<spec::LineEnd> ends;
  for (const Mark* mark : last)
    if (mark) ends.push_back({.line = mark->line, .x = mark->x, .y = mark->value});
  return ends;
}

/// What page/pointing.js needs to know of a plot of lines.
Json pointing(const Plot& plot, std::size_t index) {
  Json j = spec::pointing("x", "value", plot.x.sizes.low > 0);
  j["busbar"]["plot"] = index;
  if (plot.marks.empty()) return j;
  const std::vector<Fact>& facts = plot.marks.front().facts;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    j["busbar"]["facts"].push_back(facts[i].label);
    if (facts[i].label == plot.value_fact) j["busbar"]["value"] = i;
  }
  return j;
}

Json layers(const Plot& plot) {
  switch (plot.kind) {
    case PlotKind::lines:
      return line_layers(plot);
    case PlotKind::bars:
      return bar_layers(plot);
    case PlotKind::cells:
      return plot::cell_layers(plot);
    case PlotKind::spans:
      break;
  }
  return plot::span_layers(plot);
}

}  // namespace

Json plot_spec(const Plot& plot, std::size_t index, const PlotGroup& group) {
  Json all = spec::frame(plot.title.empty() ? plot.y.title : fmt::format("{}: {}", plot.y.title, plot.title));
  all["height"] = plot.height;
  all["params"] = spec::parameters(plot.x.ticks, plot.y.ticks, group.legend);
  const Json here = {{"filter", fmt::format("datum.plot === {}", index)}};
  all["transform"] = Json::array({here, spec::look_up_line(), spec::without_hidden()});
  all["layer"] = layers(plot);
  if (plot.kind == PlotKind::cells || plot.kind == PlotKind::spans) all["height"] = plot::height_of_rows(plot);
  if (plot.kind != PlotKind::lines) return all;
  all["usermeta"] = pointing(plot, index);
  if (group.labels)
    spec::add_labels(all, group.lines, ends_of(plot, group.lines.size()), plot.y, plot.height, {"x", "value"},
                     with_lines(Json::object(), plot)["encoding"]);
  return all;
}

Json ratio_spec(const Charts& charts) {
  const PlotGroup group{.lines = charts.lines, .legend = charts.legend, .labels = spec::can_label(charts.lines)};
  Json all = plot_spec(*charts.ratio, 0, group);
  all["description"] = fmt::format("ratio of times over size: {}", charts.title);
  all["data"]["name"] = "ratios";
  return all;
}

Json plot_data(const std::vector<Plot>& plots, const std::vector<Line>& lines) {
  Json points = Json::array();
  for (std::size_t i = 0; i < plots.size(); ++i) {
    for (const Mark& mark : plots[i].marks) points.push_back(mark_data(mark, plots[i].kind, i));
  }
  return {{"points", points}, {"lines", line_data(lines)}};
}

}  // namespace busbar::report
