// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/document/document.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

std::string bubble_interval(const Pipeline& p) {
  if (!p.bubble_interval) return "-";
  return fmt::format("{} to {}", percent(std::optional(p.bubble_interval->low)),
                     percent(std::optional(p.bubble_interval->high)));
}

Table bubbles(const Model& model) {
  Table t{
      .title = model.name + ": bubble, measured and ideal",
      .columns = make_columns(
          {{ColumnKind::name, {"run", "schedule"}},
           {number, {"stages", "micro-batches", "bubble", "interval", "ideal", "max in flight", "samples/s", "+-%"}},
           {ColumnKind::name, {"computing"}}})};
  for (const Experiment& e : model.experiments) {
    for (const CaseRecord* c : e.cases) {
      if (!c->training->pipeline) continue;
      const Pipeline& p = *c->training->pipeline;
      t.columns[8].title = rate_unit(*c->training);
      t.rows.push_back({e.label(), c->key.training->schedule.value_or(std::string(unknown)), std::to_string(p.stages),
                        std::to_string(p.micro_batches), percent(std::optional(p.bubble)), bubble_interval(p),
                        percent(std::optional(p.ideal_bubble)), std::to_string(p.most_in_flight),
                        rate(c->training->samples_per_s), half_width(c->training->samples_per_s_interval),
                        computed_by(*c->key.training)});
    }
  }
  return t;
}

/// One row per pipeline, one column per stage.
Table stages(const Model& model) {
  Table t{.title = model.name + ": compute time of each stage per step",
          .columns = {{"run", ColumnKind::name}, {"micro-batches", number}}};
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

/// The passes of the last step, sorted by stage and start.
std::vector<const PipelineOperation*> in_order(const Pipeline& p) {
  std::vector<const PipelineOperation*> all;
  for (const PipelineOperation& o : p.operations) all.push_back(&o);
  std::ranges::stable_sort(all, {}, [](const PipelineOperation* o) { return std::pair(o->stage, o->start_s); });
  return all;
}

/// One row per stage, one span per pass.
Plot spans_of(const Pipeline& p) {
  Plot plot{.kind = PlotKind::spans};
  double end = 0;
  for (const PipelineOperation& o : p.operations) end = std::max(end, o.end_s);
  for (const PipelineOperation* o : in_order(p)) {
    const double took = o->end_s - o->start_s;
    plot.marks.push_back({.line = o->pass == "backward" ? 1UL : 0UL,
                          .x = (o->start_s + o->end_s) / 2,
                          .row = fmt::format("stage {}", o->stage),
                          .base = o->start_s,
                          .value = o->end_s,
                          .label = took > 0.03 * end ? std::to_string(o->micro_batch) : "",
                          .facts = {{"stage", std::to_string(o->stage)},
                                    {"pass", o->pass},
                                    {"micro-batch", std::to_string(o->micro_batch)},
                                    {"start", duration(o->start_s)},
                                    {"time", duration(took)}}});
  }
  plot.x = {.title = "time in the step", .domain = {0, end}};
  plot.x.ticks = linear_ticks(plot.x.domain, [](double s) { return s == 0 ? "0" : format_duration(s); });
  return plot;
}

Table passes_of(const Pipeline& p) {
  Table t{
      .title = "Passes of the step",
      .columns = {
          {"stage", number}, {"pass", ColumnKind::name}, {"micro-batch", number}, {"start", number}, {"time", number}}};
  for (const PipelineOperation* o : in_order(p))
    t.rows.push_back({std::to_string(o->stage), o->pass, std::to_string(o->micro_batch), duration(o->start_s),
                      duration(o->end_s - o->start_s)});
  return t;
}

/// The schedule of a step as it ran; empty if unknown or if there is only one stage.
std::optional<Figure> schedule(const Model& model, const Experiment& e, const CaseRecord& c) {
  const Pipeline& p = *c.training->pipeline;
  if (p.operations.empty() || p.stages < 2) return std::nullopt;
  Figure figure{
      .title = fmt::format("{}: {}, {}, {}", model.name, e.label(), plural(p.stages, "stage"),
                           fmt::format("{} micro-batches", p.micro_batches)),
      .caption = fmt::format("The last timed step as it ran, schedule {}; numbers are micro-batches. Gaps: nothing "
                             "to compute. Bubble over all timed steps {}, ideal {}.",
                             c.key.training->schedule.value_or(std::string(unknown)), percent(std::optional(p.bubble)),
                             percent(std::optional(p.ideal_bubble))),
      .plots = {spans_of(p)},
      .tables = {passes_of(p)}};
  for (const char* pass : {"forward", "backward"}) {
    add_line(figure, pass);
    figure.legend.back().filled = true;
  }
  return figure;
}

std::vector<Block> pipeline_blocks(const Material& material) {
  std::vector<Block> all;
  for (const Model& model : models(material.runs())) {
    if (Table t = bubbles(model); !t.rows.empty()) all.emplace_back(std::move(t));
    if (Table t = stages(model); !t.rows.empty()) all.emplace_back(std::move(t));
    for (const Experiment& e : model.experiments) {
      for (const CaseRecord* c : e.cases) {
        if (!c->training->pipeline) continue;
        if (auto figure = schedule(model, e, *c)) all.emplace_back(std::move(*figure));
      }
    }
  }
  if (!all.empty())
    all.emplace_back(Paragraph{
        .text = "Ideal: (p - 1) / (m + p - 1) for p stages and m micro-batches, if all stages take equally long and "
                "messages no time. Max in flight: micro-batches whose activations the first stage holds at once."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section pipeline{.name = "pipeline", .title = "Pipeline", .blocks = report::pipeline_blocks};

}  // namespace busbar
