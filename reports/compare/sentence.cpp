// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

using Points = std::vector<const ComparedCase*>;

/// "1.40x at the median, 3.90x at most, 16 MiB of allreduce"; of a single point "1.30x, 128 KiB of allreduce".
std::string effect_of(Points points) {
  const auto factor = [](const ComparedCase* p) { return std::exp(std::abs(p->ratio.value)); };
  std::ranges::sort(points, {}, factor);
  const std::string most = fmt::format("{:.2f}x", factor(points.back()));
  const std::string middle = fmt::format("{:.2f}x", factor(points[(points.size() - 1) / 2]));
  if (points.size() == 1) return fmt::format("{}, {}", most, place_text(*points.back()));
  return middle == most ? most
                        : fmt::format("{} at the median, {} at most, {}", middle, most, place_text(*points.back()));
}

Points with(const Points& all, Verdict verdict) {
  Points some;
  std::ranges::copy_if(all, std::back_inserter(some), [=](const auto* p) { return p->verdict == verdict; });
  return some;
}

/// "B vs A at 58 points: faster at 50 (1.4x at the median, ...), slower at 1 (...), 7 inconclusive".
std::string of_two(const std::string& names, const Points& all, double margin) {
  std::vector<std::string> parts;
  for (const Verdict v : {Verdict::slower, Verdict::faster})
    if (const Points some = with(all, v); !some.empty())
      parts.push_back(fmt::format("{} at {} ({})", name(v), some.size(), effect_of(some)));
  if (const auto n = with(all, Verdict::same).size(); n > 0)
    parts.push_back(fmt::format("the same within {:g} % at {}", 100 * margin, n));
  if (const auto n = with(all, Verdict::inconclusive).size(); n > 0) parts.push_back(fmt::format("{} inconclusive", n));
  if (const auto n = with(all, Verdict::disturbed).size(); n > 0) parts.push_back(fmt::format("{} disturbed", n));
  return fmt::format("{} at {}: {}.", names, plural(all.size(), "point"), fmt::join(parts, ", "));
}

std::string of_pair(const Set& set, const Pair& pair, double margin) {
  Points points;
  for (const ComparedCase& p : pair.points) points.push_back(&p);
  return of_two(pair_name(set, pair), points, margin);
}

/// The value of a key on each side, as a time ratio to some side: lower is faster.
struct KeyRow {
  std::map<std::size_t, double> cost;  ///< by side; ln
  std::map<std::size_t, std::size_t> beaten_by_verdict;
};

std::map<std::string, KeyRow> rows_of(const Set& set) {
  std::map<std::string, KeyRow> rows;
  for (const Pair& pair : set.pairs) {
    for (const ComparedCase& p : pair.points) {
      KeyRow& row = rows[to_string(p.key)];
      const double sign = p.quantity->higher_is_better ? -1 : 1;
      row.cost[pair.a] = sign * std::log(p.a.value);
      row.cost[pair.b] = sign * std::log(p.b.value);
      if (p.verdict == Verdict::faster) ++row.beaten_by_verdict[pair.b];
      if (p.verdict == Verdict::slower) ++row.beaten_by_verdict[pair.a];
    }
  }
  return rows;
}

/// Adds the wins of a set to those of its sides.
void add_wins(const Set& set, std::vector<Win>& wins) {
  for (const std::string& side : set.sides)  // ties keep the order of the sides
    if (std::ranges::find(wins, side, &Win::side) == wins.end()) wins.push_back({.side = side});
  for (const auto& [id, row] : rows_of(set)) {
    const auto best = std::ranges::min_element(row.cost, {}, [](const auto& entry) { return entry.second; });
    const auto winner = std::ranges::find(wins, set.sides[best->first], &Win::side);
    ++winner->points;
    const auto beaten = row.beaten_by_verdict.find(best->first);
    winner->proven += beaten != row.beaten_by_verdict.end() && beaten->second + 1 == row.cost.size();
  }
  std::ranges::stable_sort(wins, std::ranges::greater{}, &Win::points);
}

/// "4 is fastest at 41 of 50 points (proven at 30), 2 at 9 (2)".
std::string of_wins(const std::vector<Win>& wins) {
  std::size_t all = 0;
  for (const Win& w : wins) all += w.points;
  constexpr std::size_t shown = 3;
  std::vector<std::string> parts;
  for (const Win& w : wins) {
    if (w.points == 0 || parts.size() == shown) break;
    parts.push_back(parts.empty() ? fmt::format("{} is fastest at {} of {} (proven at {})", w.side, w.points,
                                                plural(all, "point"), w.proven)
                                  : fmt::format("{} at {} ({})", w.side, w.points, w.proven));
  }
  return fmt::format("{}.", fmt::join(parts, ", "));
}

