// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/plot_layers.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/core.h>

namespace busbar::report::plot {
namespace {

Json scale(const PlotAxis& axis) {
  Json j = {{"domain", {axis.domain.low, axis.domain.high}}, {"nice", false}};
  j["type"] = axis.logarithmic ? "log" : "linear";
  if (axis.logarithmic)
    j["base"] = 2;
  else
    j["zero"] = false;
  return j;
}

Json names(std::string_view field, const PlotAxis& axis) {
  Json j = {
      {"field", field}, {"type", "nominal"}, {"sort", nullptr}, {"axis", {{"title", axis.title}, {"grid", false}}}};
  if (!axis.names.empty()) j["scale"] = {{"domain", axis.names}};
  return j;
}

std::size_t longest_column(const Plot& plot) {
  std::size_t most = 0;
  for (const Mark& mark : plot.marks) most = std::max(most, mark.group.size());
  return most;
}

std::size_t count_columns(const Plot& plot) {
  std::set<std::string_view> columns;
  for (const Mark& mark : plot.marks) columns.insert(mark.group);
  return columns.size();
}

Json shade_scale() {
  Json domain = Json::array(), range = Json::array();
  for (std::size_t i = 0; i < shades; ++i) {
    domain.push_back(i);
    range.push_back(fmt::format("var(--shade-{})", i));
  }
  return {{"domain", domain}, {"range", range}};
}

Json tooltip_channel(const Plot& plot) { return {{"value", {{"expr", tooltip(plot, "datum")}}}}; }

}  // namespace

Json channel(const PlotAxis& axis, const std::string& name, std::string_view field) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", scale(axis)},
          {"axis", spec::axis(axis.title, name, axis.ticks)}};
}

std::string tooltip(const Plot& plot, std::string_view mark) {
  std::string object;
  if (!plot.marks.empty()) {
    const auto& facts = plot.marks.front().facts;
    for (std::size_t i = 0; i < facts.size(); ++i)
      object += fmt::format("{}'{}': {}.facts[{}]", i == 0 ? "" : ", ", facts[i].label, mark, i);
  }
  return "{" + object + "}";
}

Json cell_layers(const Plot& plot) {
  Json x = names("group", plot.x), y = names("row", plot.y);
  x["axis"]["labelAngle"] = longest_column(plot) <= 4 ? 0 : -45;
  x["axis"]["orient"] = "top";
  constexpr std::size_t most_labels = 24;  // rotated, each has room in half of a page
  if (count_columns(plot) <= most_labels) x["axis"]["labelOverlap"] = false;
  Json cell = {{"mark", {{"type", "rect"}, {"stroke", "var(--card)"}, {"strokeWidth", 1}}}};
  cell["encoding"] = {
      {"x", x},
      {"y", y},
      {"color", {{"field", "shade"}, {"type", "nominal"}, {"legend", nullptr}, {"scale", shade_scale()}}},
      {"tooltip", tooltip_channel(plot)}};
  Json text = {{"mark",
                {{"type", "text"},
                 {"fontSize", 11},
                 {"opacity", {{"expr", "bandwidth('x') > 32 && bandwidth('y') > 12 ? 1 : 0"}}},
                 {"tooltip", nullptr}}}};
  text["encoding"] = {{"x", x}, {"y", y}, {"text", {{"field", "label"}, {"type", "nominal"}}}};
  text["encoding"]["color"] = {
      {"condition", {{"test", fmt::format("datum.shade >= {}", shades - 2)}, {"value", "var(--card)"}}},
      {"value", "var(--text)"}};
  return Json::array({cell, text});
}

Json span_layers(const Plot& plot) {
  const Json y = names("row", plot.y);
  Json bar = {{"mark", {{"type", "bar"}, {"stroke", "var(--card)"}, {"strokeWidth", 0.5}}}};
  bar["encoding"] = {{"x", channel(plot.x, "x", "base")},
                     {"x2", {{"field", "value"}}},
                     {"y", y},
                     {"color", spec::colour_channel()},
                     {"tooltip", tooltip_channel(plot)}};
  Json text = {{"transform", Json::array({{{"filter", "isValid(datum.label)"}}})},
               {"mark", {{"type", "text"}, {"fontSize", 10}, {"color", "var(--card)"}, {"tooltip", nullptr}}}};
  text["encoding"] = {{"x", channel(plot.x, "x", "x")}, {"y", y}, {"text", {{"field", "label"}, {"type", "nominal"}}}};
  return Json::array({bar, text});
}

std::size_t height_of_rows(const Plot& plot) {
  std::set<std::string_view> rows;
  for (const Mark& mark : plot.marks) rows.insert(mark.row);
  return std::clamp<std::size_t>(rows.size() * 26, 90, 640);
}

}  // namespace busbar::report::plot
