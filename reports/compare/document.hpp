// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/document/document.hpp"

/// A comparison as report blocks and JSON.
namespace busbar::compare {

/// A fact in which the environments of the sides differ.
struct Difference {
  std::string name;
  std::vector<std::string> values;  ///< one per side: the distinct values of its runs; "unknown" if none has one
};

/// All differences, most relevant first: method (where allowed to differ), machines, libraries, settings, and others.
/// Facts that no side knows or that are equal on all sides are left out.
[[nodiscard]] std::vector<Difference> differences(const std::vector<Run>&, const Request&);

/// Input of the report.
struct Told {
  const std::vector<Run>& runs;
  const Request& request;
  const Comparison& comparison;
  std::vector<Difference> differences;
};

/// The verdict of each set in a sentence. Two sides: at how many points one is slower or faster, by how much at the
/// median and at most; with a reference, so for each other side. More: how often each side is the fastest, and how
/// often beyond doubt.
[[nodiscard]] std::vector<std::string> verdict_sentences(const Told&);

/// How often a side has the best figure of all sides.
struct Win {
  std::string side;
  std::size_t points = 0;
  std::size_t proven = 0;  ///< better than each other side by its verdict
};

/// Over all sets, most points first; sides without any are left out.
[[nodiscard]] std::vector<Win> count_wins(const Told&);

/// The whole comparison in a sentence, points of all sets together: as verdict_sentences(). Empty without points.
[[nodiscard]] std::string overall_sentence(const Told&);

/// The launches that are left out because their figures do not belong to the others of their side, a sentence each.
[[nodiscard]] std::vector<std::string> outlying_sentences(const Told&);

/// What each side costs against the first, by size: the change of its figure in per cent, with the interval. A table
/// per series. For a comparison with a reference (Request::with_first).
[[nodiscard]] std::vector<report::Table> cost_tables(const Set&);

/// The range of these changes and the verdicts of each side in each set, a row per set.
[[nodiscard]] report::Table cost_overview(const Told&);

/// How many points are disturbed, why, and the command that measures both sides again; empty if none is.
[[nodiscard]] std::string measure_again(const Told&);

/// The verdict in a sentence, sides, method and warnings, then the environment differences.
[[nodiscard]] std::vector<report::Block> head_blocks(const Told&);

/// Results of a set: which sides are faster and by how much, as a matrix for more than two sides; with `points`, all
/// points.
[[nodiscard]] std::vector<report::Block> set_blocks(const Told&, const Set&, bool points);

/// A set as figures. Collectives: ratio of each pair of sides over size, with intervals and the margin. Trainings: one
/// bar per side, labelled with the difference in per cent. The tables contain all points.
[[nodiscard]] std::vector<report::Figure> figures_of(const Told&, const Set&);

[[nodiscard]] report::Document document(const Told&, bool points);

/// The whole comparison as JSON; docs/comparing.md lists the keys.
[[nodiscard]] nlohmann::json to_json(const Told&);

}  // namespace busbar::compare
