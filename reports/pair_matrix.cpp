// SPDX-License-Identifier: Apache-2.0
#include "reports/pair_matrix.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "core/statistics.hpp"
#include "core/units.hpp"

namespace busbar::report {
namespace {

/// What the group of a case says: "GPU0<->GPU1 total".
struct Ends {
  std::string row, arrow, column;
  std::string what;  ///< "total"; may be empty
};

std::optional<Ends> ends_of(const CaseRecord& c) {
  if (c.status != Status::ok || !c.key.group || !c.algbw_GBps || !(*c.algbw_GBps > 0)) return std::nullopt;
  const std::string& text = *c.key.group;
  static constexpr std::array<std::string_view, 3> arrows{"<->", "<-", "->"};
  for (const std::string_view arrow : arrows) {
    const std::size_t at = text.find(arrow);
    if (at == std::string::npos || at == 0 || at + arrow.size() == text.size()) continue;
    const std::string rest = text.substr(at + arrow.size());
    const std::size_t space = std::min(rest.find(' '), rest.size());
    return Ends{.row = text.substr(0, at),
                .arrow = std::string(arrow),
                .column = rest.substr(0, space),
                .what = space < rest.size() ? rest.substr(space + 1) : ""};
  }
  return std::nullopt;
}

/// As people sort names with numbers in them: "GPU2" before "GPU10".
bool natural_less(const std::string& a, const std::string& b) {
  const auto split = [](const std::string& s) {
    const std::size_t digits = s.find_last_not_of("0123456789") + 1;
    return std::pair(s.substr(0, digits), s.size() - digits);
  };
  const auto [a_stem, a_digits] = split(a);
  const auto [b_stem, b_digits] = split(b);
  return std::tie(a_stem, a_digits, a) < std::tie(b_stem, b_digits, b);
}

std::vector<std::string> names_of(const PairMatrix& m, std::string Pair::* end) {
  std::set<std::string> names;
  for (const Pair& pair : m.pairs) names.insert(pair.*end);
  std::vector<std::string> sorted(names.begin(), names.end());
  std::ranges::sort(sorted, natural_less);
  return sorted;
}

double median_of(const PairMatrix& m) {
  std::vector<double> values;
  for (const Pair& pair : m.pairs) values.push_back(pair.GBps);
  return median(values);
}

std::string test_of(const CaseKey& key, const std::string& what) {
  std::string test = key.collective;
  if (key.bytes > 0) test += " at " + format_size(key.bytes);
  return what.empty() ? test : test + ", " + what;
}

}  // namespace

std::string pair_text(const PairMatrix& m, const Pair& pair) { return pair.row + " " + m.arrow + " " + pair.column; }

std::vector<const Pair*> slow_pairs(const PairMatrix& m) {
  std::vector<const Pair*> slow;
  for (const Pair& pair : m.pairs)
    if (pair.GBps < slow_pair_share * m.median_GBps) slow.push_back(&pair);
  std::ranges::stable_sort(slow, {}, [](const Pair* pair) { return pair->GBps; });
  return slow;
}

std::vector<PairMatrix> pair_matrices(const Run& run) {
  std::vector<PairMatrix> all;
  std::map<std::string, std::size_t> known;
  for (const CaseRecord& c : run.cases) {
    const auto ends = ends_of(c);
    if (!ends) continue;
    CaseKey key = c.key;
    key.group = ends->arrow + ends->what;
    const auto [at, is_new] = known.try_emplace(to_string(key), all.size());
    if (is_new)
      all.push_back({.test = test_of(key, ends->what), .arrow = ends->arrow, .pairs = {}, .rows = {}, .columns = {}});
    all[at->second].pairs.push_back({.row = ends->row, .column = ends->column, .GBps = *c.algbw_GBps});
  }
  std::erase_if(all, [](const PairMatrix& m) { return m.pairs.size() < 2; });
  for (PairMatrix& m : all) {
    m.rows = names_of(m, &Pair::row);
    m.columns = names_of(m, &Pair::column);
    m.median_GBps = median_of(m);
  }
  return all;
}

}  // namespace busbar::report
