// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/grades/grade.hpp"
#include "core/record/case_key.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/point.hpp"
#include "reports/virtualisation/study.hpp"

/// Figures of the launches of a study's sides, and the parts of a study that are made from them.
namespace busbar::virtualisation {

/// The figure of a run; empty: it has none.
using FigureOfRun = std::function<std::optional<LaunchFigure>(const Run&)>;

/// The launches of the comparison, as all parts of a study need them.
class Gathered {
 public:
  explicit Gathered(const compare::Told&);

  [[nodiscard]] const compare::Told& told() const { return told_; }
  [[nodiscard]] const Run& run(std::size_t index) const;
  [[nodiscard]] const compare::PlaceOfLaunch& place(std::size_t run) const { return places_[run]; }
  [[nodiscard]] std::optional<CaseGrade> grade_case(std::size_t run, const CaseRecord&) const;

  /// The key without what may differ between sides; empty if the case was not measured or is of another side.
  [[nodiscard]] std::optional<CaseKey> key_on(const Side&, std::size_t run, const CaseRecord&) const;

  /// As measured: costs are not corrected for the pace of the CPUs.
  [[nodiscard]] compare::ComparisonOptions options() const;

  /// The point of any figures, sorted by start; empty if a side has none.
  [[nodiscard]] std::optional<compare::ComparedCase> point(std::array<std::vector<compare::FigureOfLaunch>, 2> sides,
                                                           const compare::Quantity&) const;
  /// The figures of a side's runs that have one.
  [[nodiscard]] std::vector<compare::FigureOfLaunch> figures(const Side&, const FigureOfRun&) const;

 private:
  const compare::Told& told_;
  std::vector<compare::PlaceOfLaunch> places_;
  std::vector<Grader> graders_;
};

/// Sets the verdicts of these points, corrected for all of them (compare::set_verdicts()).
void set_verdicts(std::span<compare::ComparedCase* const>, const compare::ComparisonOptions&);

/// The points of the comparison between the sides of a study, turned so that the reference is side a.
[[nodiscard]] std::vector<compare::ComparedCase> points_of(const compare::Told&, const Study&);

inline constexpr std::uint64_t largest_small = 1024;     ///< bytes; times up to it are latencies
inline constexpr std::uint64_t least_large = 64 * 1024;  ///< bytes; large sizes are above it,
inline constexpr std::uint64_t large_within = 8;         ///< and at least the largest size over this

/// Sets overall, messages and curves. The figure of a launch for several sizes (or collectives) is the geometric mean
/// over those that all its launches have, so that the interval is between launches.
void add_messages(Study&, const Gathered&);

/// Sets trainings and steps, from the cases that both sides have.
void add_trainings(Study&, const Gathered&);

/// Sets facts: stolen time, OS noise, clocks, smallest latencies.
void add_facts(Study&, const Gathered&);

}  // namespace busbar::virtualisation
