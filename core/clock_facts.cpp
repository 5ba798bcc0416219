// SPDX-License-Identifier: Apache-2.0
#include "core/clock_facts.hpp"

#include "core/json.hpp"

namespace busbar {

static void to_json(nlohmann::json& j, const RankClock& c) {
  j = {{"rank", c.rank},
       {"offset_s", c.offset_s},
       {"drift_ppm", c.drift_ppm},
       {"residual_s", c.residual_s},
       {"uncertainty_s", c.uncertainty_s}};
}
static void from_json(const nlohmann::json& j, RankClock& c) {
  j.at("rank").get_to(c.rank);
  j.at("offset_s").get_to(c.offset_s);
  j.at("drift_ppm").get_to(c.drift_ppm);
  j.at("residual_s").get_to(c.residual_s);
  j.at("uncertainty_s").get_to(c.uncertainty_s);
}

void to_json(nlohmann::json& j, const ClockFacts& c) {
  j = {{"method", c.method},         {"reference_rank", c.reference_rank},
       {"residual_s", c.residual_s}, {"uncertainty_s", c.uncertainty_s},
       {"took_s", c.took_s},         {"ranks", c.ranks}};
}
void from_json(const nlohmann::json& j, ClockFacts& c) {
  j.at("method").get_to(c.method);
  j.at("reference_rank").get_to(c.reference_rank);
  j.at("residual_s").get_to(c.residual_s);
  j.at("uncertainty_s").get_to(c.uncertainty_s);
  read(j, "took_s", c.took_s);
  read(j, "ranks", c.ranks);
}

static void to_json(nlohmann::json& j, const ClockCheck& c) {
  j = {{"at_s", c.at_s}, {"residual_s", c.residual_s}, {"uncertainty_s", c.uncertainty_s}};
}
static void from_json(const nlohmann::json& j, ClockCheck& c) {
  j.at("at_s").get_to(c.at_s);
  j.at("residual_s").get_to(c.residual_s);
  j.at("uncertainty_s").get_to(c.uncertainty_s);
}

void to_json(nlohmann::json& j, const ClockChecks& c) {
  j = {{"checks", c.checks}, {"worst_residual_s", c.worst_residual_s}, {"resynchronised", c.resynchronised}};
}
void from_json(const nlohmann::json& j, ClockChecks& c) {
  read(j, "checks", c.checks);
  read(j, "worst_residual_s", c.worst_residual_s);
  read(j, "resynchronised", c.resynchronised);
}

}  // namespace busbar
