// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Splits logs from any launcher into lines and words.
namespace busbar {

/// A line without its launcher prefix. Views into the log.
struct LogLine {
  int number = 0;           ///< from 1
  std::string_view stream;  ///< the launcher's tag of the process: "[1,0]", "0"; empty: none
  std::string_view text;    ///< without the line end; truncated to 16 KiB
  bool whole = true;        ///< false: the log ends here without a newline, so the last word may be incomplete
};

/// Iterates over the lines of a log. Strips "[1,0]<stdout>:" (mpirun --tag-output), "Thu Jul 18 15:41:05 2024<stdout>:"
/// (its timestamps), "0: " (srun --label), "[0] " (mpiexec -prepend-rank), ISO timestamps (container logs) and carriage
/// returns.
class LogLines {
 public:
  explicit LogLines(std::string_view text) : rest_(text) {}
  /// The next line; empty at the end.
  std::optional<LogLine> next();

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// True if any line of a log satisfies the condition.
template <class Condition>
[[nodiscard]] bool any_line(std::string_view log, Condition condition) {
  LogLines lines(log);
  while (const auto line = lines.next())
    if (condition(*line)) return true;
  return false;
}

/// A word and the position of its end in the line.
struct Word {
  std::string_view text;
  std::size_t end = 0;
};

/// Splits a line at blanks and tabs.
[[nodiscard]] std::vector<Word> words(std::string_view line);

/// The first or last of them; empty for a blank line.
[[nodiscard]] std::string_view first_word(std::string_view line);
[[nodiscard]] std::string_view last_word(std::string_view line);

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

[[nodiscard]] constexpr bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <class Parts>
[[nodiscard]] bool holds_any(std::string_view text, const Parts& parts) {
  return std::ranges::any_of(parts, [text](std::string_view part) { return holds(text, part); });
}

/// True if `texts` has this one.
template <class Texts>
[[nodiscard]] bool is_one_of(const Texts& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

/// What stands behind the first `mark`; empty without one.
[[nodiscard]] std::string_view behind(std::string_view text, std::string_view mark);
/// What stands before the first `mark`; the whole text without one.
[[nodiscard]] inline std::string_view before(std::string_view text, std::string_view mark) {
  return text.substr(0, text.find(mark));
}

/// The last part of a path.
[[nodiscard]] inline std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

[[nodiscard]] std::string_view trimmed(std::string_view);

/// A line for quoting in messages: trimmed, printable ASCII only, at most 200 characters.
[[nodiscard]] std::string quotable(std::string_view line);

/// True for a type or operation name that a record accepts: 1 to 64 letters, digits and "_.:+-".
[[nodiscard]] bool is_name(std::string_view text);

/// Parses all of `text` as an integer; empty on failure.
[[nodiscard]] std::optional<long long> integer(std::string_view text);

/// The same for numbers that are not negative, and for those among them that fit an int.
[[nodiscard]] std::optional<std::uint64_t> natural_number(std::string_view text);
[[nodiscard]] std::optional<int> small_integer(std::string_view text);

/// A decimal number and its maximum rounding error: {0.64, 0.005} for "0.64".
struct Rounded {
  double value = 0;
  double half_unit = 0;
  [[nodiscard]] double low() const { return value - half_unit; }
  [[nodiscard]] double high() const { return value + half_unit; }
};

/// A value with this rounding error; empty if there is none.
[[nodiscard]] inline std::optional<Rounded> rounded_by(std::optional<double> value, double half_unit) {
  return value ? std::optional(Rounded{.value = *value, .half_unit = half_unit}) : std::nullopt;
}

/// True for a number printed with two decimals: "643.50".
[[nodiscard]] bool has_two_decimals(std::string_view text);

/// 0, or a magnitude between 1e-30 and 1e30: arithmetic on such values does not overflow.
[[nodiscard]] bool is_measurable(double value);

/// Parses all of `text` as a measurable number ("643.5", "1.2e+06"); empty on failure.
[[nodiscard]] std::optional<Rounded> rounded(std::string_view text);

}  // namespace busbar
