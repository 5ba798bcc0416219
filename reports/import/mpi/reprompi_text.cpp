// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <set>
#include <utility>

#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/abort_lines.hpp"
#include "reports/import/bandwidths.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/launch_lines.hpp"
#include "reports/import/mpi/mpi_operations.hpp"
#include "reports/import/told_places.hpp"

/// Output of ReproMPI's mpibenchmark (src/reprompi_bench/output_management of hunsa/reprompi): lines "#@key=value",
/// then a row per call with its time, the largest over ranks; with --summary a row per size instead.
namespace busbar {
namespace {

using namespace std::string_view_literals;

using Notes = std::vector<std::string>;

constexpr std::size_t reprompi_most_runs = 1000;
constexpr std::size_t most_calls = 10'000'000;

/// Times of one call with one size.
struct ReprompiSeries {
  std::string call;  ///< "MPI_Allreduce"
  std::uint64_t size = 0;
  std::vector<double> times_s;
};

/// One start of the program.
struct ReprompiRun {
  int line = 0;                                   ///< of its first fact or table
  std::map<std::string, std::string> facts = {};  ///< "nprocs": "4"
  std::vector<std::string> argv = {};
  std::vector<std::string> columns = {};
  std::vector<ReprompiSeries> series = {};
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> places = {};  ///< of the series
  std::vector<int> torn_lines = {};
  int rows = 0;
  int invalid = 0;        ///< calls that missed their window
  bool finished = false;  ///< "# Execution time"
  std::optional<std::string> abort = {};

  [[nodiscard]] std::string fact(const std::string& key) const {
    const auto at = facts.find(key);
    return at == facts.end() ? "" : at->second;
  }
  [[nodiscard]] bool has(std::string_view column) const { return is_one_of(columns, column); }
  /// The column that holds the times; empty if there is none.
  [[nodiscard]] std::string_view time_column() const {
    for (const std::string_view name : {"runtime_sec"sv, "median_sec"sv, "mean_sec"sv})
      if (has(name)) return name;
    return {};
  }
};

// Lines

/// The columns of a table; empty for other lines.
std::vector<std::string> reprompi_columns(std::string_view line) {
  std::vector<std::string> columns;
  if (!holds(line, "test")) return columns;
  for (const Word& word : words(line.substr(0, 512))) columns.emplace_back(word.text);
  const auto has = [&columns](std::string_view name) { return is_one_of(columns, name); };
  const bool sized = has("count") || has("msize_bytes");
  const bool timed = has("runtime_sec") || has("valid_nrep") || has("loc_tstart_sec");
  return has("test") && sized && timed ? columns : std::vector<std::string>{};
}

/// Assigns each line to its run.
class ReprompiReader {
 public:
  std::vector<ReprompiRun> read(std::string_view text) {
    LogLines lines(text);
    while (const auto line = lines.next()) read_line(*line);
    return std::move(runs_);
  }

 private:
  /// The run that a line of its head belongs to: a new one after the rows of another.
  ReprompiRun& run_of_head(int line) {
    if (runs_.empty() || !runs_.back().columns.empty()) runs_.push_back({.line = line});
    return runs_.back();
  }

  void read_line(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with("#@")) {
      const std::size_t equals = std::min(text.find('='), text.size() - 1);
      run_of_head(line.number).facts.emplace(text.substr(2, equals - 2), quotable(text.substr(equals + 1)));
    } else if (lower_case(text.substr(0, 23)) == "#command-line arguments") {
      for (const Word& word : words(text.substr(text.find(':') + 1)))
        run_of_head(line.number).argv.emplace_back(word.text);
    } else if (auto columns = reprompi_columns(text); !columns.empty()) {
      run_of_head(line.number).columns = std::move(columns);
    } else if (!runs_.empty() && text.starts_with("# Execution time:")) {
      runs_.back().finished = true;
    } else if (!runs_.empty() && !runs_.back().columns.empty() && !text.starts_with('#') && holds(text, " ")) {
      read_row(runs_.back(), line);
    }
  }

  void read_row(ReprompiRun& run, const LogLine& line) {
    const std::vector<Word> all = words(line.text);
    const auto cell = [&](std::string_view column) {
      const auto at = std::ranges::find(run.columns, column);
      return at == run.columns.end() ? std::string_view{}
                                     : all[static_cast<std::size_t>(at - run.columns.begin())].text;
    };
    const auto size =
        all.size() == run.columns.size() ? integer(cell(run.has("count") ? "count" : "msize_bytes")) : std::nullopt;
    if (!size) {
      if (is_abort_line(line.text) && !run.abort) run.abort = quotable(line.text);
      if (all.front().text.starts_with("MPI_")) run.torn_lines.push_back(line.number);
      return;
    }
    ++run.rows;
    const auto time = rounded(cell(run.time_column()));
    constexpr double last_digit = 1e-9;  // times have ten decimals: one with fewer is cut off
    if (*size < 0 || !time || !(time->value >= 0) || time->half_unit > last_digit || calls_ == most_calls)
      return run.torn_lines.push_back(line.number);
    if (integer(cell("errorcode")).value_or(0) != 0) return void(++run.invalid);
    ++calls_;
    add_time(run, quotable(cell("test")), static_cast<std::uint64_t>(*size), time->value);
  }

