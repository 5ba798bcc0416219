// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/document.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

using report::Block;
using report::ColumnKind;
using report::KeyValues;
using report::Paragraph;
using report::Table;
using report::Tone;

/// The most launches that a side has of one case that is compared.
std::size_t most_launches_of_a_case(const Told& told, std::size_t side) {
  std::size_t most = 0;
  for (const Set& set : told.comparison.sets)
    for (const Pair& pair : set.pairs) {
      if (pair.a != side && pair.b != side) continue;
      for (const ComparedCase& p : pair.points) most = std::max(most, (pair.a == side ? p.a : p.b).launches.size());
    }
  return most;
}

/// "5 launches, 2026-11-01T02:00:00Z to 2026-11-05T02:00:00Z", "3 launches, at most 1 of a case".
std::string launches_of(const Told& told, std::size_t side) {
  std::size_t n = 0;
  std::set<std::string> starts;
  for (std::size_t i = 0; i < told.runs.size(); ++i) {
    const auto& cases = told.runs[i].cases;
    if (std::ranges::none_of(cases, [&](const CaseRecord& c) { return told.request.side_of(i, c) == side; })) continue;
    ++n;
    if (const auto& start = told.runs[i].head.start_utc) starts.insert(*start);
  }
  std::string s = n == 1 ? "1 launch" : fmt::format("{} launches", n);
  if (const std::size_t most = most_launches_of_a_case(told, side); most > 0 && most < n)
    s += fmt::format(", at most {} of a case", most);
  if (starts.empty()) return s;
  return s + ", " + (starts.size() == 1 ? *starts.begin() : *starts.begin() + " to " + *starts.rbegin());
}

template <class Has>
std::size_t count_points(const Comparison& comparison, Has has) {
  return static_cast<std::size_t>(std::ranges::count_if(points_of(comparison), has));
}

/// Sources of the intervals.
std::string basis_text(const Told& told) {
  static constexpr std::array<std::pair<Basis, std::string_view>, 3> sources{
      {{Basis::pairs, "alternating pairs of launches"},
       {Basis::launches, "the spread between launches"},
       {Basis::assumed, "an assumed spread"}}};
  std::vector<std::string> from;
  for (const auto& [basis, source] : sources) {
    const auto n = std::ranges::count(points_of(told.comparison), basis, &ComparedCase::basis);
    if (n > 0) from.push_back(fmt::format("from {} ({})", source, plural(n, "point")));
  }
  return fmt::format("{:g} %, by Student's t on logarithms; {}", 100 * told.request.options.confidence,
                     fmt::join(from, ", "));
}

