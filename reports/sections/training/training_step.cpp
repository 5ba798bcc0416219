// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

struct Part {
  std::string_view name;
  double StepSplit::* seconds;
  std::size_t colour;  ///< index into the page's palette: blue for computing, red for waiting
};

constexpr std::array<Part, 5> parts{{{"forward", &StepSplit::forward_s, 4},
                                     {"backward", &StepSplit::backward_s, 0},
                                     {"exposed communication", &StepSplit::exposed_s, 1},
                                     {"optimiser", &StepSplit::optimiser_s, 2},
                                     {"other", &StepSplit::other_s, 6}}};

double sum_of_parts(const StepSplit& split) {
  double all = 0;
  for (const Part& part : parts) all += split.*part.seconds;
  return all;
}

std::string share(double seconds, const StepSplit& split) {
  return split.step_s > 0 ? percent(std::optional(seconds / split.step_s)) : "-";
}

/// One stacked bar of the parts of a step. Hidden communication is only in the tooltip.
void add_step_bar(Plot& plot, const CaseRecord& c, const std::string& group) {
  const StepSplit& split = *c.training->split;
  double base = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double seconds = split.*parts[i].seconds;
    plot.marks.push_back({.line = i,
                          .group = group,
                          .base = base,
                          .value = base + seconds,
                          .facts = {{"group", plural(c.key.ranks, "rank")},
                                    {"computing", computed_by(*c.key.training)},
                                    {"part", std::string(parts[i].name)},
                                    {"time", duration(seconds)},
                                    {"of the step", share(seconds, split)},
                                    {"step", duration(split.step_s)},
                                    {"hidden communication", duration(split.hidden_s)}}});
    base += seconds;
  }
}

Plot training_step_plot(const Experiment& e, double most_s) {
  Plot plot{.kind = PlotKind::bars, .title = e.label()};
  std::map<int, int> seen;
  for (const CaseRecord* c : e.cases) {
    if (!c->training->split) continue;
    std::string group = std::to_string(c->key.ranks);
    if (const int nth = ++seen[c->key.ranks]; nth > 1) group += fmt::format(" #{}", nth);
    add_step_bar(plot, *c, group);
  }
  plot.x.title = "ranks";
  plot.y = {.title = "step time", .domain = {0, 1.05 * most_s}};
  plot.y.ticks = linear_ticks(plot.y.domain, [](double s) { return s == 0 ? "0" : format_duration(s); });
  return plot;
}

/// True if steps can share an axis: the same amount of computing, on the same device.
bool comparable(const CaseKey& a, const CaseKey& b) {
  return computed_by(*a.training) == computed_by(*b.training) && a.training->parallel == b.training->parallel &&
         a.training->batch == b.training->batch && a.training->image == b.training->image;
}

/// The longest step among the experiments comparable with `like`.
double longest(const std::vector<Experiment>& experiments, const Experiment& like) {
  double most = 0;
  for (const Experiment& e : experiments) {
    if (!comparable(e.key(), like.key())) continue;
    for (const CaseRecord* c : e.cases)
      if (c->training->split) most = std::max(most, sum_of_parts(*c->training->split));
  }
  return most;
}

Table step_figures_table(const Model& model) {
  Table t{.title = model.name + ": step time, mean over steps and ranks",
          .columns = make_columns({{ColumnKind::name, {"run", "series"}}, {number, {"ranks", "step"}}})};
  for (const Part& part : parts) t.columns.push_back({std::string(part.name), number});
  t.columns.push_back({"exposed, of the step", number});
  t.columns.push_back({"hidden communication (excluded)", number});
  for (const Experiment& e : model.experiments) {
    for (const CaseRecord* c : e.cases) {
      if (!c->training->split) continue;  // imported
      const StepSplit& split = *c->training->split;
      std::vector<std::string> row{e.run_label, e.series, std::to_string(c->key.ranks), duration(split.step_s)};
      for (const Part& part : parts) row.push_back(duration(split.*part.seconds));
      row.push_back(share(split.exposed_s, split));
      row.push_back(duration(split.hidden_s));
      t.rows.push_back(std::move(row));
    }
  }
  return t;
}

Figure training_step_figure(const Model& model) {
  Figure figure{.title = "Step time breakdown: " + model.name,
                .caption =
                    "Means over steps and ranks. Exposed communication keeps the training thread from computing. "
                    "Hidden communication is not drawn; see the tooltip and the table.",
                .tables = {step_figures_table(model)}};
  for (const Part& part : parts) {
    const LineStyle style{.colour = part.colour, .shape = 1, .dash = 0};
    figure.lines.push_back({.series = std::string(part.name), .style = style});
    figure.legend.push_back({.is_run = false, .filled = true, .label = std::string(part.name), .style = style});
  }
  for (const Experiment& e : model.experiments) {
    if (const double most = longest(model.experiments, e); most > 0)
      figure.plots.push_back(training_step_plot(e, most));
  }
  return figure;
}

std::vector<Block> training_step_blocks(const Material& material) {
  std::vector<Block> all;
  for (const Model& model : models(material.runs())) {
    if (Figure figure = training_step_figure(model); !figure.tables.front().rows.empty())
      all.emplace_back(std::move(figure));
  }
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section training_step{
    .name = "step", .title = "Step time breakdown", .blocks = report::training_step_blocks};

}  // namespace busbar
