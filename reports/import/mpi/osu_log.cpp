// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi/osu_log.hpp"

#include <algorithm>
#include <array>

#include "core/base/words.hpp"
#include "reports/import/abort_lines.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

std::string squeezed_title(std::string_view text) { return lower_case(text, " "); }

/// Splits at tabs and runs of two or more blanks: column names contain single blanks.
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> all;
  for (text = trimmed(text); !text.empty();) {
    const std::size_t end = std::min({text.find("  "), text.find('\t'), text.size()});
    all.push_back(text.substr(0, end));
    text = trimmed(text.substr(end));
  }
  return all;
}

/// Where the parts of a header stand.
std::vector<Span> places_of_parts(std::string_view line) {
  std::vector<Span> all;
  for (const std::string_view part : parts(line)) {
    const auto begin = static_cast<std::size_t>(part.data() - line.data());
    all.push_back({.begin = begin, .end = begin + part.size()});
  }
  return all;
}

std::string_view unhashed(std::string_view line) {
  line = trimmed(line);
  return trimmed(line.starts_with('#') ? line.substr(1) : line);
}

/// Text between two marks; empty if the first is absent.
std::string_view between(std::string_view text, std::string_view first, std::string_view second) {
  return trimmed(before(behind(text, first), second));
}

OsuProgram osu_log_titled(const LogLine& line) {
  std::vector<Word> all = words(unhashed(line.text));
  OsuProgram p;
  p.line = line.number;
  const std::string_view library = all[1].text;
  const std::size_t dash = std::min(library.find('-'), library.size());
  p.library = library.substr(0, dash);
  p.accelerator = library.substr(std::min(dash + 1, library.size()));
  std::size_t first = 2;
  if (all.size() > first && all[first].text == "MANAGED") p.accelerator += " MANAGED", ++first;
  if (all.back().text.size() > 1 && all.back().text[0] == 'v' && is_digit(all.back().text[1])) {
    p.version = all.back().text.substr(1);
    all.pop_back();
  }
  for (std::size_t i = first; i < all.size() && all[i].text != "Test"; ++i)
    p.benchmark += (p.benchmark.empty() ? "" : " ") + std::string(all[i].text);
  return p;
}

/// False if a value is not printed as OSU prints it, or the mean is not between the smallest and the largest.
bool is_osu_row(const OsuTable& table, const OsuRow& row) {
  constexpr std::array others{"iterations"sv, "validation"sv, "transmitsize"sv};
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (!is_one_of(others, table.columns[i]) && !has_two_decimals(row.values[i])) return false;
  return may_be_mean(rounded(table.cell(row, "minlatency(us)")), rounded(table.cell(row, "avglatency(us)")),
                     rounded(table.cell(row, "maxlatency(us)")));
}

/// Moves rows to `torn_lines` that OSU did not print so: numbers with other decimals or outside their columns, sizes
/// that do not grow.
void drop_odd_osu_rows(OsuProgram& p, OsuTable& table) {
  std::vector<std::vector<Span>> places;
  for (const OsuRow& row : table.rows) places.push_back(row.places);
  const bool sized = std::ranges::any_of(table.rows, [](const OsuRow& row) { return row.size.has_value(); });
  std::vector<bool> odd = misaligned_rows(std::move(places), table.header, sized);
  std::optional<std::uint64_t> last;
  for (std::size_t i = 0; i < odd.size(); ++i) {
    const OsuRow& row = table.rows[i];
    odd[i] = odd[i] || !is_osu_row(table, row) || (row.size && last && *row.size <= *last);
    if (odd[i])
      p.torn_lines.push_back(row.line);
    else
      last = row.size;
  }
  erase_marked(table.rows, odd);
}

/// Assigns each line to the program above it.
class OsuLogReader {
 public:
  std::vector<OsuProgram> read(std::string_view text) {
    LogLines lines(text);
    while (const auto line = lines.next()) {
      if (is_osu_title(line->text))
        programs_.push_back(osu_log_titled(*line)), type_ = {}, open_ = typed_ = false;
      else if (!programs_.empty())
        read_line(programs_.back(), *line);
    }
    for (OsuProgram& p : programs_)
      for (OsuTable& table : p.tables) drop_odd_osu_rows(p, table);
    return std::move(programs_);
  }

