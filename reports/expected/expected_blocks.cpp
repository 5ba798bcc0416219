// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/expected_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "reports/text/text.hpp"

namespace busbar::expected {
namespace {

using report::Block, report::bandwidth, report::ColumnKind, report::Paragraph, report::Table;
using Json = nlohmann::json;
using Rows = std::vector<std::pair<std::string, std::string>>;

constexpr auto introduction =
    "A ceiling is the busbw that saturates the slowest known link on the data path. It bounds large messages; latency "
    "dominates small ones. busbw is the data rate per link of a flat ring. Where the record names the algorithm, its "
    "actual data rate is shown next to busbw.";

bool crosses_network(const CaseKey& k) { return k.nodes.value_or(1) > 1; }

std::optional<double> wire(const ExpectedPoint& p) {
  return crosses_network(p.record->key) ? p.node_wire_GBps() : p.rank_wire_GBps();
}

bool says_something(const ExpectedSeries& s) {
  return std::ranges::any_of(s.points, [](const ExpectedPoint& p) { return p.ceiling() || wire(p); });
}

/// "tree: a node sends 1 x size to other nodes, a rank 2 x size inside its node, and busbw is 1.88 x size / time".
std::string model(const ExpectedPoint& p) {
  const Traffic& t = p.traffic;
  std::string s = t.algorithm + (t.assumed ? ", assumed" : "");
  if (t.node.value_or(0) > 0)
    s += fmt::format("{} a node sends {:.4g} x size to other nodes", s.empty() ? "" : ":", *t.node);
  if (t.rank.value_or(0) > 0)
    s += fmt::format("{} a rank sends {:.4g} x size inside its node", t.node.value_or(0) > 0 ? "," : ":", *t.rank);
  return s + fmt::format("; busbw is {:.4g} x size / time", *p.record->bus_factor);
}

void add_ceiling(Rows& rows, const std::string& key, const Ceiling& c) {
  rows.emplace_back(key, fmt::format("{} GB/s busbw: {}", bandwidth(c.busbw_GBps), c.what));
  rows.emplace_back("from", c.source);
  rows.emplace_back("overhead", c.overhead);
}

/// Rows above a series' table: data movement, ceilings, unknowns.
Rows head(const ExpectedSeries& series) {
  Rows all;
  std::vector<std::string> models;
  std::vector<Ceiling> said;
  std::vector<Missing> missing;
  for (const ExpectedPoint& p : series.points) {
    if (add_new(models, model(p))) all.emplace_back("data", models.back());
    for (const Ceiling& c : p.ceilings)
      if (add_new(said, c)) add_ceiling(all, &c == p.ceiling() ? "ceiling" : "higher ceiling", c);
    for (const Missing& m : p.missing)
      if (add_new(missing, m)) all.emplace_back("not known", m.what + ": " + m.why);
  }
  return all;
}

Table points(const ExpectedSeries& series, bool folded) {
  using report::number;
  const char* wire_title = crosses_network(series.key()) ? "a node sends" : "a rank sends";
  Table t{.title = report::describe(series.key()) + "; in GB/s",
          .columns = {{"size", number},
                      {"busbw (flat-ring equivalent)", number},
                      {"ceiling", number},
                      {"achieved", number},
                      {wire_title, number},
                      {"algorithm", ColumnKind::name}},
          .rows = {},
          .folded = folded};
  for (const ExpectedPoint& p : series.points) {
    const auto achieved = p.achieved();
    t.rows.push_back({format_size(p.record->key.bytes), bandwidth(p.record->busbw_GBps),
                      p.ceiling() ? bandwidth(p.ceiling()->busbw_GBps) : std::string(report::unknown),
                      achieved ? fmt::format("{:.1f} %{}", 100 * *achieved, p.why_above().empty() ? "" : " *")
                               : std::string(report::unknown),
                      bandwidth(wire(p)), p.traffic.assumed ? std::string(report::unknown) : p.traffic.algorithm});
  }
  return t;
}

/// Adds one sentence for each reason why points exceed 100 %.
void add_marks(std::vector<Block>& blocks, const ExpectedSeries& series) {
  std::map<std::string, std::vector<std::uint64_t>> sizes;
  for (const ExpectedPoint& p : series.points)
    if (const std::string why = p.why_above(); !why.empty()) sizes[why].push_back(p.record->key.bytes);
  for (const auto& [why, which] : sizes)
    blocks.emplace_back(Paragraph{.text = fmt::format("* Above 100 % at {}: {}", report::size_list(which), why)});
}

/// Series of one run with the same title and rows, in order of appearance.
struct Group {
  std::string title;
  Rows rows;
  std::vector<const ExpectedSeries*> series;
};

template <class TitleOf, class RowsOf>
std::vector<Group> grouped(const std::vector<const ExpectedSeries*>& all, TitleOf title_of, RowsOf rows_of) {
  std::map<std::pair<std::string, Rows>, std::size_t> known;
  std::vector<Group> groups;
  for (const ExpectedSeries* s : all) {
    Group group{.title = title_of(*s), .rows = rows_of(*s), .series = {}};
    const auto [at, is_new] = known.try_emplace({group.title, group.rows}, groups.size());
    if (is_new) groups.push_back(std::move(group));
    groups[at->second].series.push_back(s);
  }
  return groups;
}

/// What the first point of the series misses.
Rows missing(const ExpectedSeries& s) {
  Rows all;
  for (const Missing& m : s.points.front().missing) all.emplace_back(m.what, m.why);
  return all;
}

/// "allreduce, allgather; 8 ranks".
std::string cases_of(const Group& group) {
  std::vector<std::string> collectives, ranks;
  for (const ExpectedSeries* s : group.series) {
    add_new(collectives, report::subject(s->key()));
    add_new(ranks, std::to_string(s->key().ranks));
  }
  return report::list(collectives, 12) + "; " + report::list(ranks, 12) + " ranks";
}

void add_without(std::vector<Block>& blocks, const std::vector<const ExpectedSeries*>& all) {
  for (const Group& group : grouped(all, [](const ExpectedSeries& s) { return s.run; }, missing)) {
    report::KeyValues about{.title = "No ceiling: " + group.title, .rows = {{"cases", cases_of(group)}}};
    for (const auto& [what, why] : group.rows) about.rows.emplace_back("not known", what + ": " + why);
    blocks.emplace_back(std::move(about));
  }
}

Json json_of(const Ceiling& c) {
  return {{"busbw_GBps", c.busbw_GBps},       {"what", c.what},
          {"overhead", c.overhead},           {"source", c.source},
          {"given_by_user", c.given_by_user}, {"any_algorithm_GBps", c.any_algorithm_GBps}};
}

Json json_of(const ExpectedPoint& p) {
  Json ceilings = Json::array(), missing = Json::array();
  for (const Ceiling& c : p.ceilings) ceilings.push_back(json_of(c));
  for (const Missing& m : p.missing) missing.push_back({{"what", m.what}, {"why", m.why}});
  const std::string why = p.why_above();
  return {{"bytes", p.record->key.bytes},
          {"busbw_GBps", *p.record->busbw_GBps},
          {"achieved", p.achieved()},
          {"above_because", why.empty() ? Json() : Json(why)},
          {"algorithm", p.traffic.assumed ? Json() : Json(p.traffic.algorithm)},
          {"node_wire_GBps", p.node_wire_GBps()},
          {"rank_wire_GBps", p.rank_wire_GBps()},
          {"ceilings", ceilings},
          {"not_known", missing}};
}

}  // namespace

std::vector<Block> blocks_of(const std::vector<ExpectedSeries>& all) {
  static constexpr std::size_t all_open = 8;  ///< up to this many series, their tables are unfolded
  std::vector<const ExpectedSeries*> known, others;
  for (const ExpectedSeries& series : all) (says_something(series) ? known : others).push_back(&series);
  std::vector<Block> blocks{Paragraph{.text = introduction}};
  const auto title = [](const ExpectedSeries& s) { return report::subject(s.key()) + ": " + s.run; };
  for (const Group& group : grouped(known, title, head)) {
    blocks.emplace_back(report::KeyValues{.title = group.title, .rows = group.rows});
    for (const ExpectedSeries* series : group.series) {
      blocks.emplace_back(points(*series, known.size() > all_open));
      add_marks(blocks, *series);
    }
  }
  add_without(blocks, others);
  return blocks;
}

Json json_of(const std::vector<ExpectedSeries>& all) {
  Json series = Json::array();
  for (const ExpectedSeries& s : all) {
    Json points = Json::array();
    for (const ExpectedPoint& p : s.points) points.push_back(json_of(p));
    series.push_back({{"run", s.run},
                      {"series", series_name(s.key())},
                      {"collective", s.key().collective},
                      {"ranks", s.key().ranks},
                      {"nodes", s.key().nodes},
                      {"points", points}});
  }
  return {{"series", series}};
}

}  // namespace busbar::expected
