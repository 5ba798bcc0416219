// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"

/// What a person should know of the cases of a table: a letter in a case's row, one line per kind under the table.
namespace busbar {

/// The most important first.
enum class NoteKind {
  contended,     ///< ranks shared their CPUs
  late_rank,     ///< a rank starts late
  slow_rank,     ///< a rank computes longer than the others
  bimodal,       ///< rounds are fast or slow
  drift,         ///< from the first round to the last
  slow_start,    ///< of the first rounds
  slow_samples,  ///< at the start of a round
  correlated,    ///< successive rounds
  missed,        ///< windows
  grouped,       ///< several calls are one sample
};

struct CaseNote {
  NoteKind kind;
  std::string text;  ///< of this case: "waited 77 % of the time for a CPU"
};

/// Ordered by kind.
[[nodiscard]] std::vector<CaseNote> notes_of(const CaseRecord&);

/// Remarks of the record that are of no such kind: facts of this case.
[[nodiscard]] std::vector<std::string> other_remarks(const CaseRecord&);

/// Their letters: "cb". Empty: there are none.
[[nodiscard]] std::string marks_of(const CaseRecord&);

/// The notes of a table's cases, put together.
class NoteList {
 public:
  void add_case(const CaseRecord&);
  /// Lines that start with "#", at most 80 columns wide: letter, number of cases, what it means, the case that shows it
  /// most. Empty: there are no notes.
  [[nodiscard]] std::string text() const;

 private:
  struct Kind {
    int cases = 0;
    double most = -1;  ///< the first number in the text of the case that shows it most
    std::string example;
  };
  int cases_ = 0;
  std::map<NoteKind, Kind> kinds_;
};

}  // namespace busbar
