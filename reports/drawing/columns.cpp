// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "reports/drawing/spec_parts.hpp"

namespace busbar::report {
namespace {

using nlohmann::json;

/// Finer than the six digits of the data.
bool close(double value, double expected) { return std::abs(value - expected) <= 1e-6 * expected; }

bool bandwidths_follow(const ChartPoint& p) {
  if (!p.time_s || !p.algbw_GBps || !p.busbw_GBps) return false;
  const double algbw = static_cast<double>(p.bytes) * 1e-9 / *p.time_s;
  return close(*p.algbw_GBps, algbw) && close(*p.busbw_GBps, algbw * p.bus_factor);
}

/// Each distinct text once, in order of appearance.
class Texts {
 public:
  std::size_t place_of(const std::string& text) {
    const auto [at, is_new] = places_.try_emplace(text, texts_.size());
    if (is_new) texts_.emplace_back(text);
    return at->second;
  }
  [[nodiscard]] const json::array_t& all() const { return texts_; }

 private:
  std::map<std::string, std::size_t> places_;
  json::array_t texts_;
};

/// Two decimals: these are ratios that a reader compares with 1.
json hundredths(const std::optional<double>& value) { return value ? json(std::round(100 * *value) / 100) : json(); }

template <class Get>
json column(const Charts& charts, const Get& value_of_point) {
  json::array_t values;
  values.reserve(charts.points.size());
  for (const ChartPoint& p : charts.points) values.push_back(value_of_point(p));
  return values;
}

/// One value instead of all if they are equal.
json shortened_column(json values) {
  const bool same = std::ranges::all_of(values, [&](const json& value) { return value == values.front(); });
  return same && !values.empty() ? json(values.front()) : values;
}

template <class Get>
void add_column(json& columns, const char* name, const Charts& charts, const Get& value_of_point) {
  columns[name] = shortened_column(column(charts, value_of_point));
}

void add_bandwidths(json& columns, const Charts& charts) {
  if (std::ranges::all_of(charts.points, bandwidths_follow)) {
    add_column(columns, "factor", charts, [](const ChartPoint& p) { return spec::rounded(p.bus_factor); });
    return;
  }
  add_column(columns, "algbw", charts, [](const ChartPoint& p) { return spec::rounded(p.algbw_GBps); });
  add_column(columns, "busbw", charts, [](const ChartPoint& p) { return spec::rounded(p.busbw_GBps); });
}

void add_intervals(json& columns, const Charts& charts) {
  const auto banded = [](const ChartPoint& p) { return band_of(p, Quantity::time).has_value(); };
  const auto end = [&](double Interval::* which) {
    return [=](const ChartPoint& p) { return banded(p) ? spec::rounded((*p.interval_s).*which) : json(); };
  };
  add_column(columns, "time_low", charts, end(&Interval::low));
  add_column(columns, "time_high", charts, end(&Interval::high));
  add_column(columns, "confidence", charts,
             [&](const ChartPoint& p) { return banded(p) ? json(p.interval_s->confidence) : json(); });
}

}  // namespace

json columns_of(const json& rows) {
  json columns = json::object();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [key, value] : rows[i].items()) {
      json& values = columns[key];
      if (values.is_null()) values = json::array();
      values.get_ref<json::array_t&>().resize(i);
      values.push_back(value);
    }
  }
  for (json& values : columns) values.get_ref<json::array_t&>().resize(rows.size());
  return columns;
}

json point_columns(const Charts& charts) {
  json columns = {{"line", column(charts, [](const ChartPoint& p) { return json(p.line); })}};
  add_column(columns, "bytes", charts, [](const ChartPoint& p) { return json(p.bytes); });
  add_column(columns, "time", charts, [](const ChartPoint& p) { return spec::rounded(p.time_s); });
  add_column(columns, "p99", charts, [](const ChartPoint& p) { return spec::rounded(p.p99_s); });
  add_bandwidths(columns, charts);
  if (has_bands(charts, Quantity::time)) add_intervals(columns, charts);
  if (has_ceilings(charts)) {
    add_column(columns, "ceiling", charts, [](const ChartPoint& p) { return spec::rounded(p.ceiling_GBps); });
    add_column(columns, "ceiling_text", charts,
               [](const ChartPoint& p) { return p.ceiling_GBps ? json(ceiling_text(p)) : json(); });
  }
  return columns;
}

bool has_verdicts(const Charts& charts) {
  return std::ranges::any_of(charts.points, [](const ChartPoint& p) { return p.verdict.has_value(); });
}

json verdict_columns(const Charts& charts) {
  Texts grades, remarks;
  const auto place_in = [](Texts& texts, const std::string& text) {
    return text.empty() ? json() : json(texts.place_of(text));
  };
  json all;
  const auto add = [&](const char* name, const auto& value_of_verdict) {
    add_column(all, name, charts,
               [&](const ChartPoint& p) { return p.verdict ? json(value_of_verdict(*p.verdict)) : json(); });
  };
  add("judgement", [](const SizeVerdict& v) { return static_cast<int>(v.judgement); });
  add("over_line", [](const SizeVerdict& v) { return hundredths(v.over_line); });
  add("growing_share", [](const SizeVerdict& v) { return hundredths(v.growing_share); });
  add("grade", [&](const SizeVerdict& v) { return place_in(grades, v.grade); });
  add("remarks",
      [&](const SizeVerdict& v) { return place_in(remarks, fmt::format("{}", fmt::join(v.remarks, "\n"))); });
  all["grade_texts"] = grades.all();
  all["remark_texts"] = remarks.all();
  return all;
}

json size_texts(const Charts& charts) {
  json texts = json::object();
  for (const ChartPoint& p : charts.points) {
    json& text = texts[std::to_string(p.bytes)];
    if (text.is_null()) text = format_size(p.bytes);
  }
  return texts;
}

}  // namespace busbar::report
