// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/grades/grade.hpp"
#include "core/ranks/launcher.hpp"
#include "core/record/fwd.hpp"

/// The table that busbar-bench prints during a run and `busbar show` prints later. Each text ends with a newline, and
/// is ASCII without colours.
namespace busbar {

/// Hosts, method and units; lines start with "#". `wrap` breaks long lines for a terminal; grep works better without.
[[nodiscard]] std::string table_head(const RunRecord&, bool wrap = false);

/// Optional columns.
struct TableColumns {
  bool choice = false;  ///< the library's choice
  bool groups = false;  ///< the slowest of several groups
  bool within = false;  ///< the interval of this launch, in addition to that for later launches
  bool narrow = false;  ///< for 80 columns: omits the number of elements and the checked share

  /// These columns, plus those for which this case has values.
  [[nodiscard]] TableColumns with(const CaseRecord&) const;
  friend bool operator==(const TableColumns&, const TableColumns&) = default;
};

/// The method's rule for combining ranks: "the slowest rank of each", "mean over ranks", "of rank 0".
[[nodiscard]] std::string ranks_of_time(const Method&);

/// Messages or accesses per second, of all pairs of ranks together; empty unless the case has a window.
[[nodiscard]] std::optional<double> messages_per_s(const CaseRecord&);

/// The series and the column names. Print them when table_series() or the columns change.
[[nodiscard]] std::string table_columns(const CaseRecord&, TableColumns);

/// Block of the table that a case belongs to. Cases that differ only in size share a block.
[[nodiscard]] std::string table_series(const CaseRecord&);

/// Row of one case, with its grade and the letters of its notes (NoteList). For a skipped or failed case: its size and
/// reason.
[[nodiscard]] std::string table_row(const CaseRecord&, TableColumns, const Grader&);

/// Notes and details of a case, as short texts.
[[nodiscard]] std::vector<std::string> table_remarks(const CaseRecord&);

/// How the run ended; lines start with "#". `wrap` as in table_head().
[[nodiscard]] std::string table_foot(const EndRecord&, bool wrap = false);

/// The complete table of a run, including the reader's notes.
[[nodiscard]] std::string table(const Run&, const std::optional<Terminal>& = std::nullopt);

}  // namespace busbar
