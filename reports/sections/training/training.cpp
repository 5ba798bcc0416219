// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/document/document.hpp"
#include "reports/drawing/scaling_figure.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

bool above_ideal(const std::optional<Scaling>& s) { return s && s->efficiency > 1.0005; }

// Tables

std::string efficiency(const std::optional<Scaling>& s, bool is_baseline) {
  if (!s) return "-";
  if (is_baseline) return "baseline";
  return percent(std::optional(s->efficiency)) + (above_ideal(s) ? " *" : "");
}

std::vector<std::string> scaling_row(const Experiment& e, const CaseRecord& c) {
  const Training& t = *c.training;
  const auto scaling = scaling_of(e, c);
  return {std::to_string(c.key.ranks),
          c.key.nodes ? std::to_string(*c.key.nodes) : std::string(unknown),
          rate(t.samples_per_s),
          half_width(t.samples_per_s_interval),
          rate(t.samples_per_s / c.key.ranks),
          scaling ? fmt::format("{:.2f}", scaling->speed_up) : "-",
          efficiency(scaling, &c == baseline_of(e)),
          percent(scaling ? scaling->efficiency_interval : std::nullopt),
          duration(c.time_s),
          computed_by(*c.key.training)};
}

void drop_column(Table& t, std::size_t i) {
  const auto at = static_cast<std::ptrdiff_t>(i);
  t.columns.erase(t.columns.begin() + at);
  for (auto& cells : t.rows) cells.erase(cells.begin() + at);
}

bool on_one_node(const Table& t) {
  return std::ranges::all_of(t.rows, [](const auto& cells) { return cells[1] == "1" || cells[1] == unknown; });
}

Table throughput(const Model& model, const Experiment& e) {
  const std::string unit = rate_unit(*e.cases.back()->training);
  const std::string& scaling = e.key().training->scaling;
  Table t{
      .title = fmt::format("{}{}: {}", model.name, scaling == unknown ? "" : ", " + scaling + " scaling", e.label()),
      .columns = make_columns(
          {{number,
            {"ranks", "nodes", unit, "+-%", unit + " per rank", "speedup", "efficiency", "its interval", "step"}},
           {ColumnKind::name, {"computing"}}})};
  for (const CaseRecord* c : e.cases) t.rows.push_back(scaling_row(e, *c));
  if (!is_replayed(e.key())) drop_column(t, t.columns.size() - 1);
  if (on_one_node(t)) drop_column(t, 1);
  return t;
}

/// The baseline of speedup and efficiency: "1 rank of the same launch: 7.41 images/s".
std::string against(const Experiment& e) {
  for (const CaseRecord* c : e.cases) {
    if (!c->training->scaling) continue;
    const Scaling& s = *c->training->scaling;
    return fmt::format("Speedup and efficiency are relative to {} of the same {}: {} {}.",
                       plural(s.baseline_ranks, "rank"), e.imported ? "source" : "launch",
                       rate(s.baseline_samples_per_s), rate_unit(*c->training));
  }
  return e.imported ? "The source has no smaller group, so there is no speedup and no efficiency."
                    : "This launch measured no smaller group, so there is no speedup and no efficiency.";
}

std::vector<Block> tables(const Model& model, const Experiment& e) {
  std::vector<Block> all{throughput(model, e), Paragraph{.text = against(e) + " Set-up: " + set_up(e.key()) + "."}};
  if (std::ranges::any_of(e.cases, [](const CaseRecord* c) { return above_ideal(c->training->scaling); }))
    all.emplace_back(Paragraph{
        .text = "* Above 100 %: N ranks cannot compute more than N times as fast as one. Either the smaller group was "
                "measured in a slower state of the machine, or, with strong scaling, the smaller batch of a rank fits "
                "its caches better. Where the interval extends below 100 %, it may be neither."});
  return all;
}

/// Experiments measured in several runs, grouped by their common set-up.
std::vector<std::vector<const Experiment*>> in_several_runs(const Model& model) {
  std::vector<std::vector<const Experiment*>> all;
  for (const Experiment& e : model.experiments) {
    if (!without_neighbours(e)) continue;
    if (all.empty() || all.back().front()->alike != e.alike) all.emplace_back();
    all.back().push_back(&e);
  }
  std::erase_if(all, [](const auto& group) { return group.size() < 2; });
  return all;
}

/// Ranks and nodes.
using Scale = std::pair<int, std::optional<int>>;

Scale scale_of(const CaseRecord* c) { return {c->key.ranks, c->key.nodes}; }

const CaseRecord* with_scale(const Experiment& e, const Scale& scale) {
  const auto it = std::ranges::find(e.cases, scale, scale_of);
  return it == e.cases.end() ? nullptr : *it;
}

