// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/verdict.hpp"

/// Compares two or more sides, point by point. A side is a set of launches of the same measurement; a point is a case
/// key that both sides have. comparability.hpp checks what can be compared.
namespace busbar::compare {

/// Side b compared with side a.
struct Pair {
  std::size_t a = 0, b = 0;            ///< indices into Set::sides
  std::vector<ComparedCase> points;    ///< by series, then size
  std::size_t only_a = 0, only_b = 0;  ///< number of keys that the other side lacks
  [[nodiscard]] std::size_t count(Verdict) const;
};

/// Sides with common points.
struct Set {
  std::string title;  ///< shared by all its points; may be empty
  std::vector<std::string> sides;
  std::vector<Pair> pairs;  ///< each pair of sides once, as requested; pairs without cases are left out
};

/// Input of a comparison.
struct Request {
  std::vector<std::string> sides;  ///< side names, in order
  std::vector<std::string> about;  ///< description of each side, if its name does not identify it
  /// Index of the side of a case; empty: none.
  std::function<std::optional<std::size_t>(std::size_t run, const CaseRecord&)> side_of;
  /// Clears the parts of a key that may differ.
  std::function<void(CaseKey&)> blank;
  std::string criterion;            ///< argument of `--by`; empty if two sides were named
  bool with_first = false;          ///< the first side is the reference: others are compared with it alone
  std::vector<std::string> across;  ///< method fields (fields.hpp) that may differ
  /// Cases with different texts are not compared; the text is the title of their set.
  std::function<std::string(std::size_t run, const CaseKey& blanked)> set_of;
  ComparisonOptions options;
};

struct Comparison {
  std::vector<Set> sets;           ///< in order of first case, then of ranks; sets without common points are left out
  std::vector<std::string> notes;  ///< for the reader
};

/// The points of all pairs of all sets.
[[nodiscard]] inline auto points_of(const Comparison& comparison) {
  return comparison.sets | std::views::transform(&Set::pairs) | std::views::join |
         std::views::transform(&Pair::points) | std::views::join;
}

/// Compares cases with status ok. Throws UsageError if a launch is in `runs` twice (same id), if runs of a set were
/// measured with different methods (naming the runs, fields and values), or if no two sides have a common point.
[[nodiscard]] Comparison compare(const std::vector<Run>&, const Request&);

}  // namespace busbar::compare
