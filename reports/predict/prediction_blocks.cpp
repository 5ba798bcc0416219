// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/prediction_blocks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/predict/readings.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::predict {
namespace {

using report::Block, report::ColumnKind, report::make_columns, report::number, report::Paragraph, report::Table;

std::string reading_text(const Reading& r, bool alone) {
  const std::string time = format_duration(r.time_s.value);
  return alone ? r.what : fmt::format("{} {} ({:.2f})", r.what, time, r.weight);
}

std::string readings_text(const std::vector<Reading>& readings) {
  std::string text;
  for (const Reading& r : readings) text += (text.empty() ? "" : "; ") + reading_text(r, readings.size() == 1);
  return text;
}

/// "128 x 4": nodes and ranks per node.
std::string prediction_text(const fit::Scale& s) { return fmt::format("{} x {:g}", s.nodes, s.per_node()); }

/// The upper limit without other jobs on the network; "-" if it is the same, to the digits shown.
std::string alone_text(const Predicted& p) {
  const std::string high = format_duration(p.time_s.high);
  const std::string alone = format_duration(p.alone_high_s.value_or(p.time_s.high));
  return alone == high ? "-" : alone;
}

Table table_of(const Series& s, double confidence) {
  const std::string interval = fmt::format("{:g} %", 100 * confidence);
  const bool both = std::ranges::any_of(s.predicted, [](const Predicted& p) { return alone_text(p) != "-"; });
  Table t{.title = "Predicted: " + s.name,
          .columns = {{"nodes x ranks", number}, {"size", number}, {"time", number}, {interval, number}}};
  if (both) t.columns.push_back({"alone up to", number});
  t.columns.insert(t.columns.end(), {{"busbw GB/s", number}, {interval, number}, {"from (weight)"}});
  for (const Predicted& p : s.predicted) {
    const Span bus = busbw_GBps(s, p);
    std::vector<std::string> cells{prediction_text(p.scale), format_size(p.bytes), format_duration(p.time_s.value),
                                   between(p.time_s.low, p.time_s.high)};
    if (both) cells.push_back(alone_text(p));
    cells.insert(cells.end(),
                 {report::bandwidth(bus.value), report::bandwidth(bus.low) + " to " + report::bandwidth(bus.high),
                  readings_text(p.readings)});
    t.rows.push_back(std::move(cells));
  }
  fold_if_long(t);
  return t;
}

/// Times by simple rules, for sizes that are not predicted.
Table naive_table(const Series& s) {
  Table t{.title =
              "Not predicted, since no curve describes these sizes: " + s.name + ". By simple rules, without intervals",
          .columns = {{"nodes x ranks", number}, {"size", number}, {"time", number}, {"rule"}}};
  for (const Naive& n : s.naive)
    t.rows.push_back({prediction_text(n.scale), format_size(n.bytes), format_duration(n.time_s), n.rule});
  fold_if_long(t);
  return t;
}

std::string against(double predicted, const std::optional<double>& measured) {
  return measured ? fmt::format("{:+.2f} %", 100 * (predicted / *measured - 1)) : "-";
}

bool one_rank_a_node(const TrainingSeries& s) {
  return std::ranges::all_of(s.predicted, [](const PredictedTraining& p) { return p.scale.ranks == p.scale.nodes; });
}

std::string scale_text(const TrainingSeries& s, const fit::Scale& scale) {
  return one_rank_a_node(s) ? std::to_string(scale.nodes) : prediction_text(scale);
}

std::vector<std::string> cells_of(const TrainingSeries& s, const PredictedTraining& p, const TrainingReading& r) {
  const Span& rate = r.samples_per_s;
  return {scale_text(s, p.scale),
          r.what,
          fmt::format("{:.2f}", rate.value),
          rate.low < rate.high ? fmt::format("{:.0f} to {:.0f}", rate.low, rate.high) : "-",
          report::percent(std::optional(efficiency(s, p.scale, rate.value))),
          format_duration(r.exchange_s),
          format_duration(r.exposed_s),
          against(rate.value, p.measured_samples_per_s)};
}

std::vector<std::string> cells_of(const TrainingSeries& s, const fit::Scale& scale, double measured) {
  return {scale_text(s, scale),
          std::string(origin_of(s)),
          fmt::format("{:.2f}", measured),
          "-",
          report::percent(std::optional(efficiency(s, scale, measured))),
          "-",
          "-",
          "-"};
}

/// Table of the readings of equal standing, each scale after what was measured there.
Table table_of(const TrainingSeries& s, double confidence) {
  Table t{.title = "Predicted: " + s.name,
          .columns = make_columns(
              {{number, {one_rank_a_node(s) ? "nodes" : "nodes x ranks"}},
               {ColumnKind::text, {"assumed"}},
               {number,
                {s.unit, fmt::format("{:g} %", 100 * confidence), "efficiency", "exchange", "exposed", "off by"}}})};
  for (const PredictedTraining& p : s.predicted) {
    if (p.measured_samples_per_s) t.rows.push_back(cells_of(s, p.scale, *p.measured_samples_per_s));
    for (std::size_t i = 0; i < s.equal_readings; ++i) t.rows.push_back(cells_of(s, p, p.readings[i]));
  }
  return t;
}

/// The other readings: one row each, one column per number of nodes.
Table other_readings(const TrainingSeries& s) {
  Table t{.title = fmt::format("Other scenarios: {}, in brackets the difference from {}", s.unit, origin_of(s)),
          .columns = {{"assumed"}}};
  for (const PredictedTraining& p : s.predicted) t.columns.push_back({plural(p.scale.nodes, "node"), number});
  for (std::size_t i = s.equal_readings; i < s.predicted.front().readings.size(); ++i) {
    std::vector<std::string> cells{s.predicted.front().readings[i].what};
    for (const PredictedTraining& p : s.predicted) {
      const double rate = p.readings[i].samples_per_s.value;
      const std::string off =
          p.measured_samples_per_s ? fmt::format(" ({})", against(rate, p.measured_samples_per_s)) : "";
      cells.push_back(fmt::format("{:.2f}{}", rate, off));
    }
    t.rows.push_back(std::move(cells));
  }
  return t;
}

void add_left_out(std::vector<Block>& all, const Prediction& p) {
  for (const std::string& text : p.left_out)
    all.emplace_back(Paragraph{.text = "Not predicted: " + text + ".", .tone = report::Tone::warning});
}

std::string width_text(double width) { return width > 0 ? fmt::format("{:.3g}", width) : "-"; }

/// "34 %" of the logarithm of upper over lower limit.
std::string narrower_text(const NextRuns& next, const NextRun& run) {
  if (!(run.width > 0) || !(next.width > 1)) return "-";
  const double share = 1 - std::log(run.width) / std::log(next.width);
  return share < 0.005 ? "no" : fmt::format("{:.0f} %", 100 * share);
}

std::string cost_text(const NextRun& run) {
  return run.node_launches > 0 ? fmt::format("{:.0f}", run.node_launches) : "none";
}

Table next_table(const NextRuns& next) {
  Table t{
      .title = fmt::format("What to run next to narrow {}: {}", plural(next.at.nodes, "node"), next.series),
      .columns = {{"run"}, {"narrower by", number}, {"upper / lower", number}, {"node-launches", number}, {"tells"}},
      .rows = {{"(nothing)", "", width_text(next.width), "", ""}}};
  for (const NextRun& run : next.runs)
    t.rows.push_back({run.what, narrower_text(next, run), width_text(run.width), cost_text(run), run.tells});
  drop_last_column_if_empty(t);
  return t;
}

/// Of the runs that narrow noticeably, the cheapest.
const NextRun* cheapest_help(const NextRuns& next) {
  constexpr double noticeable = 0.1;
  const NextRun* found = nullptr;
  for (const NextRun& run : next.runs) {
    const bool helps =
        run.width > 0 && next.width > 1 && std::log(run.width) <= (1 - noticeable) * std::log(next.width);
    if (helps && (found == nullptr || run.node_launches < found->node_launches)) found = &run;
  }
  return found;
}

constexpr auto how_to_read =
    "Computed, not measured: each run is taken to come out as predicted, once for each scenario at its scale; then the "
    "curves are fitted and the largest scale is predicted again. upper / lower: limits of the interval, median over "
    "sizes. narrower by: of the logarithm of that. node-launches: nodes of all launches.";

}  // namespace

