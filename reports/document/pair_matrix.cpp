// SPDX-License-Identifier: Apache-2.0
#include "reports/document/pair_matrix.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

void add_names(const PairMatrix& m, std::string Pair::* end, std::set<std::string>& names) {
  for (const Pair& pair : m.pairs) names.insert(pair.*end);
}

std::vector<std::string> sorted(const std::set<std::string>& names) {
  std::vector<std::string> all(names.begin(), names.end());
  std::ranges::sort(all, natural_less);
  return all;
}

/// With "<->", both ends of a pair are rows and columns.
void name_ends(PairMatrix& m) {
  std::set<std::string> rows, columns;
  add_names(m, &Pair::row, rows);
  add_names(m, &Pair::column, columns);
  if (m.arrow == "<->") rows.merge(std::set(columns)), columns = rows;
  m.rows = sorted(rows);
  m.columns = sorted(columns);
}

/// The usual value of pairs on `nodes` hosts; pair_matrices() has the definition.
double usual(const PairMatrix& m, std::optional<int> nodes) {
  const double slower = m.measure == PairMatrix::Measure::time ? 1 : -1;  // sign of a change for the worse
  std::map<std::string, std::vector<double>> of_end;
  for (const Pair& pair : m.pairs)
    if (pair.nodes == nodes)
      for (const std::string* end : {&pair.row, &pair.column}) of_end[*end].push_back(slower * pair.value);
  return slower * usual_over_members(of_end);
}

/// Larger messages show the bandwidth of the link.
constexpr std::uint64_t small_message_bytes = 4096;

std::string test_of(const CaseKey& key, const std::string& what) {
  std::string test = key.collective;
  if (key.bytes > 0) test += " at " + format_size(key.bytes);
  return what.empty() ? test : test + ", " + what;
}

/// What an end is in its pairs.
std::string role_of(const PairMatrix& m, bool is_column) {
  if (m.arrow == "<->") return "with";
  return (m.arrow == "->") == is_column ? "to" : "from";
}

}  // namespace

std::optional<PairEnds> pair_ends(const CaseRecord& c) {
  if (!is_measured(c.status) || !c.key.group || !c.algbw_GBps || !(*c.algbw_GBps > 0)) return std::nullopt;
  const std::string& text = *c.key.group;
  static constexpr std::array<std::string_view, 3> arrows{"<->", "<-", "->"};
  for (const std::string_view arrow : arrows) {
    const std::size_t at = text.find(arrow);
    if (at == std::string::npos || at == 0 || at + arrow.size() == text.size()) continue;
    const std::string rest = text.substr(at + arrow.size());
    const std::size_t space = std::min(rest.find(' '), rest.size());
    return PairEnds{.row = text.substr(0, at),
                    .arrow = std::string(arrow),
                    .column = rest.substr(0, space),
                    .what = space < rest.size() ? rest.substr(space + 1) : ""};
  }
  return std::nullopt;
}

std::string pair_text(const PairMatrix& m, const Pair& pair) { return pair.row + " " + m.arrow + " " + pair.column; }

std::string value_text(const PairMatrix& m, double value) {
  return m.measure == PairMatrix::Measure::time ? format_duration(value) : bandwidth(value) + " GB/s";
}

std::string usual_text(const PairMatrix& m) {
  std::map<std::optional<int>, double> kinds;
  for (const Pair& pair : m.pairs) kinds[pair.nodes] = pair.usual;
  if (kinds.size() == 1) return "usual " + value_text(m, kinds.begin()->second);
  std::string text;
  for (const auto& [nodes, value] : kinds)
    text += fmt::format("{}{} {}", text.empty() ? "usual " : ", ", value_text(m, value),
                        nodes == 1   ? "inside a host"
                        : nodes == 2 ? "between hosts"
                                     : "elsewhere");
  return text;
}

double share(const PairMatrix& m, const Pair& pair) {
  return m.measure == PairMatrix::Measure::time ? pair.usual / pair.value : pair.value / pair.usual;
}

