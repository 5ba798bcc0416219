// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "reports/document/overview.hpp"
#include "reports/sections/material.hpp"

/// Makes the first screen from what each kind of result contributes: one file in reports/sections/highlights/.
namespace busbar::report {

/// Which verdict opens the page: the last of these that there is.
enum class Weight {
  none,
  result,      ///< figures of the runs; two such verdicts share a sentence
  comparison,  ///< sides compared with each other
  place,       ///< slow hosts, links or ranks
  quality,     ///< the figures cannot be used
  failure,     ///< wrong data, a run that did not finish
};

/// The contribution of one kind of result.
struct Highlight {
  Weight weight = Weight::none;
  std::string verdict;  ///< a sentence without a full stop; empty: none
  Judgement judgement = Judgement::open;
  std::string doubt;               ///< a clause: why the judgement is doubtful, where no verdict says so
  std::vector<KeyFigure> figures;  ///< most important first
  std::vector<Remark> remarks;     ///< most important first
  MainChart chart;
  std::vector<std::string_view> rules;  ///< of `busbar explain` whose findings this says in its own words
};

struct HighlightSource {
  std::string_view name;
  Highlight (*find)(const Material&);
};

/// Sets value and unit: "281", "ns".
void set_time(KeyFigure&, std::optional<double> seconds);

/// What disturbed a case so much that its figure has no weight (grade D): "contention, width". Empty for any other.
[[nodiscard]] std::string disturbance_of(const Material&, const CaseRecord&);

/// Marks a figure whose case was disturbed.
void mark_disturbance(KeyFigure&, const std::string& disturbance);

inline constexpr std::size_t most_figures = 6, most_remarks = 3;

/// Figures and remarks are taken in the order of the sources, the verdict by weight. The overall judgement is that of
/// the verdict, or that of a source that casts doubt on the figures: the verdict then names the doubt.
[[nodiscard]] Overview make_overview(const Material&);

}  // namespace busbar::report
