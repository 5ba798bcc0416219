// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi/imb_log.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/import/abort_lines.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t width = 13;  ///< characters per column; wider numbers touch their neighbours
constexpr std::size_t most_words = 1000;
constexpr std::array failures{"out-of-mem."sv, "int-overflow;"sv, "int-overflow.;"sv, "time-out."sv};

/// The word after `mark`; empty if there is none.
std::string_view word_behind(std::string_view text, std::string_view mark) {
  text = trimmed(behind(text, mark));
  return text.substr(0, text.find_first_of(" \t,;)"));
}

/// Splits a row at blanks, or at fixed columns where numbers touch.
std::vector<std::string_view> imb_log_cells(std::string_view line, std::size_t columns) {
  std::vector<std::string_view> cells;
  for (const Word& word : words(line)) cells.push_back(word.text);
  if (cells.size() >= columns || line.size() != width * columns) return cells;
  cells.clear();
  for (std::size_t i = 0; i < columns; ++i) cells.push_back(trimmed(line.substr(i * width, width)));
  return cells;
}

/// Start of a failure message; npos if the line has none.
std::size_t failure_at(std::string_view line) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view word : failures) first = std::min(first, line.find(word));
  return first;
}

ImbProgram imb_log_titled(std::string_view line) {
  ImbProgram p;
  std::string_view version = word_behind(line, "Suite");
  if (version.empty()) version = word_behind(line, "Benchmarks");
  if (version.empty()) version = word_behind(line, "Benchmark");
  if (version.starts_with('V') || version.starts_with('v')) version.remove_prefix(1);
  if (!version.empty() && is_digit(version.front())) p.version = version;
  p.gpu = holds(line, "(GPU)");
  const std::size_t comma = line.find(',');
  if (comma != std::string_view::npos) p.part = trimmed(line.substr(comma + 1, line.find(" part") - comma - 1));
  return p;
}

/// False if a value is not printed as IMB prints it, or the mean is not between the smallest and the largest.
bool is_imb_row(const ImbTable& table, const ImbRow& row) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool exact = table.columns[i].ends_with("[usec]") || table.columns[i] == "Mbytes/sec";
    if (exact && !has_two_decimals(row.cells[i])) return false;
  }
  return may_be_mean(rounded(table.cell(row, "t_min[usec]")), rounded(table.cell(row, "t_avg[usec]")),
                     rounded(table.cell(row, "t_max[usec]")));
}

/// Moves rows to `torn_lines` that IMB did not print so: numbers with other decimals or outside their columns.
void drop_odd_imb_rows(ImbProgram& p, ImbTable& table) {
  std::vector<std::vector<Span>> places;
  for (const ImbRow& row : table.rows) places.push_back(row.failure.empty() ? row.places : std::vector<Span>{});
  std::vector<bool> odd = misaligned_rows(std::move(places), table.header);
  for (std::size_t i = 0; i < odd.size(); ++i) {
    odd[i] = table.rows[i].failure.empty() && (odd[i] || !is_imb_row(table, table.rows[i]));
    if (odd[i]) p.torn_lines.push_back(table.rows[i].line);
  }
  erase_marked(table.rows, odd);
}

/// Assigns each line to the program and table above it.
class ImbLogReader {
 public:
  std::vector<ImbProgram> read(std::string_view text) {
    LogLines lines(text);
    while (const auto line = lines.next()) read_line(*line);
    for (ImbProgram& p : programs_)
      for (ImbTable& table : p.tables) drop_odd_imb_rows(p, table);
    return std::move(programs_);
  }

 private:
  ImbProgram& program() { return programs_.empty() ? programs_.emplace_back() : programs_.back(); }

  void begin_program(ImbProgram p) {
    programs_.push_back(std::move(p));
    next_ = {};
    open_ = told_ = named_ = false;
  }

  void read_line(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    if (is_imb_title(text)) {
      ImbProgram titled = imb_log_titled(text);
      titled.line = line.number;
      begin_program(std::move(titled));
    } else if (auto columns = imb_columns(text); !columns.empty()) {
      next_.columns = std::move(columns);
      next_.header = spans_of(line.text);
      if (!named_) next_.benchmark = {}, next_.processes = 0;  // of a table whose head is lost
      program().tables.push_back(next_);
      open_ = true;
      named_ = false;
    } else if (text.starts_with('#')) {
      read_comment(text);
    } else if (open_ && !text.empty() && is_digit(text.front())) {
      add_row(line);
    } else {
      read_other_line(text);
    }
  }

  /// True for a line of another program, whose title is lost.
  bool begins_untitled(std::string_view said) const {
    if (programs_.empty()) return false;
    const ImbProgram& p = programs_.back();
    return (p.finished && said.starts_with("Benchmarking ")) ||
           (!p.tables.empty() && said.starts_with("Calling sequence was:"));
  }