/// "4"; "4 on 2 nodes" if the same number of ranks also ran on another number of nodes.
std::string training_cell_text(const Scale& scale, const std::set<Scale>& all) {
  const bool twice = std::ranges::count(all, scale.first, &Scale::first) > 1;
  return std::to_string(scale.first) + (twice && scale.second ? " on " + plural(*scale.second, "node") : "");
}

/// One row per group size, one column per run. `differences`: each run but the first also shows its difference from the
/// first.
Table beside_each_other(const Model& model, const std::vector<const Experiment*>& runs, bool differences) {
  const Experiment& first = *runs.front();
  Table t{.title = fmt::format("{}: {} of runs side by side{}", model.name, rate_unit(*first.cases.front()->training),
                               first.series.empty() ? "" : ", " + first.series),
          .columns = {{"ranks", number}}};
  std::set<Scale> scales;
  for (const Experiment* e : runs) {
    t.columns.push_back({e->run_label, number});
    if (differences && e != &first) t.columns.push_back({"vs " + first.run_label, number});
    for (const CaseRecord* c : e->cases) scales.insert(scale_of(c));
  }
  for (const Scale& scale : scales) {
    t.rows.push_back({training_cell_text(scale, scales)});
    const CaseRecord* reference = with_scale(first, scale);
    for (const Experiment* e : runs) {
      const CaseRecord* c = with_scale(*e, scale);
      t.rows.back().push_back(c == nullptr ? "-" : rate(c->training->samples_per_s));
      if (!differences || e == &first) continue;
      const bool both = c != nullptr && reference != nullptr && reference->training->samples_per_s > 0;
      const double more = both ? c->training->samples_per_s / reference->training->samples_per_s - 1 : 0;
      t.rows.back().push_back(both ? fmt::format("{:+.1f} %", 100 * more) : "-");
    }
  }
  return t;
}

// Warnings

/// Warns that replayed computing is not a measurement of a device.
void warn_of_replay(const Material& material, const std::vector<Model>& all, std::vector<Block>& training_blocks) {
  bool simulated = false;
  std::set<std::string> devices, runs;
  for (const Model& model : all) {
    for (const Experiment& e : model.experiments) {
      if (!is_replayed(e.key())) continue;
      devices.insert(e.key().training->computed_on);
      runs.insert(e.label());
      simulated = simulated || is_simulated(material.runs()[e.run].head);
    }
  }
  if (devices.empty()) return;
  const std::vector<std::string> on(devices.begin(), devices.end()), in(runs.begin(), runs.end());
  training_blocks.emplace_back(
      Paragraph{.text = fmt::format("Computing was replayed, not measured, in {}: each rank waited for the times in a "
                                    "profile of {}. Only communication was measured there{}.",
                                    list(in, 6), list(on), simulated ? ", and nothing in simulated runs" : ""),
                .tone = Tone::warning});
}

void warn_of_slow_ranks(const Model& model, const Experiment& e, std::vector<Block>& training_blocks) {
  for (const CaseRecord* c : e.cases) {
    for (const SlowRank& slow : c->training->slow_ranks) {
      const std::string where = slow.host + (slow.cpus ? ", CPU " + *slow.cpus : "");
      training_blocks.emplace_back(
          Paragraph{.text = fmt::format("{}, {}, {}: rank {} ({}) computes for {} per step, the median rank for {}; "
                                        "the others wait for it in every step.",
                                        model.name, e.label(), plural(c->key.ranks, "rank"), slow.rank, where,
                                        duration(slow.compute_s), duration(slow.others_compute_s)),
                    .tone = Tone::warning});
    }
  }
}

std::vector<Block> training_blocks(const Material& material) {
  const std::vector<Model> all = models(material.runs());
  std::vector<Block> out;
  const auto append = [&out](std::vector<Block> more) { std::ranges::move(more, std::back_inserter(out)); };
  warn_of_replay(material, all, out);
  const bool differences = material.options().by.empty();  // else the comparison has them, with intervals
  for (const Model& model : all) {
    for (const Experiment& e : model.experiments) warn_of_slow_ranks(model, e, out);
    if (auto figure = scaling_figure(model)) out.emplace_back(std::move(*figure));
    for (const auto& group : in_several_runs(model)) out.emplace_back(beside_each_other(model, group, differences));
    for (const Experiment& e : model.experiments) {
      if (without_neighbours(e)) append(tables(model, e));
    }
  }
  return out;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section training{
    .name = "training", .title = "Training: throughput and scaling", .blocks = report::training_blocks};

}  // namespace busbar
