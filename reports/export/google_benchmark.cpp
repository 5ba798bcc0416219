// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/export/exporter.hpp"

/// Google Benchmark's JSON, for comparing two exports with its compare.py. Each sample becomes a repetition.
namespace busbar {
namespace {

using Json = nlohmann::ordered_json;

/// At most `most` samples, evenly spaced, in their original order.
std::vector<double> thinned(std::span<const double> samples, std::size_t most) {
  const std::size_t n = std::min(samples.size(), most);
  std::vector<double> kept;
  for (std::size_t i = 0; i < n; ++i) kept.push_back(samples[i * samples.size() / n]);
  return kept;
}

/// Sample standard deviation (divides by n - 1). Needs at least two samples.
double deviation(std::span<const double> samples, double mean) {
  const auto add = [mean](double sum, double x) { return sum + (x - mean) * (x - mean); };
  const double squares = std::accumulate(samples.begin(), samples.end(), 0.0, add);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

Json context_of(const Run& run) {
  Json context;
  const RunRecord& head = run.head;
  if (head.start_utc) context["date"] = *head.start_utc;
  std::string hosts;
  for (const Host& host : head.hosts) hosts += (hosts.empty() ? "" : ",") + host.name;
  context["host_name"] = hosts.empty() ? "unknown" : hosts;
  context["executable"] = head.argv.empty() ? head.tool.name : head.argv.front();
  if (!head.hosts.empty() && head.hosts.front().threads) context["num_cpus"] = *head.hosts.front().threads;
  context["busbar_id"] = head.id;
  context["busbar_origin"] = name(head.origin);
  context["busbar_cpu_time"] = "not measured; 0 means unknown";
  context["busbar_real_time"] =
      head.method.rank_rule == RankRule::slowest ? "slowest rank" : "over ranks: " + text_of(head.method.rank_rule);
  for (const auto& [key, value] : head.labels) context["busbar_label_" + key] = value;
  return context;
}

/// Position of a case: a series becomes a Google Benchmark family, each of its sizes an instance.
struct Place {
  std::size_t family = 0;
  std::size_t instance = 0;
};

Json entry(const Place& at, const std::string& run_name, std::string_view suffix, std::size_t repetitions) {
  return {{"name", run_name + std::string(suffix)},
          {"family_index", at.family},
          {"per_family_instance_index", at.instance},
          {"run_name", run_name},
          {"run_type", suffix.empty() ? "iteration" : "aggregate"},
          {"repetitions", repetitions}};
}

void set_times(Json& e, double seconds, std::string_view unit) {
  e["real_time"] = unit == "percentage" ? seconds : seconds * 1e9;
  e["cpu_time"] = 0.0;    // the format requires a number; the context says that it is meaningless
  e["time_unit"] = "ns";  // compare.py prints no decimals
}

/// Results of the whole case, as user counters. Always in seconds: `time_unit` applies only to the format's times.
void set_counters(Json& e, const CaseRecord& c) {
  if (c.algbw_GBps) e["algbw_GBps"] = *c.algbw_GBps;
  if (c.busbw_GBps) e["busbw_GBps"] = *c.busbw_GBps;
  if (c.training) e["samples_per_s"] = c.training->samples_per_s;
  if (c.training && c.training->scaling) e["efficiency"] = c.training->scaling->efficiency;
  if (!c.rounds.empty()) e["rounds"] = c.rounds.size();
  if (!c.interval_s || !c.time_s) return;
  e["time_s"] = *c.time_s;
  e["interval_low_s"] = c.interval_s->low;
  e["interval_high_s"] = c.interval_s->high;
}

Json iteration(const Place& at, const std::string& name, std::size_t repetitions, std::size_t index) {
  Json e = entry(at, name, "", repetitions);
  e["repetition_index"] = index;
  e["threads"] = 1;
  return e;
}

void add_samples(Json& list, const Place& at, const CaseRecord& c, std::size_t most) {
  const std::vector<double> samples = thinned(c.samples_s, most);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Json e = iteration(at, to_string(c.key), samples.size(), i);
    e["iterations"] = c.calls_per_sample.value_or(1);
    set_times(e, samples[i], "time");
    list.push_back(std::move(e));
  }
}

/// Mean, median, standard deviation and coefficient of variation of all recorded samples, before thinning.
void add_aggregates(Json& list, const Place& at, const CaseRecord& c, std::size_t most) {
  if (c.samples_s.size() < 2) return;
  const Summary s = summarise(c.samples_s);
  const double stddev = deviation(c.samples_s, s.mean_s);
  const auto add = [&](const std::string& name, double value, std::string_view unit) {
    Json e = entry(at, to_string(c.key), "_" + name, std::min(most, c.samples_s.size()));
    e["threads"] = 1;
    e["aggregate_name"] = name;
    e["aggregate_unit"] = unit;
    e["iterations"] = c.samples_s.size();
    set_times(e, value, unit);
    if (name == "median") set_counters(e, c);
    list.push_back(std::move(e));
  };
  add("mean", s.mean_s, "time");
  add("median", s.median_s, "time");
  add("stddev", stddev, "time");
  if (s.mean_s > 0) add("cv", stddev / s.mean_s, "percentage");
}

/// A case without samples, such as an imported one.
void add_single(Json& list, const Place& at, const CaseRecord& c, const Method& method) {
  Json e = iteration(at, to_string(c.key), 1, 0);
  if (method.iterations) e["iterations"] = *method.iterations * method.aggregated_iterations.value_or(1);
  set_times(e, *c.time_s, "time");
  set_counters(e, c);
  list.push_back(std::move(e));
}

/// A case without a valid time: skipped, failed, or imported without one. compare.py ignores error_occurred and would
/// read a time of 0, so the status goes into the name, which then matches no measured case.
void add_without_time(Json& list, const Place& at, const CaseRecord& c) {
  const bool ok = is_measured(c.status);
  Json e = iteration(at, to_string(c.key) + "/" + (ok ? "no_time" : std::string(name(c.status))), 1, 0);
  e["error_occurred"] = true;
  e["error_message"] = ok ? "the source gives no time" : c.reason.value_or("no reason given");
  e["iterations"] = 0;
  set_times(e, 0, "time");
  if (ok) set_counters(e, c);
  list.push_back(std::move(e));
}

std::string write_google_benchmark(const Run& run, const ExportOptions& options) {
  Json list = Json::array();
  std::map<std::string, Place> next;  // for each series
  for (const CaseRecord& c : run.cases) {
    const auto series = next.emplace(series_name(c.key), Place{.family = next.size()}).first;
    const Place at = series->second;
    ++series->second.instance;
    if (!is_measured(c.status) || !c.time_s) {
      add_without_time(list, at, c);
    } else if (c.samples_s.empty()) {
      add_single(list, at, c, run.head.method);
    } else {
      add_samples(list, at, c, options.max_repetitions);
      add_aggregates(list, at, c, options.max_repetitions);
    }
  }
  const Json all{{"context", context_of(run)}, {"benchmarks", std::move(list)}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

extern const Exporter google_benchmark{
    .name = "google-benchmark",
    .about = "Google Benchmark's JSON, for its compare.py",
    .write = write_google_benchmark,
};

}  // namespace busbar
