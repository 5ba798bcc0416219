// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/ranks/launcher.hpp"
#include "core/record/fwd.hpp"

/// The table that busbar-bench prints while it runs and `busbar show` prints again: one text per record, each ending in
/// a newline, nothing but ASCII, no colour.
namespace busbar {

/// What ran where, how it was timed, and what the units are; lines start with "#". `wrap`: breaks long ones for a
/// terminal; tools that search want one line each.
[[nodiscard]] std::string table_head(const RunRecord&, bool wrap = false);

/// Columns that not every table has.
struct TableColumns {
  bool choice = false;  ///< what the library chose
  bool within = false;  ///< the interval of the launch alone, beside the one for later launches
  bool narrow = false;  ///< for 80 columns: without the number of elements and the share that was checked

  /// These, and what this case has a value for.
  [[nodiscard]] TableColumns with(const CaseRecord&) const;
  friend bool operator==(const TableColumns&, const TableColumns&) = default;
};

/// Which ranks' time counts, by a method's rule: "the slowest rank of each", "mean over ranks", "of rank 0".
[[nodiscard]] std::string ranks_of_time(const Method&);

/// A line that names the series and the line of column names; printed when table_series() or the columns change.
[[nodiscard]] std::string table_columns(const CaseRecord&, TableColumns);

/// Which block of the table a case belongs to: cases that differ in size only share it.
[[nodiscard]] std::string table_series(const CaseRecord&);

/// The row of one case, with the letters of its notes (NoteList); for a skipped or failed one its size and its reason.
[[nodiscard]] std::string table_row(const CaseRecord&, TableColumns);

/// What a person should know of a case, a short text each: its notes, and figures that are in no column.
[[nodiscard]] std::vector<std::string> table_remarks(const CaseRecord&);

/// How the run ended; lines start with "#"; `wrap` as in table_head().
[[nodiscard]] std::string table_foot(const EndRecord&, bool wrap = false);

/// All of it for a whole run, with the reader's notes.
[[nodiscard]] std::string table(const Run&, const std::optional<Terminal>& = std::nullopt);

}  // namespace busbar