std::string of_many(const Set& set) {
  std::vector<Win> wins;
  add_wins(set, wins);
  return of_wins(wins);
}

/// "VM vs bare metal, resnet50: 10675 images/s and 10818 images/s, ratio 0.987: inconclusive".
std::string of_one(const std::string& names, const ComparedCase& p) {
  return fmt::format("{}, {}: {} and {}, ratio {}: {}.", names, place_text(p), value_text(p, p.b.value),
                     value_text(p, p.a.value), ratio_text(p.ratio.ratio()), verdict_text(p));
}

std::string with_title(const Set& set, std::string sentence) {
  return set.title.empty() ? sentence : set.title + ": " + sentence;
}

/// "mpirun -np 8 busbar-bench allreduce": the command of the first run of a side; empty if unknown.
std::string command_of(const Told& told, std::size_t side) {
  for (std::size_t i = 0; i < told.runs.size(); ++i) {
    const Run& run = told.runs[i];
    const bool on_side =
        std::ranges::any_of(run.cases, [&](const CaseRecord& c) { return told.request.side_of(i, c) == side; });
    if (!on_side) continue;
    if (run.head.origin != Origin::measured || run.head.argv.empty()) return "";
    std::vector<std::string> words;  // without --out FILE: the record exists
    for (std::size_t w = 0; w < run.head.argv.size(); ++w) {
      if (run.head.argv[w] == "--out" && w + 1 < run.head.argv.size())
        ++w;
      else
        words.push_back(run.head.argv[w]);
    }
    const int processes = run.head.ranks / std::max(1, run.head.method.gpus_per_process.value_or(1));
    return fmt::format("mpirun -np {} {}", processes, fmt::join(words, " "));
  }
  return "";
}

}  // namespace

std::vector<std::string> verdict_sentences(const Told& told) {
  std::vector<std::string> all;
  for (const Set& set : told.comparison.sets) {
    std::set<std::size_t> sides;
    for (const Pair& pair : set.pairs) {
      if (pair.points.empty()) continue;
      sides.insert({pair.a, pair.b});
    }
    if (sides.size() > 2 && !told.request.with_first) {
      all.push_back(with_title(set, of_many(set)));
      continue;
    }
    if (sides.empty()) continue;
    std::vector<std::string> sentences;
    for (const Pair& pair : set.pairs)
      if (!pair.points.empty()) sentences.push_back(of_pair(set, pair, told.request.options.margin));
    all.push_back(with_title(set, fmt::format("{}", fmt::join(sentences, " "))));
  }
  return all;
}

std::vector<Win> count_wins(const Told& told) {
  std::vector<Win> wins;
  for (const Set& set : told.comparison.sets) add_wins(set, wins);
  std::erase_if(wins, [](const Win& w) { return w.points == 0; });
  return wins;
}

std::string overall_sentence(const Told& told) {
  std::vector<std::string> order;
  std::map<std::string, Points> by_names;
  for (const Set& set : told.comparison.sets) {
    for (const Pair& pair : set.pairs) {
      if (pair.points.empty()) continue;
      Points& points = by_names[pair_name(set, pair)];
      if (points.empty()) order.push_back(pair_name(set, pair));
      for (const ComparedCase& p : pair.points) points.push_back(&p);
    }
  }
  if (order.size() > 1 && !told.request.with_first) return of_wins(count_wins(told));
  std::vector<std::string> sentences;
  for (const std::string& names : order) {
    const Points& points = by_names[names];
    sentences.push_back(points.size() == 1 ? of_one(names, *points.front())
                                           : of_two(names, points, told.request.options.margin));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string measure_again(const Told& told) {
  std::size_t disturbed = 0, points = 0;
  std::map<std::string, std::size_t> doubts;
  for (const ComparedCase& p : points_of(told.comparison)) {
    ++points;
    if (p.verdict != Verdict::disturbed) continue;
    ++disturbed;
    ++doubts[p.a.grade == Grade::d ? p.a.doubts : p.b.doubts];
  }
  if (disturbed == 0) return "";
  const auto why = std::ranges::max_element(doubts, {}, [](const auto& entry) { return entry.second; })->first;
  std::string text = fmt::format("{} of {} disturbed (grade D: {}): no verdict. Measure again on idle CPUs", disturbed,
                                 points == 1 ? "1 point is" : fmt::format("{} points are", points), why);
  const std::string a = command_of(told, 0), b = command_of(told, 1);
  if (a.empty() || b.empty() || told.request.sides.size() != 2)
    return text + ", several launches of each side in alternation (busbar repeat).";
  return text + fmt::format(", in alternation: busbar repeat --launches 5 --out again.jsonl -- {} -- {}", a, b);
}

}  // namespace busbar::compare
