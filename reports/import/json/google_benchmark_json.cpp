// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/case_key_text.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/runs/collective_facts.hpp"

/// Google Benchmark's JSON (src/json_reporter.cc of google/benchmark), and `busbar export` output in that format.
namespace busbar {
namespace {

using Notes = std::vector<std::string>;

// Entries of the file

/// One benchmark: its repetitions and aggregates.
struct GoogleBenchmark {
  std::string name;                        ///< with arguments, without suffixes such as "_mean"
  std::vector<double> times_s;             ///< wall time per iteration, one for each repetition
  std::vector<double> cpu_s;               ///< CPU time per iteration, where present
  std::vector<int> iterations;             ///< for each repetition
  std::optional<double> mean_s, median_s;  ///< aggregates
  std::optional<std::string> error, skipped;
  std::optional<std::string> label;
  std::optional<double> time_s;  ///< counter of an export, from the aggregate "median", else from the only repetition
};

struct GoogleBenchmarks {
  std::vector<GoogleBenchmark> list;  ///< in order of appearance
  int unreadable = 0;                 ///< entries without a name, a time or a unit
  int fits = 0;                       ///< complexity fits, which have no times
};

/// Names of the benchmark and of the aggregate over its repetitions; the latter is empty for a repetition.
struct Names {
  std::string benchmark, aggregate;
};

/// Releases before 1.5 have no "run_type"; there the suffix of the name is the only clue.
Names google_benchmark_names(const Members& entry, std::string name) {
  const std::string type = entry.text("run_type").value_or("");
  if (!type.empty()) {
    const std::string aggregate = type == "aggregate" ? entry.text("aggregate_name").value_or("unknown") : "";
    return {.benchmark = entry.text("run_name").value_or(std::move(name)), .aggregate = aggregate};
  }
  static constexpr std::array suffixes{"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
  for (const std::string_view suffix : suffixes)
    if (name.ends_with(suffix))
      return {.benchmark = name.substr(0, name.size() - suffix.size()), .aggregate = std::string(suffix.substr(1))};
  return {.benchmark = std::move(name), .aggregate = ""};
}

/// The time unit in seconds; empty if unknown.
std::optional<double> unit_of(const Members& entry) {
  const std::string unit = entry.text("time_unit").value_or("");
  static constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  const auto at = std::ranges::find(units, unit, [](const auto& u) { return u.first; });
  return at == units.end() ? std::nullopt : std::optional(at->second);
}

void add_repetition(GoogleBenchmark& b, const Members& entry, double time_s, double unit) {
  b.times_s.push_back(time_s);
  if (const auto cpu = entry.amount("cpu_time")) b.cpu_s.push_back(*cpu * unit);
  if (const auto n = entry.small_count("iterations")) b.iterations.push_back(*n);
}

/// False if the entry has neither a time nor a reason for its absence.
bool add_entry(GoogleBenchmark& b, const Members& entry, const std::string& aggregate) {
  if (entry.truth("error_occurred").value_or(false)) {
    b.error = entry.text("error_message").value_or("no reason given");
    return true;
  }
  if (entry.truth("skipped").value_or(false)) {
    b.skipped = entry.text("skip_message").value_or("no reason given");
    return true;
  }
  if (!aggregate.empty() && aggregate != "mean" && aggregate != "median") return true;  // not a time per call
  const auto unit = unit_of(entry);
  const auto time = entry.amount("real_time");
  if (!unit || !time) return false;
  if (const auto label = entry.text("label")) b.label = label;
  if (aggregate.empty()) add_repetition(b, entry, *time * *unit, *unit);
  if (aggregate == "mean") b.mean_s = *time * *unit;
  if (aggregate == "median") b.median_s = *time * *unit;
  const bool has_counters = aggregate == "median" || (aggregate.empty() && b.times_s.size() == 1);
  if (const auto counter = entry.amount("time_s"); counter && has_counters) b.time_s = counter;
  return true;
}

bool is_fit(const Members& entry) {
  return !entry.amount("real_time") && (entry.find("big_o") != nullptr || entry.find("rms") != nullptr);
}

/// Parses the value of "benchmarks"; unreadable entries are counted.
GoogleBenchmarks read_google_benchmarks(const nlohmann::json& entries) {
  GoogleBenchmarks all;
  std::map<std::string, std::size_t> known;
  for (const auto& value : entries) {
    const Members entry(value);
    const auto name = entry.text("name");
    if (is_fit(entry) || !name || name->empty()) {
      ++(is_fit(entry) ? all.fits : all.unreadable);
      continue;
    }
    const Names names = google_benchmark_names(entry, *name);
    const auto [at, is_new] = known.emplace(names.benchmark, all.list.size());
    if (is_new) all.list.push_back({.name = names.benchmark});
    if (!add_entry(all.list[at->second], entry, names.aggregate)) ++all.unreadable;
  }
  return all;
}

// The file

/// The parsed file.
struct File {
  LenientJson json;
  GoogleBenchmarks benchmarks;
  bool ours = false;  ///< written by `busbar export`
  [[nodiscard]] Members context() const {
    static const nlohmann::json none;
    const nlohmann::json* found = Members(json.value).object("context");
    return Members(found == nullptr ? none : *found);
  }
};

File read_file(const ImportRequest& request) {
  constexpr std::size_t lists = 2;  // drop a truncated entry
  File f{.json = parse_lenient(request.text, lists)};
  const nlohmann::json* entries = Members(f.json.value).list("benchmarks");
  if (entries != nullptr) f.benchmarks = read_google_benchmarks(*entries);
  if (f.benchmarks.list.empty())
    refuse(request, "no benchmark in it{}", f.json.cut ? "; " + *f.json.cut : std::string());
  f.ours = f.context().text("busbar_id").has_value();
  return f;
}

// Cases

/// Keeps names, but replaces control characters by blanks.
std::string one_line(std::string name) {
  constexpr std::size_t longest = 1000;
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return name.substr(0, longest);
}

CaseKey function_key(const std::string& name) {
  return {.kind = CaseKind::function,
          .collective = one_line(name),
          .backend = "google-benchmark",
          .ranks = 1,
          .nodes = 1,
          .ranks_per_node = 1};
}

/// Removes and returns the status that an export appends to the name of a case without a time.
std::optional<Status> cut_off_status(std::string& name) {
  for (const Status status : {Status::skipped, Status::failed}) {
    const std::string end = "/" + std::string(busbar::name(status));
    if (!name.ends_with(end)) continue;
    name.resize(name.size() - end.size());
    return status;
  }
  return std::nullopt;
}

/// The key and, if it follows from the name, the status.
CaseRecord start_of(const GoogleBenchmark& b, bool ours) {
  if (!ours) return {.key = function_key(b.name)};
  std::string name = b.name;
  const auto status = cut_off_status(name);
  if (auto key = parse_case_key(name)) return {.key = std::move(*key), .status = status.value_or(Status::ok)};
  return {.key = function_key(b.name)};
}

void set_repetitions(CaseRecord& c, const GoogleBenchmark& b) {
  c.samples_s = b.times_s;
  c.samples_taken = b.times_s.size();
  const Summary s = summarise(b.times_s);
  c.time_s = s.median_s;
  if (b.times_s.size() > 1) c.statistics = s;
  const auto alike = [&b](int n) { return n == b.iterations.front(); };
  if (b.iterations.size() == b.times_s.size() && b.iterations.front() > 0 && std::ranges::all_of(b.iterations, alike))
    c.calls_per_sample = b.iterations.front();
}

void set_times(CaseRecord& c, const GoogleBenchmark& b) {
  if (!b.times_s.empty())
    set_repetitions(c, b);
  else if (b.median_s || b.mean_s)
    c.time_s = b.median_s ? b.median_s : b.mean_s;
  if (b.times_s.empty() && !b.median_s && b.mean_s)
    c.remarks.emplace_back("the mean over repetitions: the file has neither these nor their median");
  if (b.time_s && c.key.kind == CaseKind::collective) c.time_s = b.time_s;
  if (c.time_s && c.key.kind == CaseKind::collective && collective_named(c.key.collective))
    set_bandwidth(c, *c.time_s, bus_factor_of(c.key.collective, c.key.ranks));
}

/// Empty if the benchmark has no usable data.
std::optional<CaseRecord> google_benchmark_case(const GoogleBenchmark& b, bool ours) {
  CaseRecord c = start_of(b, ours);
  c.check.state = CheckState::unknown;
  if (b.error || b.skipped) {
    if (c.status == Status::ok) c.status = b.error ? Status::failed : Status::skipped;
    c.reason = quotable(one_line(b.error ? *b.error : *b.skipped));
  } else {
    set_times(c, b);
    if (!c.time_s) return std::nullopt;
  }
  if (b.label) c.remarks.push_back("label: " + quotable(*b.label));
  return c;
}

std::vector<CaseRecord> google_benchmark_cases(const ImportRequest& request, const File& f) {
  std::vector<CaseRecord> all;
  for (const GoogleBenchmark& b : f.benchmarks.list)
    if (auto c = google_benchmark_case(b, f.ours)) {
      c->index = static_cast<int>(all.size());
      all.push_back(std::move(*c));
    }
  if (all.empty()) refuse(request, "no benchmark in it has a time");
  return all;
}

// Head

/// Converts "2026-01-31T13:00:00+01:00" to UTC; empty without a time zone.
std::optional<std::string> utc_of(const std::string& date) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zone_hour = 0, zone_minute = 0;
  char sign = 0;
  const int n = std::sscanf(date.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%c%2d:%2d", &year, &month, &day, &hour, &minute,
                            &second, &sign, &zone_hour, &zone_minute);
  const bool utc = n == 7 && sign == 'Z', zoned = n == 9 && (sign == '+' || sign == '-');
  const std::chrono::year_month_day ymd{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                        std::chrono::day(static_cast<unsigned>(day))};
  if ((!utc && !zoned) || !ymd.ok() || year < 1970) return std::nullopt;
  const int offset = zoned ? (60 * zone_hour + zone_minute) * (sign == '-' ? -1 : 1) : 0;
  const auto at = std::chrono::sys_days(ymd) + std::chrono::hours(hour) + std::chrono::minutes(minute - offset) +
                  std::chrono::seconds(second);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", at);
}

std::vector<Host> hosts_of(const Members& context) {
  const auto name = context.text("host_name");
  if (!name || name->empty() || *name == "unknown") return {};
  Host host{.name = quotable(*name), .threads = context.small_count("num_cpus")};
  return {std::move(host)};
}

std::map<std::string, std::string> labels_of(const ImportRequest& request, const File& f) {
  constexpr std::string_view prefix = "busbar_label_";
  std::map<std::string, std::string> all = request.labels;
  const nlohmann::json* context = Members(f.json.value).object("context");
  if (context == nullptr) return all;
  for (const auto& [key, value] : context->items())
    if (key.starts_with(prefix) && value.is_string()) all.emplace(key.substr(prefix.size()), value.get<std::string>());
  return all;
}

RankRule rank_rule_of(const File& f) {
  if (!f.ours) return RankRule::rank_0;
  const std::string told = f.context().text("busbar_real_time").value_or("");
  for (const RankRule rule : {RankRule::mean, RankRule::fastest, RankRule::rank_0})
    if (told == "over ranks: " + text_of(rule)) return rule;
  return told == "slowest rank" ? RankRule::slowest : RankRule::unknown;
}

bool repeated(const GoogleBenchmark& b) { return b.times_s.size() > 1 || b.median_s; }

RunRecord google_benchmark_head(const ImportRequest& request, const File& f, const std::vector<CaseRecord>& cases) {
  const Members context = f.context();
  const auto program = context.text("executable");
  RunRecord head{
      .id = import_id(request, "google-benchmark"),
      .origin = Origin::imported,
      .tool = {.name = "google-benchmark", .version = context.text("library_version")},
      .start_utc = utc_of(context.text("date").value_or("")),
      .labels = labels_of(request, f),
      .method = {.cadence = "unknown",
                 .rank_rule = rank_rule_of(f),
                 .statistic = std::ranges::any_of(f.benchmarks.list, repeated) ? Statistic::median : Statistic::mean,
                 .check = "unknown"},
      .source = request.source};
  if (program && !program->empty()) head.argv = {quotable(*program)};
  if (!f.ours) head.hosts = hosts_of(context);
  for (const CaseRecord& c : cases) head.ranks = std::max(head.ranks, c.key.ranks);
  const auto nodes = cases.front().key.nodes;
  if (std::ranges::all_of(cases, [&nodes](const CaseRecord& c) { return c.key.nodes == nodes; })) head.nodes = nodes;
  return head;
}

// Notes

/// Number of benchmarks whose CPU and wall time differ: they waited, or used several threads.
int with_other_cpu_time(const GoogleBenchmarks& all) {
  const auto sum = [](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); };
  return static_cast<int>(std::ranges::count_if(all.list, [&sum](const GoogleBenchmark& b) {
    return !b.times_s.empty() && b.cpu_s.size() == b.times_s.size() &&
           std::abs(sum(b.cpu_s) - sum(b.times_s)) > 0.1 * sum(b.times_s);
  }));
}

std::string entries(int n) { return n == 1 ? "1 entry" : fmt::format("{} entries", n); }

Notes google_benchmark_notes(const File& f, const std::vector<CaseRecord>& cases) {
  Notes all;
  const Members context = f.context();
  const auto is_function = [](const CaseRecord& c) { return c.key.kind == CaseKind::function; };
  if (f.ours) {
    add_note(all, "an export of busbar's record {}, which has more: rounds, intervals and all samples",
             quotable(*context.text("busbar_id")));
    if (const auto n = std::ranges::count_if(cases, is_function); n > 0)
      add_note(all, "{} of them {} kept by {} name alone, which is no key of a collective", plural(n, "case"),
               n == 1 ? "is" : "are", n == 1 ? "its" : "their");
    return all;
  }
  all.emplace_back(
      "a sample is a repetition: wall time of its iterations over their number; user counters are not imported");
  const int other = with_other_cpu_time(f.benchmarks);
  all.push_back(other == 0
                    ? "CPU times are not imported"
                    : fmt::format("CPU times are not imported; of {} they differ from the wall time by more than 10 %",
                                  plural(other, "benchmark")));
  if (context.text("library_build_type") == "debug")
    all.emplace_back("Google Benchmark was built as \"debug\": its own part of the times is larger");
  if (context.truth("cpu_scaling_enabled").value_or(false))
    all.emplace_back("the processor's frequency was scaled while this was measured");
  if (f.benchmarks.fits > 0)
    add_note(all, "{} of asymptotic complexity: no times, not imported", entries(f.benchmarks.fits));
  return all;
}

Notes google_benchmark_warnings(const File& f) {
  Notes all;
  if (f.benchmarks.unreadable > 0)
    add_note(all, "{} left out: no name, no time or no unit", entries(f.benchmarks.unreadable));
  if (f.json.cut) all.push_back("the file is not whole: " + *f.json.cut);
  return all;
}

// The importer

bool recognises_google_benchmark(std::string_view text) {
  const std::string_view key = first_json_key(text);
  return (key == "context" || key == "benchmarks") && holds(text, "\"benchmarks\"");
}

std::vector<ImportedRun> read_google_benchmark(const ImportRequest& request) {
  const File f = read_file(request);
  ImportedRun run{.cases = google_benchmark_cases(request, f),
                  .warnings = google_benchmark_warnings(f),
                  .collective = f.ours ? "export of busbar" : "functions"};
  run.rows = static_cast<int>(run.cases.size());
  run.head = google_benchmark_head(request, f, run.cases);
  add_notes(run.head.notes, run.warnings);
  add_notes(run.head.notes, google_benchmark_notes(f, run.cases));
  count_cases(run.end, run.cases);
  const int failed = run.end.cases.failed;
  run.end.status = f.json.cut ? EndStatus::unknown : failed > 0 ? EndStatus::failed : EndStatus::ok;
  if (f.json.cut) run.end.reason = "the file is not whole: " + *f.json.cut;
  if (!run.end.reason && failed > 0) run.end.reason = plural(failed, "case") + " failed";
  return {std::move(run)};
}

}  // namespace

extern const Importer google_benchmark_json{
    .name = "Google Benchmark JSON",
    .about = "what Google Benchmark writes with --benchmark_format=json, and busbar export --format google-benchmark",
    .recognises = recognises_google_benchmark,
    .read = read_google_benchmark,
};

}  // namespace busbar
