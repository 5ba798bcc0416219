// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "core/ranks/launcher.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "core/tables/case_notes.hpp"
#include "core/tables/case_table.hpp"

namespace busbar {

/// Rank 0's display during a run. Cases end in any order; a row becomes final when all rows above it are. A terminal
/// shows other measured rows below, as far as they fit, updates them in place, and ends with a progress line. Elsewhere
/// progress is printed every 10 s.
class Console {
 public:
  enum class Progress {
    none,
    line,   ///< one overwritten line, on any output
    lines,  ///< one line every 10 s
    live,   ///< rows updated in place on a terminal
  };
  /// `terminal`: of standard output. Rows change only with Progress::live; otherwise just its width is used.
  Console(Progress progress, std::optional<Terminal> terminal);
  ~Console() { erase(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void head(const RunRecord&);
  /// Sets the progress text; redrawn on a terminal at most ten times a second.
  void progress(const std::string& what);
  /// True if rows change in place; otherwise provisional() shows nothing.
  [[nodiscard]] bool is_live() const { return progress_ == Progress::live; }
  /// Shows the current state of unfinished cases.
  void provisional(std::span<const CaseRecord>);
  void row(const CaseRecord&);
  /// Prints lines below the rows so far.
  void print_text(const std::string& lines);
  /// Prints the remaining rows and how the run ended.
  void foot(const EndRecord&);
  /// Prints a line under the table, such as the path of the record.
  void note(const std::string& text);

 private:
  struct Known {
    CaseRecord record;  ///< without data that rows do not show
    bool ended;
  };
  void show(const CaseRecord&);
  void erase();
  void draw();
  [[nodiscard]] std::string live_rows() const;

  const Progress progress_;
  const bool wraps_;  ///< whether to wrap long lines: on a terminal
  const Terminal terminal_;
  std::string line_;                                ///< progress text
  int drawn_ = 0;                                   ///< lines below the final rows, including the progress line
  std::chrono::steady_clock::time_point shown_at_;  ///< when the progress line was last written
  int next_ = 0;                                    ///< index of the next final row
  std::map<int, Known> known_;                      ///< by index, from next_ on
  std::string series_;
  Grader grader_;
  TableColumns columns_;  ///< of the final rows; columns are added, never removed
  NoteList notes_;
};

}  // namespace busbar
