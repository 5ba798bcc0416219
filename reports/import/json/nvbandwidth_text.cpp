// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/abort_lines.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/nvbandwidth_run.hpp"
#include "reports/import/text_lines.hpp"

/// What nvbandwidth prints without -j (output.cpp and inline_common.h of NVIDIA/nvbandwidth): "Running NAME.", then one
/// or three matrices, each with a description, a line of column labels and "SUM NAME VALUE".
namespace busbar {
namespace {

using namespace std::string_view_literals;

/// A matrix as printed.
struct PrintedMatrix {
  int line = 0;  ///< of its description
  std::string description;
  std::size_t columns = 0;  ///< labels above it; 0: none yet
  NvbandwidthMatrix rows = {};
  double total = 0, slack = 0;      ///< of the cells as printed, and its rounding error
  std::optional<Rounded> sum = {};  ///< as printed
  [[nodiscard]] bool confirmed() const { return !sum || std::abs(sum->value - total) <= slack + sum->half_unit + 1e-9; }
};

/// A test with its matrices.
struct PrintedTest {
  int line = 0;
  std::string name;
  std::vector<PrintedMatrix> matrices = {};
  std::string status = "Running";
  std::optional<std::string> error = {};
};

double sum_of_sums(const PrintedTest& t) {
  double all = 0;
  for (const PrintedMatrix& m : t.matrices) all += m.sum ? m.sum->value : m.total;
  return all;
}

/// True for the line above a matrix: "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)".
bool is_description(std::string_view line) {
  return (line.ends_with(" (GB/s)") || line.ends_with(" (ns)")) &&
         holds_any(line, std::array{"(row)"sv, "(column)"sv, " Gpus "sv});
}

std::string_view text_behind(std::string_view line, std::string_view start) {
  return line.starts_with(start) ? trimmed(line.substr(start.size())) : std::string_view{};
}

/// Parses "12080", and "13.2 (13020)" since 0.10.
std::optional<int> cuda_number(std::string_view text) {
  if (text.ends_with(')')) text = text.substr(text.rfind('(') + 1, text.size() - text.rfind('(') - 2);
  return small_integer(text);
}

/// Reads the output of one run: assigns each line to the test above it.
class NvbandwidthReader {
 public:
  void read(const LogLine& line) {
    whole_ = line.whole;
    if (const std::string_view said = trimmed(line.text); !said.empty()) read_line(line.number, said);
  }

  [[nodiscard]] bool has_tests() const { return !tests_.empty(); }

  /// The output that was read. To be called once, at the end.
  NvbandwidthOutput finish() {
    for (PrintedTest& t : tests_) {
      if (is_cut(t)) {
        add_note(out_.doubts, "{} (line {}) is left out: no sum ends its matrix, which may lack rows", t.name, t.line);
        out_.cut = fmt::format("{} (line {}) has no end", t.name, t.line);
        t.matrices.clear();
      }
      out_.tests.push_back(test_of(t));
    }
    if (waived_ > 0) add_note(out_.doubts, "{} waived that the log does not name; left out", plural(waived_, "test"));
    warn_of_torn_rows(out_.doubts, torn_);
    for (Host& host : out_.hosts) host.gpu_driver = driver_;
    return std::move(out_);
  }

 private:
  void read_line(int number, std::string_view line) {
    if (const auto name = text_behind(line, "Running "); name.ends_with('.')) {
      tests_.push_back({.line = number, .name = quotable(name.substr(0, name.size() - 1))});
      over_ = false;
    } else if (over_) {
      return;
    } else if (!tests_.empty() && line.starts_with("NOTE: The reported results")) {
      over_ = true;
    } else if (tests_.empty()) {
      read_about(line);
    } else if (is_description(line)) {
      tests_.back().matrices.push_back({.line = number, .description = quotable(line)});
    } else if (!read_outcome(number, line)) {
      read_row(number, line);
    }
  }

