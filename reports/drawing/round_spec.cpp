// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/round_spec.hpp"

#include <algorithm>

#include "reports/drawing/chart_data.hpp"
#include "reports/drawing/spec_parts.hpp"

namespace busbar::report {
namespace {

using spec::Json;

Json axis_of(std::string_view field, std::string_view title) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", {{"zero", false}}},
          {"axis", {{"title", title}, {"tickCount", 5}}}};
}

Json round_tooltip() {
  return {{{"field", "at"}, {"title", "s since the start"}, {"format", ".4~g"}},
          {{"field", "text"}, {"title", "median of the round"}},
          {{"field", "pace_text"}, {"title", "pace of the CPUs"}},
          {{"field", "contended_text"}, {"title", "contended"}}};
}

Json frame(std::string_view description) {
  Json j = spec::frame(description);
  j["height"] = 200;
  j["data"] = {{"name", "rounds"}};
  return j;
}

/// page/rounds.js appends the unit to the title "time".
Json over_time() {
  Json j = frame("median of each round over time");
  j["mark"] = {{"type", "point"}, {"filled", true}, {"size", 40}, {"opacity", 0.8}};
  j["encoding"] = {
      {"x", axis_of("at", "seconds since the start of the run")},
      {"y", axis_of("time", "time")},
      {"color", {{"condition", {{"test", "datum.contended"}, {"value", "var(--bad)"}}}, {"value", "var(--line-0)"}}},
      {"tooltip", round_tooltip()}};
  return j;
}

Json distribution() {
  Json j = frame("cumulative fraction of rounds");
  j["mark"] = {{"type", "line"}, {"interpolate", "step-after"}, {"strokeWidth", 1.6}, {"color", "var(--line-0)"}};
  j["encoding"] = {{"x", axis_of("time", "time")},
                   {"y",
                    {{"field", "share"},
                     {"type", "quantitative"},
                     {"scale", {{"domain", {0, 1}}}},
                     {"axis", {{"title", "cumulative fraction of rounds"}, {"format", "%"}, {"tickCount", 5}}}}},
                   {"order", {{"field", "share"}}}};
  return j;
}

}  // namespace

Json round_specs() { return {{"over_time", over_time()}, {"distribution", distribution()}}; }

bool has_rounds(const Charts& charts) {
  return std::ranges::any_of(charts.points, [](const ChartPoint& p) { return !p.rounds.empty(); });
}

Json round_data(const Charts& charts) {
  Json all = Json::array();
  for (const ChartPoint& p : charts.points) {
    Json rounds = Json::array();
    for (const Round& r : p.rounds)
      rounds.push_back({rounded(r.at_s), rounded(r.median_s), rounded(r.pace_s), r.contended.value_or(false) ? 1 : 0});
    all.push_back(std::move(rounds));
  }
  return all;
}

}  // namespace busbar::report
