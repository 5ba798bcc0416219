// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "reports/losses/losses.hpp"
#include "reports/text/text.hpp"

namespace busbar::losses {
namespace {

using report::Block, report::ColumnKind, report::Paragraph, report::Table;

constexpr std::size_t most_trainings = 6;  ///< shown; the JSON has all

/// Three decimals, without "-0.000".
std::string ms(double seconds) {
  const double rounded = std::round(1e6 * seconds) / 1e3;
  return fmt::format("{:.3f}", rounded == 0 ? 0 : rounded);
}

std::string points(const ScaleLosses& s, double seconds) {
  const double rounded = std::round(1e4 * s.points(seconds)) / 1e2;
  return rounded == 0 ? "0.00" : fmt::format("{:+.2f}", rounded);
}

std::string interval_ms(const std::optional<Interval>& i) {
  return i ? fmt::format("{} to {}", ms(i->low), ms(i->high)) : "-";
}

/// Causes that round to nothing are left out, but never what is unexplained.
bool shown(const Part& part) { return part.cause == Cause::unexplained || ms(part.loss_s) != ms(0); }

Table causes_table(const ScaleLosses& s) {
  Table t{.title = fmt::format("{}: efficiency {:.1f} %, {} a step, {} of it {}", report::scale_text(s.at->key),
                               100 * s.efficiency, format_duration(s.step_s), format_duration(std::abs(s.loss_s)),
                               s.loss_s < 0 ? "gained" : "lost"),
          .columns = {{"cause", ColumnKind::name},
                      {"ms per step", ColumnKind::number},
                      {"% points", ColumnKind::number},
                      {"certainty", ColumnKind::name},
                      {"interval, ms", ColumnKind::number}}};
  const auto loss = s.loss_interval_s();
  const bool intervals = loss || std::ranges::any_of(s.parts, [](const Part& p) { return p.interval_s.has_value(); });
  const auto add_row = [&](std::string_view what, double seconds, std::string_view certainty, const auto& interval) {
    t.rows.push_back({std::string(what), ms(seconds), points(s, seconds), std::string(certainty),
                      intervals ? interval_ms(interval) : ""});
  };
  for (const Part& part : s.parts)
    if (shown(part))
      add_row(name(part.cause), part.loss_s, part.cause == Cause::unexplained ? "" : name(part.certainty),
              part.interval_s);
  add_row("measured loss", s.loss_s, "known", loss);
  report::drop_last_column_if_empty(t);
  return t;
}

/// How far the prediction is from what was measured; "-" if unknown.
std::string off_by(double predicted, double measured) {
  if (!(measured > 0)) return "-";
  const double percent = std::round(1e3 * (predicted / measured - 1)) / 10;
  return fmt::format("{:+.1f} %", percent == 0 ? 0 : percent);
}

Table exchange_table(const std::vector<ScaleLosses>& scales) {
  Table t{.title = "Exchange, ms per step: predicted by the allreduces beside measured",
          .columns = {{"ranks", ColumnKind::number},
                      {"latency", ColumnKind::number},
                      {"bandwidth", ColumnKind::number},
                      {"predicted", ColumnKind::number},
                      {"measured", ColumnKind::number},
                      {"off by", ColumnKind::number},
                      {"best exposed", ColumnKind::number},
                      {"exposed", ColumnKind::number}}};
  for (const ScaleLosses& s : scales) {
    const auto& p = s.exchange.predicted;
    if (!p) continue;
    t.rows.push_back({std::to_string(s.at->key.ranks), ms(p->latency_s), ms(p->total_s.value - p->latency_s),
                      ms(p->total_s.value), ms(s.exchange.communicating_s()),
                      off_by(p->total_s.value, s.exchange.communicating_s()), ms(p->exposed_s.value),
                      ms(s.exchange.exposed_s)});
  }
  return t;
}

/// What the causes of the largest scale were computed from.
report::KeyValues sources(const ScaleLosses& s) {
  report::KeyValues k{.title = fmt::format("Computed from, at {}", report::scale_text(s.at->key))};
  for (const Part& part : s.parts)
    if (shown(part)) k.rows.emplace_back(name(part.cause), part.from);
  if (const auto& p = s.exchange.predicted)
    k.rows.emplace_back("predicted", fmt::format("{}; {}, ready times from {}", p->source, plural(p->buckets, "bucket"),
                                                 p->buckets_from));
  if (!s.exchange.to_run.empty()) k.rows.emplace_back("measure", s.exchange.to_run);
  return k;
}

void add(std::vector<Block>& all, const TrainingLosses& t) {
  const CaseRecord& baseline = *t.scales.front().baseline;
  all.emplace_back(report::KeyValues{
      .title = t.name,
      .rows = {{"baseline",
                fmt::format("{}, {} a step", report::scale_text(baseline.key), format_duration(*baseline.time_s))}}});
  std::set<std::string> said;
  for (const ScaleLosses& s : t.scales) {
    all.emplace_back(causes_table(s));
    for (const std::string& note : s.notes)
      if (said.insert(note).second) all.emplace_back(Paragraph{.text = note});
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
