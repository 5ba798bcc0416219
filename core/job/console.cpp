// SPDX-License-Identifier: Apache-2.0
#include "core/job/console.hpp"

#include <cstdio>
#include <sstream>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/record/method.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

using std::chrono::steady_clock;

constexpr auto between_lines = std::chrono::seconds(10);
constexpr auto between_redraws = std::chrono::milliseconds(100);  ///< nobody can read faster

void print(const std::string& text) {
  const std::string shown = printable_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
}

CaseRecord without_samples(CaseRecord record) {
  record.samples_s = {};
  record.rounds = {};
  return record;
}

/// The lines of `text`, cut to `columns`, so that none wraps.
std::vector<std::string> cut_lines(const std::string& text, int columns) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, static_cast<std::size_t>(columns)));
  return lines;
}

}  // namespace

Console::Console(Progress progress, std::optional<Terminal> terminal)
    : progress_(progress),
      wraps_(terminal.has_value()),
      terminal_(terminal.value_or(Terminal{})),
      shown_at_(steady_clock::now()),
      columns_{.narrow = terminal && terminal->is_narrow()} {}

/// Erases the provisional rows and the progress line.
void Console::erase() {
  if (drawn_ == 0) return;
  std::fputs("\r", stdout);
  if (drawn_ > 1) fmt::print("\x1b[{}A", drawn_ - 1);
  std::fputs("\x1b[J", stdout);
  drawn_ = 0;
}

/// Rows that may still change, with their headings.
std::string Console::live_rows() const {
  std::string text, series = series_;
  TableColumns columns = columns_;
  for (const auto& [index, one] : known_) columns = columns.with(one.record);
  for (const auto& [index, one] : known_) {
    if (table_series(one.record) != series || (columns != columns_ && text.empty()))
      text += table_columns(one.record, columns);
    series = table_series(one.record);
    text += table_row(one.record, columns, grader_);
  }
  return text;
}

void Console::draw() {
  if (is_live()) {
    auto lines = cut_lines(printable_lines(live_rows()), terminal_.columns);
    if (const auto most = static_cast<std::size_t>(terminal_.rows - 2); lines.size() > most) {
      const std::size_t left_out = lines.size() - most + 1;
      lines.resize(most - 1);
      lines.push_back(fmt::format("# ... and {}", plural(left_out, "line")));
    }
    for (const std::string& line : lines) fmt::print("{}\n", line);
    drawn_ += static_cast<int>(lines.size());
  }
  fmt::print("{}", printable(line_).substr(0, static_cast<std::size_t>(terminal_.columns - 1)));
  ++drawn_;
  std::fflush(stdout);
  shown_at_ = steady_clock::now();
}

void Console::head(const RunRecord& run) {
  erase();
  grader_ = Grader(run);
  columns_.within = run.method.launch_spread.has_value();  // or the first interval would change the head
  print(table_head(run, wraps_));
}

void Console::progress(const std::string& what) {
  line_ = what;
  if (progress_ == Progress::none) return;
  const auto since = steady_clock::now() - shown_at_;
  if (progress_ == Progress::lines) {
    if (since < between_lines) return;
    print(fmt::format("# {}\n", what));
    shown_at_ = steady_clock::now();
  } else if (drawn_ == 0 || since >= between_redraws) {
    erase();
    draw();
  }
}

void Console::provisional(std::span<const CaseRecord> records) {
  if (!is_live()) return;
  for (const CaseRecord& record : records)
    if (const auto known = known_.find(record.index); known == known_.end() || !known->second.ended)
      known_.insert_or_assign(record.index, Known{.record = without_samples(record), .ended = false});
  erase();
  draw();
}

void Console::row(const CaseRecord& record) {
  known_.insert_or_assign(record.index, Known{.record = without_samples(record), .ended = true});
  for (; !known_.empty() && known_.begin()->first == next_ && known_.begin()->second.ended; ++next_) {
    show(known_.begin()->second.record);
    known_.erase(known_.begin());
  }
}

void Console::show(const CaseRecord& record) {
  erase();
  const TableColumns columns = columns_.with(record);
  if (table_series(record) != series_ || columns != columns_) print(table_columns(record, columns));
  series_ = table_series(record);
  columns_ = columns;
  notes_.add_case(record, grader_);
  print(table_row(record, columns, grader_));
}

void Console::foot(const EndRecord& end) {
  for (const auto& [index, one] : known_)
    if (one.ended) show(one.record);
  known_.clear();
  erase();
  print(notes_.text() + table_foot(end, wraps_));
}

void Console::print_text(const std::string& lines) {
  erase();
  print(lines);
}

void Console::note(const std::string& text) {
  erase();
  print(fmt::format("# {}\n", text));
}

}  // namespace busbar
