// SPDX-License-Identifier: Apache-2.0
#include "reports/runs/experiments.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/words.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

/// The key without fields that do not apply to a single rank: how gradients are reduced, and where ranks are.
CaseKey without_reduction(CaseKey k) {
  k = without_scale(std::move(k));
  k.type.reset();
  k.op.reset();
  k.algorithm.reset();
  TrainingKey& t = *k.training;
  t.layout.clear();
  t.overlap.reset();
  t.first_bucket_bytes = t.bucket_bytes = 0;
  t.hierarchical = t.sharded = false;
  return k;
}

template <class T>
std::size_t index_of_experiment(std::vector<T>& known, const T& value) {
  const auto it = std::ranges::find(known, value);
  if (it != known.end()) return static_cast<std::size_t>(it - known.begin());
  known.push_back(value);
  return known.size() - 1;
}

/// Groups the cases of a run into experiments, in the order of `known` keys; adds new keys to `known`.
std::map<std::size_t, Experiment> experiments_of(const Run& run, std::size_t index, std::vector<CaseKey>& known) {
  std::map<std::size_t, Experiment> found;
  const auto add = [&](std::size_t at, const CaseRecord& c) {
    found[at].run = index;
    found[at].imported = run.head.origin != Origin::measured;
    found[at].alike = at;
    found[at].cases.push_back(&c);
  };
  std::vector<const CaseRecord*> alone;
  for (const CaseRecord& c : run.cases) {
    if (!is_training(c) || !is_measured(c.status)) continue;
    if (c.key.ranks == 1)
      alone.push_back(&c);
    else
      add(index_of_experiment(known, without_scale(c.key)), c);
  }
  std::vector<std::size_t> with_others;
  for (const auto& [at, experiment] : found) with_others.push_back(at);
  for (const CaseRecord* c : alone) {
    bool placed = false;
    for (const std::size_t at : with_others) {
      if (without_reduction(known[at]) != without_reduction(c->key)) continue;
      add(at, *c);
      placed = true;
    }
    if (!placed) add(index_of_experiment(known, without_scale(c->key)), *c);
  }
  for (auto& [at, experiment] : found)
    std::ranges::sort(experiment.cases, {}, [](const CaseRecord* c) { return std::pair(c->key.ranks, c); });
  return found;
}

using Parts = std::vector<std::string>;  // as returned by training_parts()

/// The fewest leading parts that distinguish the experiments of each run.
std::vector<bool> within_runs(const std::vector<Experiment>& experiments, const std::vector<Parts>& parts) {
  const std::size_t n = parts.front().size();
  std::vector<bool> chosen(n);
  const auto count = [&] {
    std::set<std::pair<std::size_t, std::string>> names;
    for (std::size_t i = 0; i < experiments.size(); ++i)
      names.insert({experiments[i].run, join_chosen(parts[i], chosen)});
    return names.size();
  };
  std::size_t apart = count();
  for (std::size_t part = 0; part < n && apart < experiments.size(); ++part) {
    chosen[part] = true;
    const std::size_t with_it = count();
    chosen[part] = with_it > apart;
    apart = std::max(apart, with_it);
  }
  return chosen;
}

/// The parts that are equal within each run but differ between runs. A part that does not apply is no difference.
std::vector<bool> between_runs(const std::vector<Experiment>& experiments, const std::vector<Parts>& parts) {
  const std::size_t n = parts.front().size();
  std::vector<bool> chosen(n);
  for (std::size_t part = 0; part < n; ++part) {
    std::map<std::size_t, std::set<std::string>> of_run;
    std::set<std::string> all;
    for (std::size_t i = 0; i < experiments.size(); ++i) {
      of_run[experiments[i].run].insert(parts[i][part]);
      if (!parts[i][part].empty()) all.insert(parts[i][part]);
    }
    chosen[part] = all.size() > 1 && std::ranges::all_of(of_run, [](const auto& r) { return r.second.size() == 1; });
  }
  return chosen;
}

