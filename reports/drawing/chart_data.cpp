// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/chart_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"

namespace busbar::report {
namespace {

using nlohmann::json;

/// A key of a data set and its value; null where a point has none.
struct PointField {
  const char* name;
  json (*value)(const ChartPoint&);
};

/// "line" comes first: it is the only column that never is one value for all.
constexpr std::array basic_fields{
    PointField{"line", [](const ChartPoint& p) { return json(p.line); }},
    PointField{"bytes", [](const ChartPoint& p) { return json(p.bytes); }},
    PointField{"time", [](const ChartPoint& p) { return rounded(p.time_s); }},
    PointField{"p99", [](const ChartPoint& p) { return rounded(p.p99_s); }},
};

constexpr std::array bandwidth_fields{
    PointField{"algbw", [](const ChartPoint& p) { return rounded(p.algbw_GBps); }},
    PointField{"busbw", [](const ChartPoint& p) { return rounded(p.busbw_GBps); }},
};

bool has_band(const ChartPoint& p) { return band_of(p, Quantity::time).has_value(); }

constexpr std::array interval_fields{
    PointField{"time_low", [](const ChartPoint& p) { return has_band(p) ? rounded(p.interval_s->low) : json(); }},
    PointField{"time_high", [](const ChartPoint& p) { return has_band(p) ? rounded(p.interval_s->high) : json(); }},
    PointField{"confidence", [](const ChartPoint& p) { return has_band(p) ? json(p.interval_s->confidence) : json(); }},
};

constexpr std::array ceiling_fields{
    PointField{"ceiling", [](const ChartPoint& p) { return rounded(p.ceiling_GBps); }},
    PointField{"ceiling_text", [](const ChartPoint& p) { return p.ceiling_GBps ? json(ceiling_text(p)) : json(); }},
};

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
  if (same && !values.empty()) return std::move(values.front());
  return values;
}

template <class Get>
void add_column(json& columns, const char* name, const Charts& charts, const Get& value_of_point) {
  columns[name] = shortened_column(column(charts, value_of_point));
}

void add_columns(json& columns, const Charts& charts, std::span<const PointField> fields) {
  for (const PointField& field : fields) add_column(columns, field.name, charts, field.value);
}

void add_bandwidths(json& columns, const Charts& charts) {
  if (std::ranges::all_of(charts.points, bandwidths_follow))
    add_column(columns, "factor", charts, [](const ChartPoint& p) { return rounded(p.bus_factor); });
  else
    add_columns(columns, charts, bandwidth_fields);
}

void add_values(json& row, const ChartPoint& p, std::span<const PointField> fields) {
  for (const PointField& field : fields) row[field.name] = field.value(p);
}

json point_row(const ChartPoint& p) {
  json row{{"size", format_size(p.bytes)}};
  add_values(row, p, basic_fields);
  add_values(row, p, bandwidth_fields);
  if (has_band(p)) add_values(row, p, interval_fields);
  if (p.ceiling_GBps) add_values(row, p, ceiling_fields);
  return row;
}

}  // namespace

json rounded(std::optional<double> value) {
  if (!value) return nullptr;
  return std::strtod(fmt::format("{:.6g}", *value).c_str(), nullptr);  // stod throws for subnormal numbers
}

json line_data(const std::vector<Line>& lines) {
  json data = json::array();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    data.push_back({{"line", i},
                    {"run", line.run},
                    {"series", line.series},
                    {"colour", line.style.colour % colours},
                    {"shape", line.style.shape % shapes},
                    {"dash", line.style.dash % dashes},
                    {"thin", line.style.thin ? 1 : 0}});
  }
  return data;
}

json chart_data(const Charts& charts) {
  json points = json::array();
  for (const ChartPoint& p : charts.points) points.push_back(point_row(p));
  return {{"points", std::move(points)}, {"lines", line_data(charts.lines)}};
}

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
  json columns{{"line", column(charts, basic_fields.front().value)}};
  add_columns(columns, charts, std::span(basic_fields).subspan(1));
  add_bandwidths(columns, charts);
  if (has_bands(charts, Quantity::time)) add_columns(columns, charts, interval_fields);
  if (has_ceilings(charts)) add_columns(columns, charts, ceiling_fields);
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
