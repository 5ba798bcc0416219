// SPDX-License-Identifier: Apache-2.0
#include "bench/console.hpp"

#include <cstdio>

#include <fmt/core.h>

#include "core/case_table.hpp"
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

void Console::begin(int number, int total, const CaseKey& key) {
  if (!progress_) return;
  clear();
  print(fmt::format("[{}/{}] {} {}", number, total, key.collective, format_size(key.bytes)));
  shown_ = true;
}

void Console::row(const CaseRecord& record) {
  clear();
  if (table_series(record) != series_) print(table_columns(record));
  series_ = table_series(record);
  print(table_row(record));
}

void Console::foot(const EndRecord& end) {
  clear();
  print(table_foot(end));
}

void Console::note(const std::string& text) {
  clear();
  print(fmt::format("# {}\n", text));
}

}  // namespace busbar