/// Points whose sides have a ratio of paces, and the range of these.
struct PacedPoints {
  std::size_t points = 0;
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void add(double ratio) {
    ++points;
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  [[nodiscard]] std::string text(const Told& told) const {
    const auto& sides = told.request.sides;
    const bool two = sides.size() == 2;
    return fmt::format("a fixed amount of work on {} took {:.3f} to {:.3f} times as long as on {}",
                       two ? sides[1] : "one side", least, most, two ? sides[0] : "the other");
  }
};

/// Says where ratios are corrected for CPU pace, and where not; empty if paces are unknown.
std::string pace_text(const Told& told) {
  PacedPoints corrected, apart;
  for (const ComparedCase& p : points_of(told.comparison)) {
    if (p.ratio.pace) corrected.add(p.ratio.pace->ratio);
    if (p.ratio.pace_apart) apart.add(*p.ratio.pace_apart);
  }
  std::string text;
  if (corrected.points > 0)
    text = fmt::format("{}: the ratio is corrected for CPU speed: {}; --as-measured disables the correction",
                       plural(corrected.points, "point"), corrected.text(told));
  if (apart.points > 0)
    text +=
        fmt::format("{}{}: as measured, though {}, in all launches: another build, or CPUs that were slow all the time",
                    text.empty() ? "" : ". ", plural(apart.points, "point"), apart.text(told));
  return text;
}

bool has_no_interval(const ComparedCase& p) {
  const auto none = [](const LaunchFigure& f) { return !f.interval; };
  return p.basis == Basis::assumed && std::ranges::all_of(p.a.launches, none) &&
         std::ranges::all_of(p.b.launches, none);
}

/// "1 point has", "3 points have".
std::string points_have(std::size_t n) { return n == 1 ? "1 point has" : fmt::format("{} points have", n); }

void add_warnings(std::vector<Block>& blocks, const Told& told) {
  const ComparisonOptions& o = told.request.options;
  const auto warn = [&](std::string text) {
    blocks.emplace_back(Paragraph{.text = std::move(text), .tone = Tone::warning});
  };
  if (!told.request.across.empty() && told.request.criterion.empty())
    warn(fmt::format("Compared although the sides may differ in {} (--across).", fmt::join(told.request.across, ", ")));
  const std::size_t assumed =
      count_points(told.comparison, [](const ComparedCase& p) { return p.basis == Basis::assumed; });
  if (assumed > 0)
    warn(
        fmt::format("{} too few launches of the case on a side to estimate launch-to-launch variation: it is ASSUMED "
                    "to be {:g} % (--launch-spread), of grade C {:g} %. This can show a difference, but cannot show "
                    "that the two sides are equal. Measure at least 3 launches of each side: busbar repeat.",
                    points_have(assumed), 100 * o.launch_spread, 100 * o.launch_spread * spread_factor(Grade::c)));
  const std::size_t bare = count_points(told.comparison, has_no_interval);
  if (bare > 0)
    warn(
        fmt::format("{} only single figures without an interval on both sides: the records do not contain the "
                    "samples, so equivalence cannot be shown.",
                    points_have(bare)));
  for (const std::string& sentence : outlying_sentences(told)) warn(sentence);
  for (const std::string& sentence : told.comparison.notes) warn(sentence);
}

/// The names of all compared quantities.
std::string quantities_of(const Told& told) {
  std::set<std::string_view> names;
  for (const ComparedCase& p : points_of(told.comparison)) names.insert(p.quantity->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Table differences_table(const Told& told) {
  Table table{.title = "Environment differences, most relevant first", .columns = {{"", ColumnKind::name}}};
  for (const std::string& side : told.request.sides) table.columns.push_back({side, ColumnKind::text});
  for (const Difference& d : told.differences) {
    table.rows.push_back({d.name});
    table.rows.back().insert(table.rows.back().end(), d.values.begin(), d.values.end());
  }
  return table;
}

/// "+19 -2 =1 ?3": the row's side compared with the column's.
std::string cell(const Pair& pair, bool row_is_b) {
  const std::size_t faster = pair.count(row_is_b ? Verdict::faster : Verdict::slower);
  const std::size_t slower = pair.count(row_is_b ? Verdict::slower : Verdict::faster);
  return fmt::format("+{} -{} ={} ?{}", faster, slower, pair.count(Verdict::same),
                     pair.count(Verdict::inconclusive) + pair.count(Verdict::disturbed));
}

Table matrix(const Set& set) {
  Table table{.title = set.title, .columns = {{"", ColumnKind::name}}};
  std::set<std::size_t> present;
  for (const Pair& pair : set.pairs) {
    if (!pair.points.empty()) present.insert({pair.a, pair.b});
  }
  for (const std::size_t column : present) table.columns.push_back({set.sides[column], ColumnKind::name});
  for (const std::size_t row : present) {
    auto& cells = table.rows.emplace_back(std::vector{set.sides[row]});
    for (const std::size_t column : present) {
      const auto pair = std::ranges::find_if(set.pairs, [&](const Pair& p) {
        return p.a == std::min(row, column) && p.b == std::max(row, column) && !p.points.empty();
      });
      cells.push_back(row == column ? "" : pair == set.pairs.end() ? "none in common" : cell(*pair, row > column));
    }
  }
  return table;
}

Table pairs_table(const Set& set, const std::string& title) {
  Table table{.title = title,
              .columns = {{"", ColumnKind::name},
                          {"vs", ColumnKind::name},
                          {"points", ColumnKind::number},
                          {"faster at", ColumnKind::text},
                          {"slower at", ColumnKind::text},
                          {"same", ColumnKind::number},
                          {"inconclusive", ColumnKind::number},
                          {"disturbed", ColumnKind::number},
                          {"ratios", ColumnKind::name}}};
  for (const Pair& pair : set.pairs) {
    if (pair.points.empty()) continue;
    const auto or_none = [](std::string s) { return s.empty() ? "none" : s; };
    table.rows.push_back({set.sides[pair.b], set.sides[pair.a], std::to_string(pair.points.size()),
                          or_none(extent_text(pair, Verdict::faster)), or_none(extent_text(pair, Verdict::slower)),
                          std::to_string(pair.count(Verdict::same)), std::to_string(pair.count(Verdict::inconclusive)),
                          std::to_string(pair.count(Verdict::disturbed)), range_text(pair)});
  }
  return table;
}

Table points_table(const Set& set, const Pair& pair, std::size_t first, std::size_t last) {
  const ComparedCase& one = pair.points[first];
  Table table{.title = report::subject(one.key) + ": " + report::describe(one.key),
              .columns = {{"size", ColumnKind::number},
                          {set.sides[pair.a], ColumnKind::number},
                          {set.sides[pair.b], ColumnKind::number},
                          {fmt::format("{} ratio", one.quantity->name), ColumnKind::number},
                          {"interval", ColumnKind::name},
                          {"grades", ColumnKind::name},
                          {"verdict", ColumnKind::status}}};
  for (std::size_t i = first; i < last; ++i) {
    const ComparedCase& p = pair.points[i];
    table.rows.push_back({size_text(p), value_text(p, p.a.value), value_text(p, p.b.value), ratio_text(p.ratio.ratio()),
                          p.ratio.standard_error > 0 ? interval_text(p.interval) : "none", grades_text(p),
                          verdict_text(p)});
  }
  return table;
}

/// Adds a table for each series of a pair.
void add_points(std::vector<Block>& blocks, const Set& set, const Pair& pair) {
  for (std::size_t first = 0; first < pair.points.size();) {
    std::size_t last = first;
    const std::string series = series_name(pair.points[first].key);
    while (last < pair.points.size() && series_name(pair.points[last].key) == series) ++last;
    blocks.emplace_back(points_table(set, pair, first, last));
    first = last;
  }
}

}  // namespace

std::vector<Block> head_blocks(const Told& told) {
  const ComparisonOptions& o = told.request.options;
  const auto& sides = told.request.sides;
  std::vector<Block> blocks;
  if (told.request.with_first)
    blocks.emplace_back(cost_overview(told));
  else
    for (std::string& sentence : verdict_sentences(told)) blocks.emplace_back(Paragraph{.text = std::move(sentence)});
  if (std::string again = measure_again(told); !again.empty())
    blocks.emplace_back(Paragraph{.text = std::move(again), .tone = Tone::warning});
  KeyValues head;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const bool named = told.request.about.empty();
    head.rows.emplace_back(named ? told.request.criterion : sides[i],
                           fmt::format("{} ({})", named ? sides[i] : told.request.about[i], launches_of(told, i)));
  }
  head.rows.emplace_back("ratio", fmt::format("{}, {}: geometric means of launch medians", quantities_of(told),
                                              sides.size() == 2         ? sides[1] + " over " + sides[0]
                                              : told.request.with_first ? "over " + sides[0]
                                                                        : "one over the other"));
  head.rows.emplace_back("interval", basis_text(told));
  if (std::string pace = pace_text(told); !pace.empty()) head.rows.emplace_back("CPU speed", std::move(pace));
  head.rows.emplace_back(
      "verdict",
      fmt::format(
          "same: the interval is within {:g} % of 1. Slower, faster: it is not, and the ratio "
          "differs from 1 at {:g} % confidence, corrected for all points of a comparison (Holm). Disturbed: grade D",
          100 * o.margin, 100 * o.confidence));
  if (told.request.with_first)
    head.rows.emplace_back("tables", fmt::format("change against {} in per cent, with its interval. =: same; ?: "
                                                 "inconclusive or disturbed; neither: slower or faster",
                                                 sides[0]));
  else if (sides.size() > 2)
    head.rows.emplace_back("matrix",
                           "row vs column, number of points: + faster, - slower, = same, ? inconclusive or disturbed");
  blocks.emplace_back(std::move(head));
  add_warnings(blocks, told);
  if (!told.differences.empty()) blocks.emplace_back(differences_table(told));
  return blocks;
}

std::vector<Block> set_blocks(const Told& told, const Set& set, bool points) {
  std::vector<Block> blocks;
  const auto joined = std::ranges::count_if(set.pairs, [](const Pair& p) { return !p.points.empty(); });
  if (told.request.with_first)
    for (Table& table : cost_tables(set)) blocks.emplace_back(std::move(table));
  else if (joined > 1)
    blocks.emplace_back(matrix(set));
  if (!told.request.criterion.empty() && !told.request.with_first)
    blocks.emplace_back(pairs_table(set, joined > 1 ? "" : set.title));
  for (const Pair& pair : set.pairs) {
    if (points) add_points(blocks, set, pair);
    if (pair.only_a + pair.only_b > 0 && told.request.criterion.empty())
      blocks.emplace_back(Paragraph{.text = fmt::format("Only in {}: {}. Only in {}: {}.", set.sides[pair.a],
                                                        plural(pair.only_a, "point"), set.sides[pair.b],
                                                        plural(pair.only_b, "point"))});
    if (told.request.criterion.empty()) blocks.emplace_back(Paragraph{.text = count_text(pair, told.request.options)});
  }
  return blocks;
}

report::Document document(const Told& told, bool points) {
  report::Document all{.title = "busbar compare",
                       .summary = report::count_runs_and_cases(told.runs),
                       .chapters = {{.name = "comparison", .blocks = head_blocks(told)}}};
  for (const Set& set : told.comparison.sets)
    all.chapters.push_back({.name = "set", .blocks = set_blocks(told, set, points)});
  return all;
}

}  // namespace busbar::compare
