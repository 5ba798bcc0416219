// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Comma-separated values: RFC 4180, plus comment lines that start with "#".
namespace busbar {

struct CsvRow {
  int line = 0;  ///< first line of the row, from 1
  std::vector<std::string> cells;
};

/// Iterates over the rows of a text, including the header. Unquoted cells are trimmed; blank lines are skipped. An
/// unclosed quote ends with its line.
class CsvReader {
 public:
  CsvReader(std::string_view text, char delimiter);
  /// The next row; empty at the end.
  std::optional<CsvRow> next();
  /// Comments read so far, trimmed and without "#"; empty ones are left out.
  [[nodiscard]] const std::vector<std::string>& comments() const { return comments_; }

 private:
  bool skip_to_row();
  std::string cell();
  std::string quoted();
  void pass(std::size_t n);

  std::string_view rest_;
  char delimiter_;
  int line_ = 1;
  std::vector<std::string> comments_;
};

/// The delimiter (comma, semicolon or tab) of the first row; empty if it contains none.
[[nodiscard]] std::optional<char> csv_delimiter(std::string_view text);

}  // namespace busbar
