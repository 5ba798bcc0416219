// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"

/// How far a measured figure can be trusted, from what its record says.
namespace busbar {

/// Best first.
enum class Grade {
  a,  ///< a later launch will give about this figure
  b,  ///< usable; a later launch may differ by up to 20 %
  c,  ///< doubtful: read its reasons
  d,  ///< disturbed or wrong: measure again. No verdict is based on it
};
[[nodiscard]] constexpr auto words_of(Grade) { return std::to_array<std::string_view>({"A", "B", "C", "D"}); }

enum class Doubt {
  check,
  contention,
  noise,
  no_interval,
  width,
  bimodal,
  drift,
  missed_windows,
  throttled,
  shared_gpu,
  settling,
  unusual_launch,
  one_launch,
  lab,
  simulated,
};
[[nodiscard]] constexpr auto words_of(Doubt) {
  return std::to_array<std::string_view>({"check", "contention", "noise", "no interval", "width", "bimodal", "drift",
                                          "missed windows", "throttled", "shared GPU", "settling", "unusual launch",
                                          "one launch", "lab", "simulated"});
}

/// Why a figure has no better grade.
struct GradeReason {
  Doubt doubt;
  Grade at_most = Grade::a;
  std::string text;  ///< "ranks were runnable but not running 53 % of the time"
};

/// Wider intervals lower the grade: half-width of the 95 % interval for later launches, or of the launch's own if there
/// is no other, relative to the time.
inline constexpr double widest_a = 0.05, widest_b = 0.20, widest_c = 0.50;

struct CaseGrade {
  Grade grade = Grade::a;
  std::vector<GradeReason> reasons;  ///< worst first; empty for A

  /// What decides the grade: "contention, width"; empty for A.
  [[nodiscard]] std::string doubts() const;
  /// Grade and doubts: "B: width, one launch".
  [[nodiscard]] std::string short_text() const;
  /// The reasons' texts, separated by "; ".
  [[nodiscard]] std::string text() const;
};

/// Grades the cases of one run. The grade is the lowest of all reasons; docs/method.md ("Grades") lists them with their
/// thresholds. Pure: reads nothing but the record.
class Grader {
 public:
  Grader() = default;
  /// `end`: nullptr during the run, or if it was killed; then settling and earlier launches do not count.
  explicit Grader(const RunRecord&, const EndRecord* end = nullptr);
  explicit Grader(const Run&);

  /// Empty if nothing was measured.
  [[nodiscard]] std::optional<CaseGrade> grade_case(const CaseRecord&) const;

 private:
  std::vector<GradeReason> of_run_;
  bool simulated_ = false;
};

/// Grades of a set of cases.
class GradeCounts {
 public:
  void add_case(const CaseGrade&);
  [[nodiscard]] int cases() const { return cases_; }
  [[nodiscard]] int count(Grade grade) const { return counts_[static_cast<std::size_t>(grade)]; }
  /// "9 B, 4 C, 1 D"
  [[nodiscard]] std::string text() const;
  /// What decides the grade, most frequent first: "bimodal (4), width (1)"; empty for A.
  [[nodiscard]] std::string doubts(Grade) const;

 private:
  int cases_ = 0;
  std::array<int, words_of(Grade{}).size()> counts_{};
  std::map<Grade, std::map<Doubt, int>> doubts_;
};

}  // namespace busbar
