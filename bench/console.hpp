// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/record.hpp"

namespace busbar {

/// What rank 0 shows while a run goes on: the table row by row and, on a terminal, a line that says what is being done.
class Console {
 public:
  explicit Console(bool progress) : progress_(progress) {}
  ~Console() { clear(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void head(const RunRecord&);
  /// Case `number` (from 1) of `total` begins.
  void begin(int number, int total, const CaseKey&);
  void row(const CaseRecord&);
  void foot(const EndRecord&);
  /// A line under the table, such as where the record is.
  void note(const std::string& text);

 private:
  void clear();
  bool progress_;
  bool shown_ = false;
  std::string series_;
};

}  // namespace busbar