 private:
  void read_line(OsuProgram& p, const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    if (auto columns = osu_columns(text); !columns.empty()) {
      begin_table(p, std::move(columns));
      p.tables.back().header = places_of_parts(line.text);
    } else if (text.starts_with('#'))
      read_comment(p, text);
    else if (open_ && !text.empty() && is_digit(text.front()))
      add_row(p, line);
    else
      read_other_line(p, text);
  }

  /// A program prints one table, or one per datatype. Any other is of a program whose title is lost.
  void begin_table(OsuProgram& p, std::vector<std::string> columns) {
    has_size_ = columns.front() == "size";
    if (has_size_) columns.erase(columns.begin());
    titled_ = p.tables.empty() || (typed_ && columns == p.tables.front().columns);
    p.tables.push_back({.type = type_, .columns = std::move(columns), .rows = {}});
    open_ = true;
    typed_ = false;
  }

  void read_comment(OsuProgram& p, std::string_view text) {
    if (const auto type = between(text, "Datatype: ", "."); !type.empty() && text.ends_with('.')) {
      const bool known = std::ranges::find(p.tables, type, &OsuTable::type) != p.tables.end();
      type_ = type;
      typed_ = !known;
      if (!p.tables.empty() && p.tables.back().rows.empty()) {
        p.tables.back().type = type;  // release 7.2 prints it below the column names
        titled_ = titled_ || (typed_ && p.tables.back().columns == p.tables.front().columns);
      }
    }
    if (holds(text, "Send Buffer on")) p.buffers = unhashed(text);
    if (const auto pairs = between(text, "[ pairs: ", "]"); !pairs.empty() && p.tables.empty())
      p.pairs = small_integer(pairs);
    if (const auto window = between(text, "[ window size: ", "]"); !window.empty()) p.window = window;
  }

  void add_row(OsuProgram& p, const LogLine& line) {
    OsuTable& table = p.tables.back();
    OsuRow row{.line = line.number, .size = std::nullopt, .values = {}};
    for (const Word& word : words(line.text)) row.values.push_back(word.text);
    const auto size = integer(row.values.front());
    const bool sized = !has_size_ || (size && *size >= 0);
    const std::string_view last = row.values.back();
    const bool may_go_on = !line.whole && !has_two_decimals(last) && last != "Pass" && last != "Fail";
    if (!titled_ || !sized || may_go_on || row.values.size() != table.columns.size() + (has_size_ ? 1 : 0)) {
      p.torn_lines.push_back(line.number);
      return;
    }
    row.places = spans_of(line.text);
    if (has_size_) {
      row.size = static_cast<std::uint64_t>(*size);
      row.values.erase(row.values.begin());
    }
    table.rows.push_back(std::move(row));
  }

  static void read_other_line(OsuProgram& p, std::string_view text) {
    if (text.starts_with("DATA VALIDATION ERROR") && !p.wrong_data) p.wrong_data = quotable(text);
    if (is_abort_line(text) && !p.abort) p.abort = quotable(text);
    if (!p.exit_code) p.exit_code = exit_code_of(text);
  }

  std::vector<OsuProgram> programs_;
  std::string_view type_;
  bool open_ = false;      ///< rows may follow
  bool titled_ = true;     ///< the current table belongs to the current program
  bool typed_ = false;     ///< another datatype was printed since the last table began
  bool has_size_ = false;  ///< rows start with a size
};

}  // namespace

std::string_view OsuTable::cell(const OsuRow& row, std::string_view column) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i] == column) return row.values[i];
  return {};
}

std::vector<std::string> osu_columns(std::string_view line) {
  const std::vector<std::string_view> names = parts(unhashed(line));
  if (names.empty() || is_digit(names.front().front())) return {};
  std::vector<std::string> columns;
  for (const std::string_view name : names) columns.push_back(squeezed_title(name));
  const std::size_t first = columns.front() == "size" ? 1 : 0;
  constexpr std::size_t most = 64;
  constexpr std::array values{"avglatency(us)"sv, "latency(us)"sv, "bandwidth(mb/s)"sv, "mb/s"sv, "overall(us)"sv};
  const bool table = columns.size() > first && columns.size() <= most && is_one_of(values, columns[first]);
  return table ? columns : std::vector<std::string>{};
}

bool is_osu_title(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("# OSU ")) return false;
  const std::vector<Word> all = words(line);
  return all.size() >= 4 && std::ranges::find(all, "Test"sv, &Word::text) != all.end();
}

std::vector<OsuProgram> read_osu_log(std::string_view text) { return OsuLogReader{}.read(text); }

}  // namespace busbar