std::vector<const Pair*> slow_pairs(const PairMatrix& m) {
  std::vector<const Pair*> slow;
  for (const Pair& pair : m.pairs)
    if (share(m, pair) < slow_pair_share) slow.push_back(&pair);
  std::ranges::stable_sort(slow, {}, [&](const Pair* pair) { return share(m, *pair); });
  return slow;
}

std::vector<SlowEnd> slow_ends(const PairMatrix& m) {
  // Per end; if pairs have a direction, an end counts separately as row and as column.
  std::map<std::pair<std::string, bool>, std::vector<double>> shares;
  const bool directed = m.arrow != "<->";
  for (const Pair& pair : m.pairs) {
    shares[{pair.row, false}].push_back(share(m, pair));
    shares[{pair.column, directed}].push_back(share(m, pair));
  }
  std::vector<SlowEnd> ends;
  std::map<std::string, double> slow;  // median share of the pairs with this end
  for (const auto& [end, of_end] : shares) {
    const auto slow_ones = std::ranges::count_if(of_end, [](double s) { return s < slow_pair_share; });
    if (of_end.size() < 2 || 4 * static_cast<std::size_t>(slow_ones) < 3 * of_end.size()) continue;
    const auto& [name, is_column] = end;
    const auto [at, is_new] = slow.try_emplace(name, median(of_end));
    if (is_new) {
      ends.push_back({.name = name, .role = role_of(m, is_column)});
    } else {
      ends.back().role = "with";  // as row and as column
      at->second = std::min(at->second, median(of_end));
    }
  }
  std::ranges::sort(ends, natural_less, &SlowEnd::name);
  std::ranges::stable_sort(ends, {}, [&](const SlowEnd& end) { return slow.at(end.name); });
  return ends;
}

std::string text_of(const std::vector<SlowEnd>& ends, std::size_t most) {
  const bool same = std::ranges::all_of(ends, [&](const SlowEnd& end) { return end.role == ends.front().role; });
  return (same && !ends.empty() ? ends.front().role : "with") + " " + list(names_of(ends), most);
}

std::vector<std::string> names_of(const std::vector<SlowEnd>& ends) {
  std::vector<std::string> names;
  for (const SlowEnd& end : ends) names.push_back(end.name);
  return names;
}

std::vector<PairMatrix> pair_matrices(const Run& run) {
  std::vector<PairMatrix> all;
  std::map<std::string, std::size_t> known;
  for (const CaseRecord& c : run.cases) {
    const auto ends = pair_ends(c);
    if (!ends) continue;
    CaseKey key = c.key;
    key.group = ends->arrow + ends->what;
    key.nodes = key.ranks_per_node = {};  // pairs inside a host and between hosts share a matrix
    const auto [at, is_new] = known.try_emplace(to_string(key), all.size());
    const bool small = key.bytes > 0 && key.bytes < small_message_bytes && c.time_s;
    if (is_new)
      all.push_back({.measure = small ? PairMatrix::Measure::time : PairMatrix::Measure::bandwidth,
                     .test = test_of(key, ends->what),
                     .arrow = ends->arrow});
    PairMatrix& m = all[at->second];
    m.pairs.push_back({.row = ends->row,
                       .column = ends->column,
                       .value = m.measure == PairMatrix::Measure::time ? *c.time_s : *c.algbw_GBps,
                       .nodes = c.key.nodes});
  }
  std::erase_if(all, [](const PairMatrix& m) { return m.pairs.size() < 2; });
  for (PairMatrix& m : all) {
    name_ends(m);
    std::map<std::optional<int>, double> usual_of;
    for (Pair& pair : m.pairs) {
      const auto [at, is_new] = usual_of.try_emplace(pair.nodes);
      if (is_new) at->second = usual(m, pair.nodes);
      pair.usual = at->second;
    }
  }
  return all;
}

}  // namespace busbar::report
