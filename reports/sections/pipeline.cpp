// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/units.hpp"
#include "reports/material.hpp"
#include "reports/experiments.hpp"
#include "reports/text.hpp"
#include "reports/training_text.hpp"

namespace busbar::report {
namespace {

constexpr auto number = ColumnKind::number;

Table bubbles(const Model& model) {
  Table t{.title = model.name + ": bubble, measured against ideal",
          .columns = {{"run", ColumnKind::name},
                      {"schedule", ColumnKind::name},
                      {"stages", number},
                      {"micro-batches", number},
                      {"bubble", number},
                      {"ideal", number},
                      {"most in flight", number},
                      {"samples/s", number},
                      {"+-%", number},
                      {"computing", ColumnKind::name}},
          .rows = {}};
  for (const Experiment& e : model.experiments) {
    for (const CaseRecord* c : e.cases) {
      if (!c->training->pipeline) continue;
      const Pipeline& p = *c->training->pipeline;
      t.columns[7].title = rate_unit(*c->training);
      t.rows.push_back({e.label(), c->key.training->schedule.value_or(std::string(unknown)), std::to_string(p.stages),
                        std::to_string(p.micro_batches), percent(std::optional(p.bubble)),
                        percent(std::optional(p.ideal_bubble)), std::to_string(p.most_in_flight),
                        rate(c->training->samples_per_s), half_width(c->training->samples_per_s_interval),
                        computed_by(*c->key.training)});
    }
  }
  return t;
}

/// A row a pipeline, a column a stage.
Table stages(const Model& model) {
  Table t{.title = model.name + ": computing of each stage in a step",
          .columns = {{"run", ColumnKind::name}, {"micro-batches", number}},
          .rows = {}};
  std::size_t most = 0;
  for (const Experiment& e : model.experiments) {
    for (const CaseRecord* c : e.cases) {
      if (!c->training->pipeline || c->training->pipeline->stage_compute_s.empty()) continue;
      const auto& seconds = c->training->pipeline->stage_compute_s;
      most = std::max(most, seconds.size());
      const double slowest = *std::ranges::max_element(seconds);
      double mean = 0;
      for (const double s : seconds) mean += s / static_cast<double>(seconds.size());
      t.rows.push_back({e.label(), std::to_string(c->training->pipeline->micro_batches),
                        mean > 0 ? fmt::format("{:.2f}", slowest / mean) : "-"});
      for (const double s : seconds) t.rows.back().push_back(duration(s));
    }
  }
  t.columns.push_back({"slowest over mean", number});
  for (std::size_t i = 0; i < most; ++i) t.columns.push_back({fmt::format("stage {}", i), number});
  for (auto& row : t.rows) row.resize(t.columns.size());
  return t;
}

std::vector<Block> blocks(const Material& material) {
  const auto& runs = material.runs();
  std::vector<Block> all;
  for (const Model& model : models(runs)) {
    if (Table t = bubbles(model); !t.rows.empty()) all.emplace_back(std::move(t));
    if (Table t = stages(model); !t.rows.empty()) all.emplace_back(std::move(t));
  }
  if (!all.empty())
    all.emplace_back(
        Paragraph{.text = "Ideal: (p - 1) / (m + p - 1) for p stages and m micro-batches, if all stages take equally "
                          "long and messages no time. Most in flight: micro-batches whose activations the first stage "
                          "holds at once."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section pipeline{.name = "pipeline", .title = "Pipeline", .blocks = report::blocks};

}  // namespace busbar
