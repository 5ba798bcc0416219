// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/parts.hpp"
#include "reports/losses/losses.hpp"

namespace busbar::losses {
namespace {

nlohmann::json json_of(const predict::Span& s) { return {{"value", s.value}, {"low", s.low}, {"high", s.high}}; }

nlohmann::json json_of(const Exchange& x) {
  nlohmann::json all = {{"exposed_s", x.exposed_s}, {"hidden_s", x.hidden_s}, {"predicted", nullptr},
                        {"problem", x.problem},     {"measure", x.to_run},    {"left_out", x.others}};
  if (const auto& p = x.predicted)
    all["predicted"] = {{"buckets", p->buckets},
                        {"total_s", json_of(p->total_s)},
                        {"latency_s", p->latency_s},
                        {"bandwidth_s", p->total_s.value - p->latency_s},
                        {"best_exposed_s", json_of(p->exposed_s)},
                        {"from", p->source},
                        {"buckets_from", p->buckets_from}};
  return all;
}

nlohmann::json json_of(const ScaleLosses& s) {
  nlohmann::json parts = nlohmann::json::array();
  for (const Part& part : s.parts)
    parts.push_back({{"cause", name(part.cause)},
                     {"loss_s", part.loss_s},
                     {"interval_s", part.interval_s},
                     {"efficiency_points", 100 * s.points(part.loss_s)},
                     {"certainty", part.cause == Cause::unexplained ? nlohmann::json() : name(part.certainty)},
                     {"from", part.from}});
  return {{"ranks", s.at->key.ranks},
          {"nodes", s.at->key.nodes},
          {"baseline_ranks", s.baseline->key.ranks},
          {"step_s", s.step_s},
          {"baseline_step_s", *s.baseline->time_s},
          {"efficiency", s.efficiency},
          {"efficiency_interval", s.efficiency_interval},
          {"loss_s", s.loss_s},
          {"parts", std::move(parts)},
          {"exchange", json_of(s.exchange)},
          {"notes", s.notes}};
}

}  // namespace

nlohmann::json json_of(const std::vector<TrainingLosses>& losses) {
  nlohmann::json all = nlohmann::json::array();
  for (const TrainingLosses& t : losses) {
    nlohmann::json scales = nlohmann::json::array();
    for (const ScaleLosses& s : t.scales) scales.push_back(json_of(s));
    all.push_back({{"training", t.name},
                   {"not_divided", t.problem.empty() ? nlohmann::json() : nlohmann::json(t.problem)},
                   {"scales", std::move(scales)}});
  }
  return all;
}

}  // namespace busbar::losses
