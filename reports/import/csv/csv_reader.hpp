// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Tables of comma-separated values: RFC 4180, with lines that start with "#" as comments.
namespace busbar {

struct CsvRow {
  int line = 0;  ///< on which it begins, from 1
  std::vector<std::string> cells;
};

/// The rows of a text one by one, the header among them. Cells without quotes are trimmed of blanks; blank lines are
/// skipped. A quote that is never closed ends with its line.
class CsvReader {
 public:
  CsvReader(std::string_view text, char delimiter);
  /// The next row; nothing behind the last.
  std::optional<CsvRow> next();
  /// Comments that were passed so far, without "#", trimmed; empty ones left out.
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

/// Which of comma, semicolon and tab the first row is divided by; nothing where there is none of them.
[[nodiscard]] std::optional<char> csv_delimiter(std::string_view text);

}  // namespace busbar
