// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Lines and words of logs, whatever launcher wrote them.
namespace busbar {

/// A line without what a launcher put before it. Views into the log.
struct LogLine {
  int number = 0;           ///< from 1
  std::string_view stream;  ///< the launcher's mark of the process: "[1,0]", "0"; empty where there is none
  std::string_view text;    ///< no line end; the first 16 KiB of a longer line
  bool whole = true;        ///< false: the log ends in it, without a line end, so that its last word may go on
};

/// The lines of a log one by one. Taken off: "[1,0]<stdout>:" (mpirun --tag-output), "Thu Jul 18 15:41:05
/// 2024<stdout>:" (its timestamps), "0: " (srun --label), "[0] " (mpiexec -prepend-rank), an ISO time stamp (container
/// logs), carriage returns.
class LogLines {
 public:
  explicit LogLines(std::string_view text) : rest_(text) {}
  /// The next line; nothing behind the last.
  std::optional<LogLine> next();

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// A word and where in its line it ends.
struct Word {
  std::string_view text;
  std::size_t end = 0;
};

/// Words between blanks.
[[nodiscard]] std::vector<Word> words(std::string_view line);

[[nodiscard]] std::string_view trimmed(std::string_view);

/// What a line says, fit to be quoted in a message: trimmed, printable characters only, at most 200 of them.
[[nodiscard]] std::string quotable(std::string_view line);

/// True for what a record takes as the name of a type or an operation: letters, digits and "_.:+-", at least one.
[[nodiscard]] bool is_name(std::string_view text);

/// The whole of `text` as a number, or nothing.
[[nodiscard]] std::optional<long long> integer(std::string_view text);

/// The same for a count that an int holds; nothing below 0.
[[nodiscard]] std::optional<int> small_integer(std::string_view text);

/// A decimal number and how far rounding may have moved it: {0.64, 0.005} for "0.64".
struct Rounded {
  double value = 0;
  double half_unit = 0;
  [[nodiscard]] double low() const { return value - half_unit; }
  [[nodiscard]] double high() const { return value + half_unit; }
};

/// True for what is printed with two decimals: "643.50".
[[nodiscard]] bool has_two_decimals(std::string_view text);

/// 0, or of a size that something measured can have, in whatever unit: what is computed of such does not overflow.
[[nodiscard]] bool is_measurable(double value);

/// The whole of `text` as such a number ("643.5", "1.2e+06"), or nothing.
[[nodiscard]] std::optional<Rounded> rounded(std::string_view text);

}  // namespace busbar
