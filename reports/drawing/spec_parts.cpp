// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/spec_parts.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace busbar::report::spec {
namespace {

Json indices(std::size_t n) {
  Json all = Json::array();
  for (std::size_t i = 0; i < n; ++i) all.push_back(i);
  return all;
}

/// A field with an index into a palette.
Json palette(std::string_view field, std::size_t n) {
  return {{"field", field}, {"type", "nominal"}, {"legend", nullptr}, {"scale", {{"domain", indices(n)}}}};
}

/// Dragging with a mouse pans, Ctrl and the wheel zoom, a double click resets. A plain wheel or a finger scrolls the
/// page.
Json zoom() {
  return {{"name", "zoom"},
          {"select",
           {{"type", "interval"},
            {"translate", "[pointerdown[event.pointerType === 'mouse'], window:pointerup] > window:pointermove!"},
            {"zoom", "wheel![event.ctrlKey || event.metaKey]"}}},
          {"bind", "scales"}};
}

/// The condition that gives thin lines a value of their own.
Json if_thin(double value) { return {{"test", "datum.thin === 1"}, {"value", value}}; }

}  // namespace

Json dash_patterns() { return {{1, 0}, {6, 3}, {2, 2}, {9, 3, 2, 3}, {12, 4}}; }

Json frame(std::string_view description) {
  return {{"description", description},
          {"width", "container"},
          {"height", chart_height},
          {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
          {"data", {{"name", "points"}}}};
}

Json axis(std::string_view title, const std::string& name, const Ticks& at) {
  std::vector<double> values = at.values;
  values.insert(values.end(), at.minor.begin(), at.minor.end());
  std::ranges::sort(values);
  // labels are looked up by position: number formats depend on the locale
  const std::string label = fmt::format("{0}_labels[indexof({0}_ticks, datum.value)]", name);
  if (at.minor.empty()) return {{"title", title}, {"values", values}, {"labelExpr", label}};
  const std::string is_minor = fmt::format("indexof({}_ticks, datum.value) < 0", name);
  const auto either = [&](double minor, double major) {
    return Json{{"condition", {{"test", is_minor}, {"value", minor}}}, {"value", major}};
  };
  return {{"title", title},
          {"values", values},
          {"labelExpr", fmt::format("{} ? '' : {}", is_minor, label)},
          {"labelOverlap", false},  // empty labels would push out others
          {"tickSize", either(3, 6)},
          {"gridOpacity", either(0.3, 1)}};
}

Json parameters(const Ticks& x, const Ticks& y, const std::vector<LegendEntry>& legend) {
  Json runs = Json::array(), series = Json::array();
  for (const LegendEntry& entry : legend)
    if (!entry.shown) (entry.is_run ? runs : series).push_back(entry.label);
  return {{{"name", "hidden_runs"}, {"value", runs}}, {{"name", "hidden_series"}, {"value", series}},
          {{"name", "x_ticks"}, {"value", x.values}}, {{"name", "x_labels"}, {"value", x.labels}},
          {{"name", "y_ticks"}, {"value", y.values}}, {{"name", "y_labels"}, {"value", y.labels}}};
}

Json look_up_line() {
  return {{"lookup", "line"},
          {"from",
           {{"data", {{"name", "lines"}}},
            {"key", "line"},
            {"fields", {"run", "series", "colour", "shape", "dash", "thin"}}}}};
}

Json without_hidden() {
  return {{"filter", "indexof(hidden_runs, datum.run) < 0 && indexof(hidden_series, datum.series) < 0"}};
}

Json colour_channel() { return palette("colour", colours); }

Json line_channel() { return {{"field", "line"}, {"type", "nominal"}}; }

Json interval_layer(std::string_view mark, const std::string& low_field, const std::string& high_field) {
  Json style = mark == "area" ? Json{{"type", mark},
                                     {"clip", true},
                                     {"opacity", 0.2},
                                     {"line", false},
                                     {"invalid", "break-paths-filter-domains"}}
                              : Json{{"type", mark}, {"clip", true}, {"opacity", 0.55}, {"strokeWidth", 1.2}};
  return {{"mark", style}, {"encoding", {{"y", {{"field", low_field}}}, {"y2", {{"field", high_field}}}}}};
}

Json line_layer() {
  Json dash = palette("dash", dashes);
  dash["scale"]["range"] = dash_patterns();
  return {{"params", Json::array({zoom()})},
          {"mark", {{"type", "line"}, {"clip", true}}},
          {"encoding", {{"strokeDash", dash}, {"size", {{"condition", if_thin(0.9)}, {"value", 1.6}}}}}};
}

Json point_layer() {
  return {{"mark", {{"type", "point"}, {"filled", true}, {"clip", true}, {"opacity", 1}}},
          {"encoding", {{"shape", palette("shape", shapes)}, {"size", {{"condition", if_thin(8)}, {"value", 24}}}}}};
}

Json pointing(std::string_view x, std::string_view y, bool sizes) {
  return {{"busbar", {{"x", x}, {"y", y}, {"sizes", sizes}}}};
}

}  // namespace busbar::report::spec