  void read_about(std::string_view line) {
    if (const auto text = text_behind(line, "nvbandwidth Version:"); !text.empty()) out_.version = quotable(text);
    if (const auto text = text_behind(line, "Built from Git version:"); !text.empty()) out_.revision = quotable(text);
    if (const auto text = text_behind(line, "CUDA Runtime Version:"); !text.empty()) out_.cuda = cuda_number(text);
    if (const auto text = text_behind(line, "Driver Version:"); !text.empty()) driver_ = quotable(text);
    if (line.starts_with("Device ") && holds(line, ": "))
      add_nvbandwidth_gpu(host_named(words(before_).size() == 1 ? before_ : ""), line);
    else if (line.starts_with("Process ") && holds(line, "): device "))
      read_process(line);
    else
      before_ = holds(line, ":") ? "" : line;
    if (line.starts_with("ERROR") || line.starts_with("[CUDA_ERROR") || is_abort_line(line)) keep_error(line);
  }

  /// Parses "Process  0 (host): device 0: NVIDIA GB200 (00000008:06:00)" of a build for several nodes.
  void read_process(std::string_view line) {
    const std::size_t open = line.find('('), close = line.find("): device ");
    if (open < close) add_nvbandwidth_gpu(host_named(line.substr(open + 1, close - open - 1)), line.substr(close + 2));
  }

  Host& host_named(std::string_view name) {
    const std::string host = name.empty() ? "unknown" : quotable(name);
    const auto known = std::ranges::find(out_.hosts, host, &Host::name);
    return known != out_.hosts.end() ? *known : out_.hosts.emplace_back(Host{.name = host});
  }

  void keep_error(std::string_view line) {
    if (!out_.error) out_.error = quotable(line);
  }

  /// True if what follows is of another test, which the log does not name.
  static bool is_over(const PrintedTest& test) { return !test.matrices.empty() || test.status != "Running"; }

  void read_error(PrintedTest& test, int number, std::string_view text) {
    if (is_over(test)) {
      add_note(out_.doubts, "line {}: an error that names no test: {}", number, quotable(text));
      keep_error(text);
    } else {
      test.status = "Error";
      test.error = quotable(text);
    }
  }

  /// Lines that end a matrix or a test. False for all other lines.
  bool read_outcome(int number, std::string_view line) {
    PrintedTest& test = tests_.back();
    const std::vector<Word> all = words(line);
    const bool sum = all.front().text == "SUM" && all.size() == 3;
    const bool perf = line.starts_with("&&&& PERF ") && all.size() >= 4;  // --perfFormatter
    if (sum || perf) {
      has_sums_ = true;
      const std::string_view value = all[sum ? 2 : 3].text;
      if (!test.matrices.empty())
        test.matrices.back().sum = rounded(value.substr(0, value.find_first_not_of("0123456789.e+-")));
      return true;
    }
    if (line.starts_with("Waived")) {
      is_over(test) ? void(++waived_) : void(test.status = "Waived");  // since 0.8, such a test is not named
      return true;
    }
    if (line.starts_with("Error:") || line.starts_with("ERROR:")) {
      read_error(test, number, trimmed(line.substr(6)));
      return true;
    }
    if (is_abort_line(line)) keep_error(line);
    return false;
  }

  void read_row(int number, std::string_view line) {
    PrintedTest& test = tests_.back();
    if (test.matrices.empty() || test.matrices.back().sum) return;
    PrintedMatrix& m = test.matrices.back();
    const std::vector<Word> all = words(line);
    if (m.columns == 0) {
      m.columns = all.size();
      return;
    }
    if (all.size() != m.columns + 1 || cells_ + m.columns > nvbandwidth_most_cells) {
      if (all.size() > 1 && integer(all.front().text)) torn_.push_back(number);
      return;
    }
    auto& row = m.rows.emplace_back();
    for (std::size_t i = 1; i < all.size(); ++i) {
      const auto value = has_two_decimals(all[i].text) ? rounded(all[i].text) : std::nullopt;
      if (!value && all[i].text != "N/A") torn_.push_back(number);
      row.push_back(value && value->value >= 0 ? std::optional(value->value) : std::nullopt);
      m.total += row.back().value_or(0);
      m.slack += value ? value->half_unit : 0;
    }
    cells_ += m.columns;
  }

