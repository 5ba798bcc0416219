// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/record/parts.hpp"
#include "reports/compare/text.hpp"
#include "reports/document/junit.hpp"
#include "reports/gate/outputs.hpp"
#include "reports/text/text.hpp"

namespace busbar::gate {
namespace {

using report::Block;
using report::ColumnKind;
using report::Table;

std::string outcome_text(const GatePoint& g) {
  std::string s(name(g.outcome));
  if (g.outcome == Outcome::disturbed) return compare::verdict_text(g.point);
  if (g.outcome == Outcome::inconclusive && g.point.basis == compare::Basis::assumed) s += " (spread assumed)";
  return s;
}

std::vector<std::string> row(const GatePoint& g) {
  const bool known = g.point.ratio.standard_error > 0;
  return {compare::size_text(g.point),
          compare::value_text(g.point, g.point.a.value),
          compare::value_text(g.point, g.point.b.value),
          compare::ratio_text(g.slowdown),
          known ? compare::interval_text(g.interval) : "none",
          outcome_text(g)};
}

Table points_table(const CaseKey& key) {
  return {.title = report::subject(key) + ": " + report::describe(key),
          .columns = {{"size", ColumnKind::number},
                      {"baseline", ColumnKind::number},
                      {"current", ColumnKind::number},
                      {"slowdown", ColumnKind::number},
                      {"interval", ColumnKind::name},
                      {"verdict", ColumnKind::status}},
          .folded = true};
}

/// "regression: 3 of 24 points; worst 1.31x at 1 MiB of allreduce".
std::string verdict_of(const Gate& gate) {
  const Outcome outcome = gate.outcome();
  const std::size_t all = gate.points.size() + gate.unmeasured.size();
  std::string s = fmt::format("{}: {} of {}", name(outcome), gate.count(outcome), plural(all, "point"));
  const auto points = worst_first(gate, outcome);
  if (outcome == Outcome::regression && !points.empty())
    s += fmt::format("; worst {:.2f}x at {} of {}", points.front()->slowdown,
                     format_size(points.front()->point.key.bytes), report::subject(points.front()->point.key));
  return s + ".";
}

/// Points that did not pass, worst first; the rest is counted.
void add_worst(std::vector<Block>& blocks, const Gate& gate) {
  using enum ColumnKind;
  constexpr std::size_t most = 10;
  Table table{.title = "Points that did not pass, worst first",
              .columns = {{"size", number}, {"slowdown", number}, {"interval", name}, {"verdict", status}, {"case"}}};
  std::size_t left_out = 0;
  for (const Outcome outcome : {Outcome::regression, Outcome::disturbed, Outcome::inconclusive}) {
    for (const GatePoint* g : worst_first(gate, outcome)) {
      if (table.rows.size() == most) {
        ++left_out;
        continue;
      }
      const auto cells = row(*g);
      table.rows.push_back({cells[0], cells[3], cells[4], cells[5],
                            report::subject(g->point.key) + ": " + report::describe(g->point.key)});
    }
  }
  if (table.rows.empty()) return;
  blocks.emplace_back(std::move(table));
  if (left_out > 0)
    blocks.emplace_back(report::Paragraph{.text = fmt::format("{} more in the tables below.", left_out)});
}

void add_points(std::vector<Block>& blocks, const Gate& gate) {
  std::string series;
  for (const GatePoint& g : gate.points) {
    if (series_name(g.point.key) != series) blocks.emplace_back(points_table(g.point.key));
    series = series_name(g.point.key);
    std::get<Table>(blocks.back()).rows.push_back(row(g));
  }
}

Table unmeasured_table(const Gate& gate) {
  Table table{.title = "Unmeasured cases",
              .columns = {{"case", ColumnKind::text}, {"", ColumnKind::text}, {"verdict", ColumnKind::status}}};
  for (const Unmeasured& u : gate.unmeasured) table.rows.push_back({u.id, u.reason, std::string(name(u.outcome))});
  return table;
}

report::Junit::Result result_of(Outcome outcome) {
  if (outcome == Outcome::regression) return report::Junit::Result::failed;
  return outcome == Outcome::pass ? report::Junit::Result::passed : report::Junit::Result::skipped;
}

}  // namespace

report::Document document(const Gate& gate, const compare::Told& told) {
  const std::string verdict = fmt::format("{} {}; each size may take up to {:g} % longer than the baseline",
                                          verdict_of(gate), summary(gate), 100 * gate.max_regression);
  std::vector<Block> blocks = compare::head_blocks(told);
  add_worst(blocks, gate);
  add_points(blocks, gate);
  if (!gate.unmeasured.empty()) blocks.emplace_back(unmeasured_table(gate));
  return {.title = "busbar gate: " + std::string(name(gate.outcome())),
          .summary = verdict,
          .chapters = {{.name = "gate", .blocks = std::move(blocks)}}};
}

std::string junit(const Gate& gate) {
  report::Junit all;
  for (const Unmeasured& u : gate.unmeasured) all.add_case("not measured", u.id, result_of(u.outcome), u.reason, 0);
  for (const Outcome outcome : {Outcome::regression, Outcome::disturbed, Outcome::inconclusive, Outcome::pass})
    for (const GatePoint* g : worst_first(gate, outcome))
      all.add_case(series_name(g->point.key), format_size(g->point.key.bytes), result_of(outcome), sentence(gate, *g),
                   g->point.b.wall_s);
  return all.text("busbar gate");
}

nlohmann::json to_json(const Gate& gate, const compare::Told& told) {
  nlohmann::json points = nlohmann::json::array(), unmeasured = nlohmann::json::array();
  for (const GatePoint& g : gate.points)
    points.push_back({{"id", to_string(g.point.key)},
                      {"key", g.point.key},
                      {"slowdown", g.slowdown},
                      {"interval", g.point.ratio.standard_error > 0 ? nlohmann::json(g.interval) : nlohmann::json()},
                      {"p_corrected", g.p},
                      {"basis", compare::name(g.point.basis)},
                      {"grades", {name(g.point.a.grade), name(g.point.b.grade)}},
                      {"outcome", name(g.outcome)}});
  for (const Unmeasured& u : gate.unmeasured)
    unmeasured.push_back({{"id", u.id}, {"reason", u.reason}, {"outcome", name(u.outcome)}});
  nlohmann::json j = compare::to_json(told);
  j.erase("sets");
  j["gate"] = 1;
  j["outcome"] = name(gate.outcome());
  j["verdict"] = verdict_of(gate);
  j["max_regression"] = gate.max_regression;
  j["points"] = points;
  j["unmeasured"] = unmeasured;
  return j;
}

}  // namespace busbar::gate
