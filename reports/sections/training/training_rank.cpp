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

/// Measured computing only: a replay says nothing about the machine it ran on.
namespace busbar::report {
namespace {

std::string giga(double per_s) { return fmt::format("{:.{}f}", per_s * 1e-9, per_s < 1e11 ? 1 : 0); }

/// flop/s; empty if either is unknown.
std::optional<double> speed(double flop, double seconds) {
  return flop > 0 && seconds > 0 ? std::optional(flop / seconds) : std::nullopt;
}

std::string gflops(std::optional<double> flop_per_s) { return flop_per_s ? giga(*flop_per_s) : "-"; }

std::string of_peak(std::optional<double> flop_per_s, const Arithmetic& a) {
  if (!flop_per_s || !a.peak_flop_per_s || !(*a.peak_flop_per_s > 0)) return "-";
  return percent(std::optional(*flop_per_s / *a.peak_flop_per_s));
}

std::string of_step(double seconds, const Training& t) {
  return t.split && t.split->step_s > 0 ? percent(std::optional(seconds / t.split->step_s)) : "-";
}

std::string peak(const Arithmetic& a) {
  if (!a.peak_flop_per_s) return std::string(unknown);
  return giga(*a.peak_flop_per_s) + (a.peak_instructions ? " (" + *a.peak_instructions + ")" : "");
}

/// A case with measured computing, and its label in these tables.
struct Measured {
  const CaseRecord* c;
  std::string label;
};

/// Each case once. A single rank can belong to several experiments; its label is then that of the run.
std::vector<Measured> measured(const Model& model) {
  std::vector<Measured> all;
  for (const Experiment& e : model.experiments) {
    for (const CaseRecord* c : e.cases) {
      if (is_replayed(c->key)) continue;
      const auto seen = std::ranges::find(all, c, &Measured::c);
      if (seen == all.end())
        all.push_back({.c = c, .label = e.label()});
      else
        seen->label = e.run_label;
    }
  }
  return all;
}

Table arithmetic(const Model& model) {
  Table t{.title = model.name + ": arithmetic of one rank",
          .columns = make_columns({{ColumnKind::name, {"run"}},
                                   {number,
                                    {"ranks", "GFLOP/step", "computing", "GFLOP/s", "peak GFLOP/s", "of the peak",
                                     "layout changes, of the step"}}})};
  for (const auto& [c, label] : measured(model)) {
    if (!c->training->arithmetic || !c->training->split) continue;
    const Arithmetic& a = *c->training->arithmetic;
    const double compute_s = c->training->split->forward_s + c->training->split->backward_s;
    const auto fast = speed(a.flop_per_step, compute_s);
    t.rows.push_back({label, std::to_string(c->key.ranks), fmt::format("{:.1f}", a.flop_per_step * 1e-9),
                      duration(compute_s), gflops(fast), peak(a), of_peak(fast, a),
                      of_step(a.reorder_s, *c->training)});
  }
  return t;
}

Table layers(const Model& model, const std::string& label, const CaseRecord& c) {
  Table t{.title = fmt::format("{}: layer types, {}, {}", model.name, label, plural(c.key.ranks, "rank")),
          .columns = make_columns(
              {{ColumnKind::text, {"layers"}},
               {number, {"number", "forward", "backward", "of the step", "GFLOP/step", "GFLOP/s", "of the peak"}}})};
  const Arithmetic& a = *c.training->arithmetic;
  for (const LayerCost& kind : a.layers) {
    const double seconds = kind.forward_s + kind.backward_s;
    const auto fast = speed(kind.flop, seconds);
    t.rows.push_back({kind.kind, std::to_string(kind.layers), duration(kind.forward_s), duration(kind.backward_s),
                      of_step(seconds, *c.training), kind.flop > 0 ? fmt::format("{:.2f}", kind.flop * 1e-9) : "-",
                      gflops(fast), of_peak(fast, a)});
  }
  t.rows.push_back({"layout changes", "-", "-", "-", of_step(a.reorder_s, *c.training), "-", "-", "-"});
  return t;
}

Table rank_memory_table(const Model& model) {
  Table t{.title = model.name + ": largest memory of a rank",
          .columns = make_columns({{ColumnKind::name, {"run"}},
                                   {number,
                                    {"ranks", "peak", "before building", "weights", "gradients", "momentum",
                                     "activations", "needed", "peak over needed"}}})};
  for (const auto& [c, label] : measured(model)) {
    if (!c->training->memory) continue;
    const Memory& m = *c->training->memory;
    const double ratio = static_cast<double>(m.peak_bytes) / static_cast<double>(m.needed_bytes);
    t.rows.push_back({label, std::to_string(c->key.ranks), about_size(m.peak_bytes), about_size(m.before_bytes),
                      about_size(m.weights_bytes), about_size(m.gradients_bytes), about_size(m.momenta_bytes),
                      about_size(m.activations_bytes), about_size(m.needed_bytes),
                      m.needed_bytes > 0 ? fmt::format("{:.2f}", ratio) : "-"});
  }
  return t;
}

/// The layers of each experiment's smallest group, where a rank shares the machine with the fewest others.
void add_layers(const Model& model, std::vector<Block>& all) {
  for (const auto& [c, label] : measured(model)) {
    const bool smallest = std::ranges::any_of(model.experiments, [c](const Experiment& e) { return e.cases[0] == c; });
    if (smallest && c->training->arithmetic && !c->training->arithmetic->layers.empty())
      all.emplace_back(layers(model, label, *c));
  }
}

std::vector<Block> training_rank_blocks(const Material& material) {
  std::vector<Block> all;
  for (const Model& model : models(material.runs())) {
    if (Table t = arithmetic(model); !t.rows.empty()) all.emplace_back(std::move(t));
    add_layers(model, all);
    if (Table t = rank_memory_table(model); !t.rows.empty()) all.emplace_back(std::move(t));
  }
  if (all.empty()) return all;
  all.emplace_back(Paragraph{
      .text =
          "2 FLOP per multiply-add, of convolutions and linear layers, forward and backward; \"-\": not counted. Peak: "
          "fused multiply-adds of one rank's threads, measured in the same run. The time of layout changes is part of "
          "the time of the layers that need another data order. Needed: weights, gradients, momentum and activations. "
          "The peak also includes the program, its libraries, work space and communication buffers."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section training_rank{
    .name = "rank", .title = "Per-rank compute performance", .blocks = report::training_rank_blocks, .folded = true};

}  // namespace busbar
