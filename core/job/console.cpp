// SPDX-License-Identifier: Apache-2.0
#include "core/job/console.hpp"

#include <cstdio>

#include <fmt/core.h>

#include "core/units.hpp"

namespace busbar {
namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

void Console::clear() {
  if (shown_) print("\r\x1b[K");
  shown_ = false;
}

void Console::head(const RunRecord& run) { print(table_head(run)); }

void Console::progress(const std::string& what) {
  const auto now = std::chrono::steady_clock::now();
  if (!progress_ || (shown_ && now - shown_at_ < std::chrono::milliseconds(100))) return;  // nobody can read faster
  clear();
  print(what);
  shown_ = true;
  shown_at_ = now;
}

void Console::row(const CaseRecord& record) {
  CaseRecord light = record;  // without what no row shows
  light.samples_s = {};
  light.rounds = {};
  held_.emplace(record.index, std::move(light));
  for (; !held_.empty() && held_.begin()->first == next_; ++next_) {
    show(held_.begin()->second);
    held_.erase(held_.begin());
  }
}

void Console::show(const CaseRecord& record) {
  clear();
  const TableColumns columns = columns_.with(record);
  if (table_series(record) != series_ || columns != columns_) print(table_columns(record, columns));
  series_ = table_series(record);
  columns_ = columns;
  print(table_row(record, columns));
}

void Console::foot(const EndRecord& end) {
  for (const auto& [index, record] : held_) show(record);
  held_.clear();
  clear();
  print(table_foot(end));
}

void Console::text(const std::string& lines) {
  clear();
  print(lines);
}

void Console::note(const std::string& text) {
  clear();
  print(fmt::format("# {}\n", text));
}

}  // namespace busbar
