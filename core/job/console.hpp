// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <map>
#include <string>

#include "core/case_table.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// What rank 0 shows while a run goes on: the table row by row and, on a terminal, a line that says what is being done.
/// Cases end in any order; a row is shown when all rows above it are.
class Console {
 public:
  explicit Console(bool progress) : progress_(progress) {}
  ~Console() { clear(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void head(const RunRecord&);
  /// What is being done, on a terminal; at most ten times a second.
  void progress(const std::string& what);
  void row(const CaseRecord&);
  /// Lines under the rows so far.
  void text(const std::string& lines);
  /// Shows what is still held back, then how the run ended.
  void foot(const EndRecord&);
  /// A line under the table, such as where the record is.
  void note(const std::string& text);

 private:
  void show(const CaseRecord&);
  void clear();
  bool progress_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point shown_at_;  ///< when the line was last written
  int next_ = 0;                                    ///< index of the case whose row comes next
  std::map<int, CaseRecord> held_;
  std::string series_;
  TableColumns columns_;  ///< of the rows so far; once there, a column stays
};

}  // namespace busbar