  static void add_time(ReprompiRun& run, std::string call, std::uint64_t size, double time_s) {
    const auto [at, is_new] = run.places.try_emplace({call, size}, run.series.size());
    if (is_new) run.series.push_back({.call = std::move(call), .size = size, .times_s = {}});
    run.series[at->second].times_s.push_back(time_s);
  }

  std::vector<ReprompiRun> runs_;
  std::size_t calls_ = 0;
};

// Cases

/// State of converting one run to a record.
struct ReprompiWork {
  const ReprompiRun& run;
  ImportRequest request;  ///< with ranks and nodes of the run
  CaseKey key = {};       ///< common key parts
  CaseList list = {};
  std::set<std::string> unknown = {};  ///< calls that are not imported
  std::set<std::size_t> numbers = {};  ///< of calls per case
  PrintedBandwidths bandwidths = {};
};

/// Bytes of an element; 0 if unknown.
std::uint64_t element_bytes(const ReprompiRun& run) {
  const auto size = integer(run.fact("datatype_size_bytes"));
  if (size && *size > 0) return static_cast<std::uint64_t>(*size);
  const auto type = mpi_type(run.fact("datatype"));
  return type ? type->bytes : 0;
}

/// How calls follow each other, by the synchronisation before each of them.
std::optional<std::string> reprompi_cadence(const ReprompiRun& run) {
  const std::string said = lower_case(run.fact("procsync") + run.fact("sync") + run.fact("process_sync"));
  if (holds(said, "barrier")) return "barrier";
  if (said == "window" || said == "roundtime") return "synchronised";
  return std::nullopt;
}

/// ReproMPI's counts are those of one rank's block, of reduce_scatter as well.
std::optional<std::uint64_t> reprompi_bytes(const ReprompiWork& w, const ReprompiSeries& s, const MpiOperation& o) {
  const std::uint64_t element = w.run.has("count") ? element_bytes(w.run) : 1;
  if (element == 0 || s.size > (std::uint64_t{1} << 62) / element) return std::nullopt;
  return buffer_bytes(o.size == MpiSize::blocks ? MpiSize::block : o.size, s.size * element, w.key.ranks);
}

std::optional<CaseRecord> reprompi_case(ReprompiWork& w, const ReprompiSeries& s) {
  static constexpr std::array rooted{"broadcast"sv, "reduce"sv, "gather"sv, "scatter"sv};
  const auto operation = s.call.starts_with("MPI_") ? mpi_collective(std::string_view(s.call).substr(4)) : std::nullopt;
  const auto bytes = operation ? reprompi_bytes(w, s, *operation) : std::nullopt;
  if (!bytes) return std::nullopt;
  CaseRecord c{.key = w.key};
  c.key.collective = operation->name;
  c.key.counts = operation->counts();
  c.key.bytes = *bytes;
  if (operation->size != MpiSize::none) {
    c.key.memory = "host";
    if (const auto type = mpi_type(w.run.fact("datatype"))) c.key.type = type->name;
    if (w.run.has("count")) c.count = s.size;
  }
  const std::string op = lower_case(w.run.fact("operation"));
  if (operation->reduces && op.starts_with("mpi_") && is_name(op)) c.key.op = op.substr(4);
  if (is_one_of(rooted, operation->name)) c.key.root = small_integer(w.run.fact("root_proc"));
  c.check.state = CheckState::off;
  const double half_digit_us = 0.5e-4;
  set_time(c, {.value = median(s.times_s) * 1e6, .half_unit = half_digit_us}, operation->bus_like, std::nullopt,
           w.bandwidths);
  if (w.run.time_column() != "runtime_sec") return c;
  c.samples_s = s.times_s;
  c.samples_taken = s.times_s.size();
  c.calls_per_sample = 1;
  if (s.times_s.size() > 1) c.statistics = summarise(s.times_s);
  return c;
}

void add_reprompi_cases(ReprompiWork& w) {
  for (const ReprompiSeries& s : w.run.series) {
    if (auto c = reprompi_case(w, s)) {
      w.list.add(*std::move(c));
      w.numbers.insert(s.times_s.size());
    } else if (w.unknown.size() < 64) {
      w.unknown.insert(s.call);
    }
  }
}

// Records

bool is_reprompi_program(std::string_view word) { return base_name(word).starts_with("mpibenchmark"); }

/// The request with ranks and nodes of the run.
ImportRequest reprompi_places(const ImportRequest& request, const ReprompiRun& run, const LaunchLines& launch,
                              const LaunchScope& scope, Notes& doubts) {
  ImportRequest settled = request;
  std::vector<SizeClaim> claims = rank_claims(launch, scope);
  if (const auto n = small_integer(run.fact("nprocs")); n && *n > 0)
    claims.push_back({.number = *n, .source = fmt::format("#@nprocs={}", *n)});
  settled.ranks = settle_ranks(request, claims, doubts);
  if (!settled.ranks) refuse(request, "line {}: no line \"#@nprocs=N\" before its table; add --ranks N", run.line);
  settled.nodes = settle_nodes(request, node_claims(launch, scope, *settled.ranks), *settled.ranks, doubts);
  return settled;
}

RunRecord reprompi_head(const ReprompiWork& w) {
  RunRecord head = imported_head(w.request, "ReproMPI");
  head.argv = w.run.argv;
  head.ranks = *w.request.ranks;
  head.nodes = w.request.nodes;
  if (const std::string commit = w.run.fact("reproMPIcommitSHA1"); !commit.empty()) head.tool.revision = commit;
  head.method = {.cadence = w.key.cadence.value_or("unknown"),
                 .rank_rule = RankRule::slowest,
                 .statistic = w.run.time_column() == "mean_sec" ? Statistic::mean : Statistic::median,
                 .check = "off"};
  if (w.numbers.size() == 1 && w.run.time_column() == "runtime_sec" && *w.numbers.begin() <= INT_MAX)
    head.method.iterations = static_cast<int>(*w.numbers.begin());
  return head;
}

Notes reprompi_warnings(const ReprompiWork& w, Notes warnings) {
  warn_of_torn_rows(warnings, w.run.torn_lines);
  if (!w.unknown.empty())
    add_note(warnings, "calls left out, not read or of an unknown type: {}",
             quotable(fmt::format("{}", fmt::join(w.unknown, ", "))));
  return warnings;
}

void note_reprompi(Notes& notes, const ReprompiWork& w) {
  const bool samples = w.run.time_column() == "runtime_sec";
  add_note(notes, "a time is the {} over calls of each call's slowest rank, by {}",
           w.run.time_column() == "mean_sec" ? "mean" : "median",
           w.run.fact("runtime_type") == "global" ? "synchronised clocks" : "the ranks' own clocks");
  if (!samples)
    notes.emplace_back("the log is a summary (--summary): no samples; minimum and maximum are not imported");
  if (w.run.invalid > 0)
    add_note(notes, "{} left out that missed their window (errorcode)", plural(w.run.invalid, "call"));
  notes.emplace_back("ReproMPI prints no hosts and no MPI library: they are not known");
  notes.emplace_back("counts are those of one rank's block; sizes here are those of the larger buffer");
}

EndRecord reprompi_end(const ReprompiRun& run, const std::vector<CaseRecord>& cases) {
  EndRecord end{.status = run.finished ? EndStatus::ok : EndStatus::unknown};
  if (!run.finished) end.reason = "the log ends without ReproMPI's closing lines: it is cut off, or of an output file";
  if (!run.finished && run.abort) end.status = EndStatus::aborted, end.reason = run.abort;
  count_cases(end, cases);
  return end;
}

ImportedRun reprompi_run(const ImportRequest& request, const ReprompiRun& run, const LaunchLines& launch,
                         const LaunchScope& scope) {
  if (run.time_column().empty())
    refuse(request, "line {}: a table of each process's times (-v); only those without -v are read", run.line);
  Notes doubts;
  ReprompiWork w{.run = run, .request = reprompi_places(request, run, launch, scope, doubts)};
  w.key = {.backend = "mpi", .ranks = *w.request.ranks, .cadence = reprompi_cadence(run), .group = "world"};
  tell_nodes(w.key, w.request);
  add_reprompi_cases(w);
  ImportedRun result{.head = reprompi_head(w), .cases = w.list.sorted_cases()};
  result.warnings = reprompi_warnings(w, std::move(doubts));
  if (result.cases.empty())
    refuse(request, "line {}: no row that can be read{}", run.line,
           result.warnings.empty() ? "" : ": " + result.warnings.back());
  check_collective(result.cases, request);
  result.end = reprompi_end(run, result.cases);
  result.collective = subjects(result.cases);
  result.rows = run.rows;
  result.head.notes = result.warnings;
  note_stated(result.head.notes, request);
  note_reprompi(result.head.notes, w);
  return result;
}

bool recognises_reprompi(std::string_view text) {
  return any_line(text, [](const LogLine& line) { return !reprompi_columns(line.text).empty(); });
}

std::vector<ImportedRun> read_reprompi(const ImportRequest& request) {
  std::vector<ReprompiRun> runs = ReprompiReader{}.read(request.text);
  std::erase_if(runs, [](const ReprompiRun& run) { return run.columns.empty(); });
  if (runs.size() > reprompi_most_runs)
    refuse(request, "output of {} runs; {} are the most", runs.size(), reprompi_most_runs);
  const LaunchLines launch = read_launch_lines(request.text, is_reprompi_program);
  const auto read = [&](std::size_t i) { return reprompi_run(request, runs[i], launch, scope_of_part(runs, i)); };
  return read_parts(request, runs.size(), read,
                    [&](std::size_t i) { return fmt::format("the run from line {}", runs[i].line); });
}

}  // namespace

extern const Importer reprompi_text{
    .name = "ReproMPI text",
    .about = "what ReproMPI's mpibenchmark prints",
    .recognises = recognises_reprompi,
    .read = read_reprompi,
};

}  // namespace busbar
