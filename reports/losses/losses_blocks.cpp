// SPDX-License-Identifier: Apache-2.0
#include "reports/losses/losses_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::losses {
namespace {

using report::Block, report::ColumnKind, report::Paragraph, report::Table;

constexpr std::size_t most_trainings = 6;  ///< shown; the JSON has all

std::string ms(double seconds) { return fmt::format("{:.3f}", 1e3 * seconds); }
std::string points(const ScaleLosses& s, double seconds) { return fmt::format("{:+.2f}", 100 * s.points(seconds)); }

std::string interval_ms(const std::optional<Interval>& i) {
  return i ? fmt::format("{:.3f} to {:.3f}", 1e3 * i->low, 1e3 * i->high) : "-";
}

/// The interval of the loss, from that of the efficiency.
std::optional<Interval> of_loss(const ScaleLosses& s) {
  const auto& e = s.efficiency_interval;
  if (!e) return std::nullopt;
  return Interval{.low = s.step_s * (1 - e->high), .high = s.step_s * (1 - e->low), .confidence = e->confidence};
}

/// Causes without a share in the loss are left out, but never what is unexplained.
bool shown(const ScaleLosses& s, const Part& part) {
  return part.cause == Cause::unexplained || std::abs(s.points(part.loss_s)) >= 0.00005;
}

Table causes_table(const ScaleLosses& s) {
  Table t{.title = fmt::format("{}: efficiency {:.1f} %, {} a step, {} of it lost", report::scale_text(s.at->key),
                               100 * s.efficiency, format_duration(s.step_s), format_duration(s.loss_s)),
          .columns = {{"cause", ColumnKind::name},
                      {"ms per step", ColumnKind::number},
                      {"95 %", ColumnKind::number},
                      {"% points", ColumnKind::number},
                      {"certainty", ColumnKind::name}},
          .rows = {}};
  for (const Part& part : s.parts)
    if (shown(s, part))
      t.rows.push_back({std::string(name(part.cause)), ms(part.loss_s), interval_ms(part.interval_s),
                        points(s, part.loss_s),
                        part.cause == Cause::unexplained ? "" : std::string(name(part.certainty))});
  t.rows.push_back({"measured loss", ms(s.loss_s), interval_ms(of_loss(s)), points(s, s.loss_s), "known"});
  return t;
}

/// "-" if unknown.
std::string off_by(double measured, double predicted) {
  return predicted > 0 ? fmt::format("{:+.1f} %", 100 * (measured / predicted - 1)) : "-";
}

Table exchange_table(const std::vector<ScaleLosses>& scales) {
  Table t{.title = "Exchange, ms per step: predicted by the allreduces beside measured",
          .columns = {{"ranks", ColumnKind::number},
                      {"latency", ColumnKind::number},
                      {"bandwidth", ColumnKind::number},
                      {"predicted", ColumnKind::number},
                      {"measured", ColumnKind::number},
                      {"measured over predicted", ColumnKind::number},
                      {"best exposed", ColumnKind::number},
                      {"exposed", ColumnKind::number}},
          .rows = {}};
  for (const ScaleLosses& s : scales) {
    const auto& p = s.exchange.predicted;
    if (!p) continue;
    t.rows.push_back({std::to_string(s.at->key.ranks), ms(p->latency_s), ms(p->total_s.value - p->latency_s),
                      ms(p->total_s.value), ms(s.exchange.communicating_s()),
                      off_by(s.exchange.communicating_s(), p->total_s.value), ms(p->exposed_s.value),
                      ms(s.exchange.exposed_s)});
  }
  return t;
}

/// What the causes of the largest scale were computed from.
report::KeyValues sources(const ScaleLosses& s) {
  report::KeyValues k{.title = fmt::format("Computed from, at {}", report::scale_text(s.at->key)), .rows = {}};
  for (const Part& part : s.parts)
    if (shown(s, part)) k.rows.emplace_back(name(part.cause), part.from);
  if (!s.exchange.to_run.empty()) k.rows.emplace_back("measure", s.exchange.to_run);
  return k;
}

void add(std::vector<Block>& all, const TrainingLosses& t) {
  all.emplace_back(Paragraph{.text = fmt::format("{}. Baseline: {}, {} a step.", t.name,
                                                 report::scale_text(t.scales.front().baseline->key),
                                                 format_duration(*t.scales.front().baseline->time_s))});
  for (const ScaleLosses& s : t.scales) {
    all.emplace_back(causes_table(s));
    for (const std::string& note : s.notes) all.emplace_back(Paragraph{.text = note});
  }
  if (Table exchange = exchange_table(t.scales); !exchange.rows.empty()) all.emplace_back(std::move(exchange));
  all.emplace_back(sources(t.scales.back()));
}

}  // namespace

std::vector<Block> blocks_of(const std::vector<TrainingLosses>& losses) {
  std::vector<Block> all;
  std::size_t divided = 0;
  for (const TrainingLosses& t : losses)
    if (t.problem.empty() && divided++ < most_trainings) add(all, t);
  if (divided > most_trainings)
    all.emplace_back(Paragraph{
        .text = fmt::format("{} more: --format json has all.", plural(divided - most_trainings, "training"))});
  if (divided == 0) return {};
  for (const TrainingLosses& t : losses)
    if (!t.problem.empty()) all.emplace_back(Paragraph{.text = fmt::format("{}: not divided: {}.", t.name, t.problem)});
  return all;
}

}  // namespace busbar::losses
