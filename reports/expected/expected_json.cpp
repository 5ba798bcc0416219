// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/expected_json.hpp"

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"

namespace busbar::expected {
namespace {

using Json = nlohmann::json;

Json json_of(const Ceiling& c) {
  return {{"busbw_GBps", c.busbw_GBps},       {"what", c.what},
          {"overhead", c.overhead},           {"source", c.source},
          {"given_by_user", c.given_by_user}, {"any_algorithm_GBps", c.any_algorithm_GBps}};
}

Json json_of(const ExpectedPoint& p) {
  Json ceilings = Json::array(), missing = Json::array();
  for (const Ceiling& c : p.ceilings) ceilings.push_back(json_of(c));
  for (const Missing& m : p.missing) missing.push_back({{"what", m.what}, {"why", m.why}});
  const std::string why = p.why_above();
  return {{"bytes", p.record->key.bytes},
          {"busbw_GBps", *p.record->busbw_GBps},
          {"achieved", p.achieved()},
          {"above_because", why.empty() ? Json() : Json(why)},
          {"algorithm", p.traffic.assumed ? Json() : Json(p.traffic.algorithm)},
          {"node_wire_GBps", p.node_wire_GBps()},
          {"rank_wire_GBps", p.rank_wire_GBps()},
          {"ceilings", ceilings},
          {"not_known", missing}};
}

}  // namespace

Json json_of(const std::vector<ExpectedSeries>& all) {
  Json series = Json::array();
  for (const ExpectedSeries& s : all) {
    Json points = Json::array();
    for (const ExpectedPoint& p : s.points) points.push_back(json_of(p));
    series.push_back({{"run", s.run},
                      {"series", series_name(s.key())},
                      {"collective", s.key().collective},
                      {"ranks", s.key().ranks},
                      {"nodes", s.key().nodes},
                      {"points", points}});
  }
  return {{"series", series}};
}

}  // namespace busbar::expected
