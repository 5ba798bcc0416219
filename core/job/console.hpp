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

/// What rank 0 shows while a run goes on. Cases end in any order; a row stays when all rows above it do. On a terminal
/// the other rows stand below, as far as they are measured and as they fit, and change in place; the last line says
/// what is being done. Elsewhere a line every 10 s says so.
class Console {
 public:
  enum class Progress {
    none,
    line,   ///< one that is written over, whatever it goes to
    lines,  ///< one every 10 s
    live,   ///< of the terminal
  };
  /// `terminal`: of standard output, with Progress::live; otherwise its width counts alone.
  Console(Progress progress, std::optional<Terminal> terminal);
  ~Console() { erase(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void head(const RunRecord&);
  /// What is being done; on a terminal at most ten times a second.
  void progress(const std::string& what);
  /// Whether rows change in place: provisional() shows nothing otherwise.
  [[nodiscard]] bool is_live() const { return progress_ == Progress::live; }
  /// Cases as they stand, which go on.
  void provisional(std::span<const CaseRecord>);
  void row(const CaseRecord&);
  /// Lines under the rows so far.
  void text(const std::string& lines);
  /// Shows what is still held back, then how the run ended.
  void foot(const EndRecord&);
  /// A line under the table, such as where the record is.
  void note(const std::string& text);

 private:
  struct Known {
    CaseRecord record;  ///< without what no row shows
    bool ended;
  };
  void show(const CaseRecord&);
  void erase();
  void draw();
  [[nodiscard]] std::string live_rows() const;

  const Progress progress_;
  const bool wraps_;  ///< long lines: there is a terminal
  const Terminal terminal_;
  std::string line_;                                ///< what is being done
  int drawn_ = 0;                                   ///< lines below the rows that stay, with that one
  std::chrono::steady_clock::time_point shown_at_;  ///< when the line was last written
  int next_ = 0;                                    ///< index of the case whose row stays next
  std::map<int, Known> known_;                      ///< by index, from next_ on
  std::string series_;
  TableColumns columns_;  ///< of the rows so far; once there, a column stays
  NoteList notes_;
};

}  // namespace busbar