  /// Lines about the next table or about the program.
  void read_comment(std::string_view text) {
    const std::string_view said = trimmed(text.substr(1));
    if (begins_untitled(said)) begin_program({});
    if (const auto name = word_behind(said, "Benchmarking "); said.starts_with("Benchmarking ")) {
      next_ = {.benchmark = name.starts_with("Multi-") ? name.substr(6) : name};
      open_ = false;
      named_ = true;
    } else if (said.starts_with("#processes = ")) {
      next_.processes = small_integer(trimmed(said.substr(said.find('=') + 1)));
    } else if (said.starts_with("( ")) {
      read_groups(said);
    } else if (said.starts_with("MODE: ")) {
      next_.mode = trimmed(said.substr(6));
      named_ = true;
    } else if (said.starts_with("All processes entering MPI_Finalize")) {
      program().finished = true;
    } else if (!programs_.empty()) {
      read_about_program(programs_.back(), said);
    }
  }

  /// Parses "( 2 groups of 2 processes each running simultaneous )" and "( 2 additional processes waiting in
  /// MPI_Barrier)".
  void read_groups(std::string_view said) {
    const auto number = small_integer(word_behind(said, "( "));
    if (holds(said, " additional process")) {
      next_.waiting = number.value_or(0);
    } else if (holds(said, " groups of ")) {
      next_.groups = number;
      next_.processes = small_integer(word_behind(said, " groups of "));
    }
  }

  void read_about_program(ImbProgram& p, std::string_view said) {
    constexpr std::array about{"Date "sv, "Machine "sv, "System "sv, "Release "sv, "Version "sv, "MPI Version "sv};
    if (said.starts_with("Calling sequence was:")) {
      told_ = true;
    } else if (holds(said, " lengths were user defined") || said.starts_with("Minimum message length")) {
      told_ = false;  // for logs that lost their blank lines
    } else if (told_) {
      for (const Word& word : words(said))
        if (p.argv.size() < most_words) p.argv.emplace_back(word.text);
    } else if (p.told.size() < about.size() &&
               std::ranges::any_of(about, [said](std::string_view a) { return said.starts_with(a); })) {
      p.told.push_back(said);
    }
  }

  void add_row(const LogLine& line) {
    ImbProgram& p = program();
    ImbTable& table = p.tables.back();
    const std::size_t failed = failure_at(line.text);
    ImbRow row{.line = line.number, .cells = {}, .failure = {}};
    if (failed != std::string_view::npos) {
      row.failure = trimmed(line.text.substr(failed));
      for (const Word& word : words(line.text.substr(0, failed))) row.cells.push_back(word.text);
    } else {
      row.cells = imb_log_cells(line.text, table.columns.size());
    }
    const bool fits = failed != std::string_view::npos ? row.cells.size() < table.columns.size()
                                                       : row.cells.size() == table.columns.size();
    const bool may_go_on = failed == std::string_view::npos && !line.whole && !has_two_decimals(row.cells.back());
    row.places = spans_of(line.text);
    if (fits && !may_go_on)
      table.rows.push_back(std::move(row));
    else
      p.torn_lines.push_back(line.number);
  }

  void read_other_line(std::string_view text) {
    if (programs_.empty()) return;
    ImbProgram& p = programs_.back();
    if (text.empty()) {
      if (!p.argv.empty()) told_ = false;  // the command line ends at a blank line, but may also follow one
      return;
    }
    if (is_abort_line(text) && !p.abort) p.abort = quotable(text);
    if (!p.exit_code) p.exit_code = exit_code_of(text);
  }

  std::vector<ImbProgram> programs_;
  ImbTable next_ = {};  ///< header of the next table
  bool open_ = false;   ///< rows may follow
  bool named_ = false;  ///< the next table has a head of its own
  bool told_ = false;   ///< the command line follows
};

}  // namespace

std::string_view ImbTable::cell(const ImbRow& row, std::string_view column) const {
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    if (columns[i] == column) return row.cells[i];
  return {};
}

std::vector<std::string> imb_columns(std::string_view line) {
  constexpr std::size_t most = 32;
  if (!holds(line, "#repetitions")) return {};
  std::vector<std::string> columns;
  for (const Word& word : words(line)) columns.emplace_back(word.text);
  const bool timed = holds(line, "[usec]") || holds(line, "Mbytes/sec");
  return timed && columns.size() <= most ? columns : std::vector<std::string>{};
}

bool is_imb_title(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return false;
  const std::string_view said = trimmed(line.substr(1));
  return said.starts_with("Intel") && holds(said, "MPI Benchmark");
}

std::vector<ImbProgram> read_imb_log(std::string_view text) { return ImbLogReader{}.read(text); }

}  // namespace busbar