std::vector<Block> assumption_blocks(const Prediction& p) {
  std::vector<Block> all;
  for (std::size_t i = 0; i < p.assumptions.size(); ++i)
    all.emplace_back(Paragraph{.text = fmt::format("{}. {}", i + 1, p.assumptions[i])});
  add_left_out(all, p);
  return all;
}

std::vector<Block> folded_assumptions(const Prediction& p) {
  Table t{.title = fmt::format("What is assumed ({})", p.assumptions.size()),
          .columns = {{"", number}, {"assumption"}},
          .folded = true};
  for (std::size_t i = 0; i < p.assumptions.size(); ++i) t.rows.push_back({std::to_string(i + 1), p.assumptions[i]});
  std::vector<Block> all{std::move(t)};
  add_left_out(all, p);
  return all;
}

std::vector<Table> tables_of(const Series& s, double confidence) {
  std::vector<Table> all;
  if (!s.predicted.empty()) all.push_back(table_of(s, confidence));
  if (!s.naive.empty()) all.push_back(naive_table(s));
  return all;
}

std::vector<Table> tables_of(const TrainingSeries& s, double confidence) {
  if (s.predicted.empty()) return {};
  std::vector<Table> all{table_of(s, confidence)};
  if (s.predicted.front().readings.size() > s.equal_readings) all.push_back(other_readings(s));
  return all;
}

std::vector<Block> figure_blocks(const Prediction& p) {
  std::vector<Block> all;
  const auto add = [&all](std::vector<Table> tables) {
    for (Table& t : tables) all.emplace_back(std::move(t));
  };
  for (const Series& s : p.series) add(tables_of(s, p.confidence));
  for (const TrainingSeries& s : p.trainings) add(tables_of(s, p.confidence));
  return all;
}

std::vector<Block> next_blocks(const Prediction& p) {
  std::vector<Block> all;
  for (const NextRuns& next : p.next) {
    all.emplace_back(next_table(next));
    if (const NextRun* run = cheapest_help(next))
      all.emplace_back(Paragraph{.text = fmt::format("Cheapest that narrows by a tenth: {}.", run->what)});
  }
  if (!all.empty()) all.emplace_back(Paragraph{.text = how_to_read});
  return all;
}

}  // namespace busbar::predict
