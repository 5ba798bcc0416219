// SPDX-License-Identifier: Apache-2.0
#include "reports/drawing/verdict_columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "reports/drawing/columns.hpp"

namespace busbar::report {
namespace {

using nlohmann::json;

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
json column(const Charts& charts, const Get& value_of_verdict) {
  json::array_t values;
  values.reserve(charts.points.size());
  for (const ChartPoint& p : charts.points) values.push_back(p.verdict ? json(value_of_verdict(*p.verdict)) : json());
  return shortened_column(std::move(values));
}

}  // namespace

bool has_verdicts(const Charts& charts) {
  return std::ranges::any_of(charts.points, [](const ChartPoint& p) { return p.verdict.has_value(); });
}

json verdict_columns(const Charts& charts) {
  Texts grades, remarks;
  const auto place_in = [](Texts& texts, const std::string& text) {
    return text.empty() ? json() : json(texts.place_of(text));
  };
  json all = {{"judgement", column(charts, [](const SizeVerdict& v) { return static_cast<int>(v.judgement); })},
              {"over_line", column(charts, [](const SizeVerdict& v) { return hundredths(v.over_line); })},
              {"growing_share", column(charts, [](const SizeVerdict& v) { return hundredths(v.growing_share); })},
              {"grade", column(charts, [&](const SizeVerdict& v) { return place_in(grades, v.grade); })},
              {"remarks", column(charts, [&](const SizeVerdict& v) {
                 return place_in(remarks, fmt::format("{}", fmt::join(v.remarks, "\n")));
               })}};
  all["grade_texts"] = grades.all();
  all["remark_texts"] = remarks.all();
  return all;
}

}  // namespace busbar::report
