// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/document/document.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

/// Several training jobs side by side on the same hosts.
namespace busbar::report {
namespace {

constexpr std::size_t most_jobs_with_sum = 4;  ///< with more jobs, the bar of the sum would dwarf all others

/// Kinds of bars, as indices into bar_lines().
constexpr std::size_t alone = 0, one_job = 1, together = 2;

std::vector<Line> bar_lines() {
  return {{.series = "alone", .style = {.colour = 6}},
          {.series = "one job", .style = {.colour = 0}},
          {.series = "together", .style = {.colour = 2}}};
}

std::string slow_down(std::optional<double> ratio) { return ratio ? fmt::format("{:.2f}", *ratio) : "-"; }

/// Total rate of the jobs when alone, divided by their total rate together; empty if unknown for any job.
std::optional<double> slow_down_of_all(const Training& t) {
  double would = 0, do_s = 0;
  for (const TrainingJob& job : t.jobs) {
    if (!job.slow_down) return std::nullopt;
    would += job.samples_per_s * *job.slow_down;
    do_s += job.samples_per_s;
  }
  return do_s > 0 ? std::optional(would / do_s) : std::nullopt;
}

/// The same training alone, from the same run; null if not measured.
const CaseRecord* find_alone(const Run& run, const CaseRecord& c) {
  const auto like = [](CaseKey k) {
    k.ranks = 0;
    k.bytes = 0;
    k.nodes.reset();
    k.ranks_per_node.reset();
    k.training->jobs = 1;
    return k;
  };
  const int ranks = static_cast<int>(c.training->jobs.front().ranks.size());
  const auto fits = [&](const CaseRecord& other) {
    return is_training(other) && is_measured(other.status) && other.key.training->jobs == 1 &&
           other.key.ranks == ranks && like(other.key) == like(c.key);
  };
  const auto it = std::ranges::find_if(run.cases, fits);
  return it == run.cases.end() ? nullptr : &*it;
}

Table tenancy_table(const CaseRecord& c, const std::string& title) {
  const Training& t = *c.training;
  Table table{.title = title,
              .columns = make_columns({{ColumnKind::name, {"job", "ranks"}},
                                       {number, {rate_unit(t), "+-%", "slowdown vs alone"}},
                                       {ColumnKind::name, {"computing"}}})};
  const std::string computing = computed_by(*c.key.training);
  for (std::size_t i = 0; i < t.jobs.size(); ++i) {
    const TrainingJob& job = t.jobs[i];
    table.rows.push_back({fmt::format("job {}", i), rank_list(job.ranks), rate(job.samples_per_s),
                          half_width(job.samples_per_s_interval), slow_down(job.slow_down), computing});
  }
  table.rows.push_back({"together", std::to_string(c.key.ranks) + " ranks", rate(t.samples_per_s),
                        half_width(t.samples_per_s_interval), slow_down(slow_down_of_all(t)), computing});
  return table;
}

void add_tenancy_bar(Plot& plot, const CaseRecord& c, std::size_t bar, const std::string& group, double value,
                     const std::optional<Interval>& interval, const std::string& slower) {
  plot.marks.push_back({.line = bar,
                        .group = group,
                        .value = value,
                        .interval = interval ? std::optional(Range{interval->low, interval->high}) : std::nullopt,
                        .facts = {{"job", group},
                                  {"computing", computed_by(*c.key.training)},
                                  {"rate", rate(value) + " " + rate_unit(*c.training)},
                                  {"+-%", half_width(interval)},
                                  {"slowdown vs alone", slower}}});
}

Plot tenancy_plot(const CaseRecord& c, const CaseRecord* lone) {
  const Training& t = *c.training;
  Plot plot{.kind = PlotKind::bars};
  if (lone != nullptr) {
    const Training& other = *lone->training;
    add_tenancy_bar(plot, c, alone, "alone", other.samples_per_s, other.samples_per_s_interval, "-");
  }
  for (std::size_t i = 0; i < t.jobs.size(); ++i)
    add_tenancy_bar(plot, c, one_job, fmt::format("job {}", i), t.jobs[i].samples_per_s,
                    t.jobs[i].samples_per_s_interval, slow_down(t.jobs[i].slow_down));
  if (t.jobs.size() <= most_jobs_with_sum)
    add_tenancy_bar(plot, c, together, "together", t.samples_per_s, t.samples_per_s_interval,
                    slow_down(slow_down_of_all(t)));
  double most = 0;
  for (const Mark& m : plot.marks) most = std::max({most, m.value, m.interval ? m.interval->high : 0});
  plot.y = linear_axis(rate_unit(t), {0, 1.08 * most});
  return plot;
}

std::string tenancy_title(const Experiment& e, const CaseRecord& c) {
  const TrainingJob& job = c.training->jobs.front();
  return fmt::format("{}: {} of {} each", e.label(), plural(c.training->jobs.size(), "job"),
                     plural(job.ranks.size(), "rank"));
}

// Imported: only the total rate of all jobs is known

bool without_jobs(const CaseRecord* c) { return c->key.training->jobs > 1 && c->training->jobs.empty(); }

/// Training cases of a model in a run with several jobs but no per-job data, sorted by jobs, then ranks.
std::vector<const CaseRecord*> set_ups(const Model& model, std::size_t run) {
  std::vector<const CaseRecord*> all;
  for (const Experiment& e : model.experiments)
    if (e.run == run) all.insert(all.end(), e.cases.begin(), e.cases.end());
  if (std::ranges::none_of(all, without_jobs)) return {};
  std::ranges::sort(all, {}, [](const CaseRecord* c) { return std::tuple(c->key.training->jobs, c->key.ranks, c); });
  const auto twice = std::ranges::unique(all);  // a case can belong to several experiments
  all.erase(twice.begin(), twice.end());
  return all;
}

std::string jobs_text(const CaseRecord& c) {
  const int jobs = c.key.training->jobs;
  return fmt::format("{} of {}", plural(jobs, "job"), plural(c.key.ranks / jobs, "rank"));
}

Figure set_up_figure(const std::string& title, const std::vector<const CaseRecord*>& cases) {
  const std::string unit = rate_unit(*cases.front()->training);
  Figure figure{.title = title + ", set-ups side by side", .caption = "The rate of all jobs together."};
  figure.lines = {{.series = "together", .style = {.colour = 2}}};
  Table t{
      .title = "Set-ups",
      .columns = {
          {"set-up", ColumnKind::name}, {"nodes", number}, {unit, number}, {unit + " per rank", number}, {"remark"}}};
  Plot plot{.kind = PlotKind::bars, .side_by_side = true};
  double most = 0;
  for (const CaseRecord* c : cases) {
    const double of_all = c->training->samples_per_s;
    const std::string each = rate(of_all / c->key.ranks);
    most = std::max(most, of_all);
    plot.marks.push_back({.group = jobs_text(*c),
                          .value = of_all,
                          .label = rate(of_all),
                          .facts = {{"set-up", jobs_text(*c)},
                                    {"rate", rate(of_all) + " " + unit},
                                    {"per rank", each + " " + unit},
                                    {"remark", list(c->remarks)}}});
    t.rows.push_back({jobs_text(*c), c->key.nodes ? std::to_string(*c->key.nodes) : std::string(unknown), rate(of_all),
                      each, list(c->remarks)});
  }
  drop_last_column_if_empty(t);
  plot.y = linear_axis(unit, {0, 1.12 * most});
  figure.plots = {std::move(plot)};
  figure.tables = {std::move(t)};
  return figure;
}

std::vector<Block> tenancy_blocks(const Material& material) {
  const auto& runs = material.runs();
  const std::vector<Model> all_models = models(runs);
  std::vector<Block> all;
  for (const Model& model : all_models) {
    for (const Experiment& e : model.experiments) {
      for (const CaseRecord* c : e.cases) {
        if (c->training->jobs.empty()) continue;
        const std::string title = tenancy_title(e, *c);
        const Plot plot = tenancy_plot(*c, find_alone(runs[e.run], *c));
        all.emplace_back(Figure{.title = model.name + ", " + title,
                                .lines = bar_lines(),
                                .plots = {plot},
                                .tables = {tenancy_table(*c, title)}});
      }
    }
  }
  const bool held_against_alone = !all.empty();
  for (const Model& model : all_models) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (const auto cases = set_ups(model, run); !cases.empty())
        all.emplace_back(set_up_figure(model.name + ", " + material.names()[run], cases));
    }
  }
  if (held_against_alone)
    all.emplace_back(
        Paragraph{.text = "Slowdown: step time over that of the same job running alone in this launch. For all jobs "
                          "together: their total rate when alone over their total rate together."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section tenancy{.name = "tenancy", .title = "Jobs side by side", .blocks = report::tenancy_blocks};

}  // namespace busbar
