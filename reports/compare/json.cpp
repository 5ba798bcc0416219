// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.hpp"

#include "core/record/parts.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/text.hpp"

namespace busbar::compare {
namespace {

nlohmann::json side_json(const Measured& side) {
  nlohmann::json launches = nlohmann::json::array();
  nlohmann::json pace = nlohmann::json::array();
  for (const LaunchFigure& launch : side.launches) {
    launches.push_back(launch.value);
    pace.push_back(launch.paced ? nlohmann::json(launch.paced->pace_s) : nlohmann::json());
  }
  return {{"value", side.value},
          {"launches", launches},
          {"pace_s", pace},
          {"grade", name(side.grade)},
          {"doubts", side.doubts}};
}

/// null if the ratio is not corrected for pace.
nlohmann::json pace_json(const LogRatio& ratio) {
  if (!ratio.pace) return {};
  return {{"ratio", ratio.pace->ratio}, {"exponent", ratio.pace->exponent}};
}

nlohmann::json outlying_json(const ComparedCase& p) {
  nlohmann::json all = nlohmann::json::array();
  for (const OutlyingLaunch& one : p.outlying)
    all.push_back({{"side", one.of_b ? "b" : "a"}, {"launch", one.launch}, {"factor", one.factor}, {"name", one.name}});
  return all;
}

nlohmann::json point_json(const ComparedCase& p) {
  const bool known = p.ratio.standard_error > 0;
  return {{"key", p.key},
          {"id", to_string(p.key)},
          {"quantity", p.quantity->name},
          {"unit", p.unit},
          {"a", side_json(p.a)},
          {"b", side_json(p.b)},
          {"ratio", p.ratio.ratio()},
          {"ratio_of_all", p.ratio_of_all.ratio()},
          {"outlying", outlying_json(p)},
          {"slowdown", slowdown(p)},
          {"interval", known ? nlohmann::json(p.interval) : nlohmann::json()},
          {"basis", name(p.basis)},
          {"pace", pace_json(p.ratio)},
          {"pace_apart", p.ratio.pace_apart},
          {"p_corrected", known ? nlohmann::json(p.p) : nlohmann::json()},
          {"verdict", name(p.verdict)},
          {"launches_needed", p.launches_needed}};
}

nlohmann::json pair_json(const Set& set, const Pair& pair) {
  nlohmann::json points = nlohmann::json::array();
  for (const ComparedCase& p : pair.points) points.push_back(point_json(p));
  nlohmann::json counts;
  for (const Verdict v : {Verdict::slower, Verdict::faster, Verdict::same, Verdict::inconclusive, Verdict::disturbed})
    counts[std::string(name(v))] = pair.count(v);
  return {{"a", set.sides[pair.a]}, {"b", set.sides[pair.b]}, {"counts", counts},
          {"points", points},       {"only_a", pair.only_a},  {"only_b", pair.only_b}};
}

}  // namespace

nlohmann::json to_json(const Told& told) {
  const ComparisonOptions& o = told.request.options;
  nlohmann::json sets = nlohmann::json::array(), differences = nlohmann::json::array();
  for (const Set& set : told.comparison.sets) {
    nlohmann::json pairs = nlohmann::json::array();
    for (const Pair& pair : set.pairs) pairs.push_back(pair_json(set, pair));
    sets.push_back({{"title", set.title}, {"pairs", pairs}});
  }
  for (const Difference& d : told.differences) differences.push_back({{"name", d.name}, {"values", d.values}});
  return {{"comparison", 1},
          {"sides", told.request.sides},
          {"by", told.request.criterion.empty() ? nlohmann::json() : nlohmann::json(told.request.criterion)},
          {"across", told.request.across},
          {"margin", o.margin},
          {"confidence", o.confidence},
          {"assumed_launch_spread", o.launch_spread},
          {"differences", differences},
          {"verdicts", verdict_sentences(told)},
          {"left_out", outlying_sentences(told)},
          {"measure_again", measure_again(told)},
          {"notes", told.comparison.notes},
          {"sets", sets}};
}

}  // namespace busbar::compare