/// Names the experiments of a model by their differences. The name always includes "replayed" if so.
void name_them(std::vector<Experiment>& experiments, const std::vector<std::string>& run_names) {
  std::vector<Parts> parts;
  for (const Experiment& e : experiments) parts.push_back(training_parts(e.key()));
  auto within = within_runs(experiments, parts), between = between_runs(experiments, parts);
  std::map<std::size_t, std::set<std::string>> computed;
  for (std::size_t i = 0; i < experiments.size(); ++i) computed[experiments[i].run].insert(parts[i][computed_by_part]);
  if (std::ranges::any_of(experiments, [](const Experiment& e) { return is_replayed(e.key()); })) {
    within[computed_by_part] = std::ranges::any_of(computed, [](const auto& r) { return r.second.size() > 1; });
    between[computed_by_part] = !within[computed_by_part];
  }
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    const std::string more = join_chosen(parts[i], between);
    experiments[i].run_label = run_names[experiments[i].run] + (more.empty() ? "" : ", " + more);
    experiments[i].series = join_chosen(parts[i], within);
  }
}

}  // namespace

std::vector<Model> models(const std::vector<Run>& runs) {
  std::vector<CaseKey> known;
  std::map<std::size_t, std::vector<Experiment>> alike;  // key: position in `known`
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (auto& [at, experiment] : experiments_of(runs[i], i, known)) alike[at].push_back(std::move(experiment));
  }
  std::vector<std::string> names;
  std::vector<Model> all;
  for (auto& [at, experiments] : alike) {
    for (Experiment& e : experiments) {
      const std::string simulated = is_simulated(runs[e.run].head) ? " (simulated)" : "";
      const std::size_t model = index_of_experiment(names, known[at].collective + simulated);
      if (model == all.size()) all.push_back({.name = names[model]});
      all[model].experiments.push_back(std::move(e));
    }
  }
  const auto of_runs = run_names(runs);
  for (Model& model : all) name_them(model.experiments, of_runs);
  return all;
}

Lines lines_of(const std::vector<Experiment>& experiments) {
  std::set<std::size_t> runs;
  for (const Experiment& e : experiments) runs.insert(e.run);
  Lines all;
  std::vector<std::string> run_labels, series;
  std::vector<LegendEntry> of_series;
  for (const Experiment& e : experiments) {
    const std::size_t runs_before = run_labels.size(), series_before = series.size();
    index_of_experiment(run_labels, e.run_label);
    const std::size_t nth_series = index_of_experiment(series, e.series);
    const LineStyle by_run{.colour = e.run, .shape = e.run, .dash = runs.size() > 1 ? nth_series : 0};
    const LineStyle by_series{.colour = nth_series, .shape = nth_series, .dash = 0};
    const bool run_tells = runs.size() > 1 || e.series.empty();
    all.lines.push_back({.run = e.run_label, .series = e.series, .style = run_tells ? by_run : by_series});
    if (run_tells && run_labels.size() > runs_before)
      all.legend.push_back({.label = e.run_label, .style = {.colour = e.run, .shape = e.run, .dash = 0}});
    if (series.size() > series_before && !e.series.empty())
      of_series.push_back({.is_run = false,
                           .coloured = runs.size() < 2,
                           .label = e.series,
                           .style = runs.size() < 2 ? by_series : LineStyle{.dash = nth_series}});
  }
  all.legend.insert(all.legend.end(), of_series.begin(), of_series.end());
  return all;
}

const CaseRecord* baseline_of(const Experiment& e) {
  for (const CaseRecord* c : e.cases) {
    if (!c->training->scaling) continue;
    const int ranks = c->training->scaling->baseline_ranks;
    const auto it = std::ranges::find(e.cases, ranks, [](const CaseRecord* other) { return other->key.ranks; });
    return it == e.cases.end() ? nullptr : *it;
  }
  return nullptr;
}

std::optional<Scaling> scaling_of(const Experiment& e, const CaseRecord& c) {
  if (&c != baseline_of(e)) return c.training->scaling;
  return Scaling{.baseline_ranks = c.key.ranks,
                 .baseline_samples_per_s = c.training->samples_per_s,
                 .speed_up = 1,
                 .efficiency = 1};
}

bool without_neighbours(const Experiment& e) { return e.key().training->jobs == 1; }

}  // namespace busbar::report
