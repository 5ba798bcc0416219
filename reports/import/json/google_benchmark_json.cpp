// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/case_key_text.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/google_benchmarks.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/runs/collective_facts.hpp"

/// Google Benchmark's JSON (src/json_reporter.cc of google/benchmark), and `busbar export` output in that format.
namespace busbar {
namespace {

using Notes = std::vector<std::string>;

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
    throw UsageError(
        fmt::format("{}: no benchmark in it{}", request.source, f.json.cut ? "; " + *f.json.cut : std::string()));
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
  if (const auto told = b.counters.find("time_s"); told != b.counters.end() && c.key.kind == CaseKind::collective)
    c.time_s = told->second;
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
  if (all.empty()) throw UsageError(fmt::format("{}: no benchmark in it has a time", request.source));
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

std::map<std::string, std::string> labels_of(const ImportRequest& request, const nlohmann::json* context) {
  constexpr std::string_view prefix = "busbar_label_";
  std::map<std::string, std::string> all = request.labels;
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
      .labels = labels_of(request, Members(f.json.value).object("context")),
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

Notes google_benchmark_notes(const File& f, const std::vector<CaseRecord>& cases) {
  Notes all;
  const Members context = f.context();
  const auto is_function = [](const CaseRecord& c) { return c.key.kind == CaseKind::function; };
  if (f.ours) {
    all.push_back(fmt::format("an export of busbar's record {}, which has more: rounds, intervals and all samples",
                              quotable(*context.text("busbar_id"))));
    if (const auto n = std::ranges::count_if(cases, is_function); n > 0)
      all.push_back(fmt::format("{} of them {} kept by {} name alone, which is no key of a collective",
                                plural(n, "case"), n == 1 ? "is" : "are", n == 1 ? "its" : "their"));
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
    all.push_back(fmt::format("{} of asymptotic complexity: no times, not imported",
                              f.benchmarks.fits == 1 ? "1 entry" : fmt::format("{} entries", f.benchmarks.fits)));
  return all;
}

Notes google_benchmark_warnings(const File& f) {
  Notes all;
  if (f.benchmarks.unreadable > 0)
    all.push_back(
        fmt::format("{} left out: no name, no time or no unit",
                    f.benchmarks.unreadable == 1 ? "1 entry" : fmt::format("{} entries", f.benchmarks.unreadable)));
  if (f.json.cut) all.push_back("the file is not whole: " + *f.json.cut);
  return all;
}

// The importer

bool recognises_google_benchmark(std::string_view text) {
  const std::string_view key = first_json_key(text);
  return (key == "context" || key == "benchmarks") && text.find("\"benchmarks\"") != std::string_view::npos;
}

std::vector<ImportedRun> read_google_benchmark(const ImportRequest& request) {
  const File f = read_file(request);
  std::vector<CaseRecord> cases = google_benchmark_cases(request, f);
  RunRecord head = google_benchmark_head(request, f, cases);
  Notes warnings = google_benchmark_warnings(f);
  head.notes = warnings;
  for (std::string& note : google_benchmark_notes(f, cases)) head.notes.push_back(std::move(note));
  EndRecord end;
  count_cases(end, cases);
  end.status = f.json.cut ? EndStatus::unknown : end.cases.failed > 0 ? EndStatus::failed : EndStatus::ok;
  if (f.json.cut) end.reason = "the file is not whole: " + *f.json.cut;
  if (!end.reason && end.cases.failed > 0) end.reason = plural(end.cases.failed, "case") + " failed";
  const int rows = static_cast<int>(cases.size());
  return {{.head = std::move(head),
           .cases = std::move(cases),
           .end = std::move(end),
           .warnings = std::move(warnings),
           .collective = f.ours ? "export of busbar" : "functions",
           .rows = rows}};
}

}  // namespace

extern const Importer google_benchmark_json{
    .name = "Google Benchmark JSON",
    .about = "what Google Benchmark writes with --benchmark_format=json, and busbar export --format google-benchmark",
    .recognises = recognises_google_benchmark,
    .read = read_google_benchmark,
};

}  // namespace busbar