  // Tests

  /// True if a matrix of the test may lack rows: no sum confirms it.
  [[nodiscard]] bool is_cut(const PrintedTest& t) const {
    const bool summed = std::ranges::all_of(t.matrices, [](const PrintedMatrix& m) { return m.sum.has_value(); });
    return !t.matrices.empty() && (has_sums_ ? !summed : !whole_ && &t == &tests_.back());
  }

  [[nodiscard]] NvbandwidthTest test_of(const PrintedTest& t) const {
    NvbandwidthTest test{.name = t.name, .status = t.status, .error = t.error};
    NvbandwidthMatrix stacked;
    for (const PrintedMatrix& m : t.matrices) stacked.insert(stacked.end(), m.rows.begin(), m.rows.end());
    if (!t.matrices.empty()) test.description = t.matrices.back().description;
    const std::size_t n = t.matrices.size();
    const bool confirmed = std::ranges::all_of(t.matrices, &PrintedMatrix::confirmed);
    const bool even = n == 3 && t.matrices[0].rows.size() == t.matrices[1].rows.size() &&
                      t.matrices[1].rows.size() == t.matrices[2].rows.size();
    add_nvbandwidth_cells(test, stacked, confirmed && (even || n <= 1) ? std::max<std::size_t>(n, 1) : 0);
    if (!confirmed) test.told_sum = sum_of_sums(t);
    if (!test.cells.empty() && test.status == "Running") test.status = "Passed";
    return test;
  }

  NvbandwidthOutput out_;
  std::vector<PrintedTest> tests_;
  std::vector<int> torn_;
  std::optional<std::string> driver_;
  std::string_view before_;  ///< the line before: the host's name stands above its devices
  std::size_t cells_ = 0;
  int waived_ = 0;         ///< tests that are not named
  bool has_sums_ = false;  ///< old releases print none
  bool over_ = false;      ///< its closing lines were printed
  bool whole_ = true;      ///< the last line has an end
};

bool recognises_nvbandwidth_text(std::string_view text) {
  bool running = false;
  LogLines lines(text);
  while (const auto line = lines.next()) {
    const std::string_view said = trimmed(line->text);
    if (said.starts_with("nvbandwidth Version:")) return true;
    if (running && is_description(said)) return true;
    if (!said.empty()) running = said.starts_with("Running ") && said.ends_with('.');
  }
  return false;
}

/// The runs of a log, one after another.
std::vector<NvbandwidthOutput> read_nvbandwidth_runs(std::string_view text) {
  std::vector<NvbandwidthOutput> runs;
  NvbandwidthReader reader;
  LogLines lines(text);
  while (const auto line = lines.next()) {
    if (trimmed(line->text).starts_with("nvbandwidth Version:") && reader.has_tests()) {
      runs.push_back(reader.finish());
      reader = {};
    }
    reader.read(*line);
  }
  runs.push_back(reader.finish());
  return runs;
}

std::vector<ImportedRun> read_nvbandwidth_text(const ImportRequest& request) {
  const std::vector<NvbandwidthOutput> outputs = read_nvbandwidth_runs(request.text);
  const auto read = [&](std::size_t i) {
    if (outputs[i].tests.empty() && !outputs[i].error) refuse(request, "no test of nvbandwidth in it");
    return nvbandwidth_run(request, outputs[i]);
  };
  return read_parts(request, outputs.size(), read, [](std::size_t i) { return fmt::format("run {}", i + 1); });
}

}  // namespace

extern const Importer nvbandwidth_text{
    .name = "nvbandwidth text",
    .about = "what NVIDIA's nvbandwidth prints",
    .recognises = recognises_nvbandwidth_text,
    .read = read_nvbandwidth_text,
};

}  // namespace busbar
