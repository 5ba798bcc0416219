// SPDX-License-Identifier: Apache-2.0
#include "reports/import/json/google_benchmarks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/import/json/lenient_json.hpp"

namespace busbar {
namespace {

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

void add_counters(GoogleBenchmark& b, const Members& entry) {
  for (const auto* name : {"time_s", "algbw_GBps", "busbw_GBps"})
    if (const auto value = entry.amount(name)) b.counters[name] = *value;
}

void add_repetition(GoogleBenchmark& b, const Members& entry, double time_s, double unit) {
  b.times_s.push_back(time_s);
  if (const auto cpu = entry.amount("cpu_time")) b.cpu_s.push_back(*cpu * unit);
  if (const auto n = entry.small_count("iterations")) b.iterations.push_back(*n);
  if (b.times_s.size() == 1) add_counters(b, entry);
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
  if (const auto n = entry.small_count("repetitions")) b.repetitions = n;
  if (const auto label = entry.text("label")) b.label = label;
  if (aggregate.empty()) add_repetition(b, entry, *time * *unit, *unit);
  if (aggregate == "mean") b.mean_s = *time * *unit;
  if (aggregate == "median") b.median_s = *time * *unit, add_counters(b, entry);
  return true;
}

bool is_fit(const Members& entry) {
  return !entry.amount("real_time") && (entry.find("big_o") != nullptr || entry.find("rms") != nullptr);
}

}  // namespace

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

}  // namespace busbar
