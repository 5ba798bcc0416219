// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/chart_spec.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "reports/document/plot.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/drawing/spec_parts.hpp"

namespace busbar::report {
namespace {

using Json = nlohmann::json;

Json x_encoding(const PlotAxis& axis) {
  return {{"field", "bytes"},
          {"type", "quantitative"},
          {"scale", {{"type", "log"}, {"base", 2}, {"domain", {axis.domain.low, axis.domain.high}}, {"nice", false}}},
          {"axis", spec::axis(axis.title, "x", axis.ticks)}};
}

Json y_encoding(const PlotAxis& axis, Quantity q) {
  return {{"field", name(q)},
          {"type", "quantitative"},
          {"scale", {{"type", "log"}, {"domain", {axis.domain.low, axis.domain.high}}, {"nice", false}}},
          {"axis", spec::axis(axis.title, "y", axis.ticks)}};
}

/// The points with the largest sizes, by line.
std::vector<spec::LineEnd> ends_of(const Charts& charts, Quantity q) {
  std::vector<const ChartPoint*> last(charts.lines.size());
  for (const ChartPoint& p : charts.points)
    if (value_of(p, q) && (!last[p.line] || p.bytes > last[p.line]->bytes)) last[p.line] = &p;
  std::vector<spec::LineEnd> ends;
  for (const ChartPoint* p : last)
    if (p) ends.push_back({.line = p->line, .x = static_cast<double>(p->bytes), .y = *value_of(*p, q)});
  return ends;
}

/// One end of a bandwidth's interval, from the other end of the time's: their product is the same.
Json bandwidth_end(Quantity q, std::string_view end, std::string_view time_end) {
  return {
      {"calculate", fmt::format("isValid(datum.{1}) ? datum.{0} * datum.time / datum.{1} : null", name(q), time_end)},
      {"as", fmt::format("{}_{}", name(q), end)}};
}

Json transforms(const Charts& charts, Quantity q) {
  Json all{spec::look_up_line(), {{"filter", fmt::format("datum.{} > 0", name(q))}}, spec::without_hidden()};
  if (q == Quantity::time || !has_bands(charts, q)) return all;
  all.push_back(bandwidth_end(q, "low", "time_high"));
  all.push_back(bandwidth_end(q, "high", "time_low"));
  return all;
}

Json interval_layer(Quantity q, std::string_view mark) {
  return spec::interval_layer(mark, fmt::format("{}_low", name(q)), fmt::format("{}_high", name(q)));
}

/// The hardware limit, where known: a dashed line without points.
Json ceiling_layer() {
  return {{"transform", Json::array({{{"filter", "datum.ceiling > 0"}}})},
          {"mark", {{"type", "line"}, {"strokeWidth", 1.4}, {"strokeDash", {4, 3}}, {"clip", true}, {"opacity", 0.9}}},
          {"encoding", {{"y", {{"field", "ceiling"}}}, {"color", {{"value", "var(--quiet)"}}}}}};
}

/// The first line of each ceiling, by GB/s.
std::map<double, const ChartPoint*> first_of_ceilings(const Charts& charts) {
  std::map<double, const ChartPoint*> all;
  for (const ChartPoint& p : charts.points) {
    if (!p.ceiling_GBps || !(*p.ceiling_GBps > 0)) continue;
    const ChartPoint*& first = all[*p.ceiling_GBps];
    if (first == nullptr || std::pair(p.bytes, p.line) < std::pair(first->bytes, first->line)) first = &p;
  }
  return all;
}

/// Names the ceilings at their left ends, where the curves are far below.
Json ceiling_names(const std::map<double, const ChartPoint*>& ceilings) {
  Json values = Json::array();
  for (const auto& [ceiling_GBps, p] : ceilings)
    values.push_back(
        {{"line", p->line}, {"bytes", p->bytes}, {"busbw", ceiling_GBps}, {"name", "ceiling " + ceiling_text(*p)}});
  return {{"data", {{"values", values}}},
          {"transform", {spec::look_up_line(), spec::without_hidden()}},
          {"mark",
           {{"type", "text"},
            {"align", "left"},
            {"baseline", "top"},
            {"fontSize", 11},
            {"dx", 4},
            {"dy", 4},
            {"opacity", {{"expr", "isValid(zoom.busbw) ? 0 : 1"}}}}},
          {"encoding", {{"text", {{"field", "name"}, {"type", "nominal"}}}, {"color", {{"value", "var(--quiet)"}}}}}};
}

constexpr std::size_t most_named = 2;  ///< ceilings; names of more would cover each other

}  // namespace

Json chart_spec(const Charts& charts, Quantity q) {
  Json layers = Json::array();
  if (has_bands(charts, q)) {
    std::set<std::size_t> lines;
    for (const ChartPoint& p : charts.points)
      if (band_of(p, q)) lines.insert(p.line);
    if (lines.size() <= spec::most_bands) layers.push_back(interval_layer(q, "area"));
    layers.push_back(interval_layer(q, "rule"));
  }
  if (q == Quantity::busbw && has_ceilings(charts)) {
    layers.push_back(ceiling_layer());
    if (const auto ceilings = first_of_ceilings(charts); ceilings.size() <= most_named)
      layers.push_back(ceiling_names(ceilings));
  }
  layers.push_back(spec::line_layer());
  layers.push_back(spec::point_layer());
  const PlotAxis x = size_axis(charts.bytes), y = value_axis(charts.values[static_cast<std::size_t>(q)], q);
  Json all = spec::frame(fmt::format("{} over size: {}", title(q), charts.title));
  all["usermeta"] = spec::pointing("bytes", name(q), true);
  all["params"] = spec::parameters(x.ticks, y.ticks, charts.legend);
  all["transform"] = transforms(charts, q);
  all["encoding"] = {{"x", x_encoding(x)},
                     {"y", y_encoding(y, q)},
                     {"color", spec::colour_channel()},
                     {"detail", spec::line_channel()}};
  all["layer"] = std::move(layers);
  if (spec::can_label(charts.lines))
    spec::add_labels(all, charts.lines, ends_of(charts, q), y, spec::chart_height, {"bytes", std::string(name(q))},
                     Json::object());
  return all;
}

Json chart_config() {
  Json category = Json::array();
  for (std::size_t i = 0; i < colours; ++i) category.push_back(fmt::format("var(--line-{})", i));
  const std::string font = "system-ui, sans-serif";
  return {{"background", nullptr},
          {"aria", false},  // the page describes each chart as a whole; a name for each point would slow it down
          {"font", font},
          {"view", {{"stroke", nullptr}}},
          {"range",
           {{"category", category},
            {"symbol", {"circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"}}}},
          {"axis",
           {{"labelColor", "var(--quiet)"},
            {"titleColor", "var(--text)"},
            {"titleFontWeight", 600},
            {"labelFontSize", 11},
            {"titleFontSize", 12},
            {"gridColor", "var(--rule)"},
            {"domainColor", "var(--rule)"},
            {"tickColor", "var(--rule)"},
            {"labelOverlap", "greedy"},
            {"labelSeparation", 6}}},
          {"axisY", {{"minExtent", 42}}}};  // charts below each other begin at the same place
}

}  // namespace busbar::report
