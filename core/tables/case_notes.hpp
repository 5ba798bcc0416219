// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/grades/grade.hpp"
#include "core/record/fwd.hpp"

/// Notes on the cases of a table: letters in a case's row, and one line per kind under the table.
namespace busbar {

/// Most important first.
enum class NoteKind {
  contended,     ///< ranks shared their CPUs
  late_rank,     ///< a rank is late
  slow_rank,     ///< a rank computes longer than others
  bimodal,       ///< rounds are either fast or slow
  drift,         ///< over the rounds
  slow_start,    ///< the first rounds were slow
  slow_samples,  ///< the first samples of a round were slow
  correlated,    ///< successive rounds are correlated
  missed,        ///< samples missed their windows
  grouped,       ///< several calls form one sample
};

struct CaseNote {
  NoteKind kind;
  std::string text;  ///< specific to this case: "runnable but not running 77 % of the time"
};

/// Ordered by kind.
[[nodiscard]] std::vector<CaseNote> notes_of(const CaseRecord&);

/// Remarks of the record that belong to no kind.
[[nodiscard]] std::vector<std::string> other_remarks(const CaseRecord&);

/// Letters of a case's notes, e.g. "cb"; empty if there are none.
[[nodiscard]] std::string marks_of(const CaseRecord&);

/// Collects the notes and grades of a table's cases.
class NoteList {
 public:
  void add_case(const CaseRecord&, const Grader&);
  /// Lines that start with "#", at most 80 columns wide: letter, number of cases, meaning, and the case with the
  /// largest value; then the grades and what decides them. Empty without cases.
  [[nodiscard]] std::string text() const;

 private:
  struct Kind {
    int cases = 0;
    double most = -1;  ///< largest first number in a text, which selects the example
    std::string example;
  };
  int cases_ = 0;
  std::map<NoteKind, Kind> kinds_;
  GradeCounts grades_;
};

}  // namespace busbar
