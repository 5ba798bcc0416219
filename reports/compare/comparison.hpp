// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/verdict.hpp"

/// Two or more sides held against each other, point by point. A side is a set of launches that measured the same; a
/// point is a case key that both sides have. What may be held against what is comparability.hpp's business.
namespace busbar::compare {

/// Side b against side a.
struct Pair {
  std::size_t a = 0, b = 0;            ///< positions in Set::sides
  std::vector<Point> points;           ///< by series, then size
  std::size_t only_a = 0, only_b = 0;  ///< points that the other side does not have
  [[nodiscard]] std::size_t count(Verdict) const;
};

/// Sides that have points in common.
struct Set {
  std::string title;  ///< what all points of it have in common; may be empty
  std::vector<std::string> sides;
  std::vector<Pair> pairs;  ///< of all sides, each two once
};

/// What goes into a comparison.
struct Request {
  std::vector<std::string> sides;  ///< their names, in order
  std::vector<std::string> about;  ///< what each is, where its name does not say it
  /// Side of a case of a run, by position; empty: of none.
  std::function<std::optional<std::size_t>(std::size_t run, const CaseRecord&)> side_of;
  /// Takes out of a key what may differ.
  std::function<void(CaseKey&)> blank;
  std::string criterion;            ///< of `--by`; empty where two sides were named
  std::vector<std::string> across;  ///< fields (fields.hpp) of the method that may differ
  /// Cases with unlike texts are not held against each other; the text is the title of their set.
  std::function<std::string(std::size_t run, const CaseKey& blanked)> set_of;
  Options options;
};

struct Comparison {
  std::vector<Set> sets;           ///< in the order of their first case; those without a common point are left out
  std::vector<std::string> notes;  ///< what a reader should know
};

/// Only cases that are ok count. Throws UsageError, naming two runs, the fields in which they differ and what each
/// says, where runs with a set in common were measured in different ways, and where no two sides have a point in
/// common.
[[nodiscard]] Comparison compare(const std::vector<Run>&, const Request&);

}  // namespace busbar::compare
