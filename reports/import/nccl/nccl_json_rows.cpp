// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_json_rows.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/record/case_record.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

using Json = nlohmann::json;

constexpr double last_digit = 1e-6;            // numbers are printed with six decimals
constexpr double nccl_json_longest_us = 1e15;  // 30 years

std::optional<Rounded> printed(std::optional<double> value) {
  return value ? std::optional(Rounded{.value = *value, .half_unit = last_digit / 2}) : std::nullopt;
}

/// Iteration times in seconds, without the first `skipped`; empty if any entry is not a time.
std::vector<double> seconds(const Json& times_us, std::size_t skipped) {
  std::vector<double> all;
  for (std::size_t i = skipped; i < times_us.size(); ++i) {
    const auto time = amount_of(times_us[i]);
    if (!time || *time > nccl_json_longest_us) return {};
    all.push_back(*time / 1e6);
  }
  return all;
}

/// One summary per process; empty unless all of them are complete.
std::vector<RankSummary> summaries(const Json& processes, std::size_t iterations, std::size_t skipped) {
  std::vector<RankSummary> all;
  for (const Json& times_us : processes) {
    const auto times =
        times_us.is_array() && times_us.size() == iterations ? seconds(times_us, skipped) : std::vector<double>{};
    if (times.empty()) return {};
    const auto [low, high] = std::ranges::minmax(times);
    all.push_back({.rank = static_cast<int>(all.size()), .min_s = low, .median_s = median(times), .max_s = high});
  }
  return all;
}

std::optional<NcclSamples> samples_of(const Json& per_iteration, NcclJsonRows& rows) {
  const Members m(per_iteration);
  const Json* times_us = m.list("times_us");
  const std::size_t skipped = m.count("skipped_iterations").value_or(0);
  NcclSamples s;
  if (times_us != nullptr) s.samples_s = seconds(*times_us, skipped);
  if (s.samples_s.empty()) {
    ++rows.bad_samples;
    return std::nullopt;
  }
  const double mean_us = summarise(s.samples_s).mean_s * 1e6;
  if (const auto said = m.amount("avg_us"); said && std::abs(*said - mean_us) > 2 * last_digit + 1e-9 * mean_us)
    ++rows.other_means;
  const Json* processes = m.list("per_process_max_times_us");
  if (rows.one_rank_a_process && processes != nullptr) s.ranks = summaries(*processes, times_us->size(), skipped);
  return s;
}

std::optional<NcclHalf> nccl_json_half(const Json& row, bool in_place, bool& cpu_time, NcclJsonRows& rows) {
  const Json* half = Members(row).object(in_place ? "in_place" : "out_of_place");
  if (half == nullptr) return std::nullopt;
  const Members m(*half);
  const auto elapsed = m.amount("time"), of_cpu = m.amount("cpu_time");
  const bool whole = m.find("alg_bw") != nullptr && m.find("bus_bw") != nullptr && m.find("nwrong") != nullptr;
  const auto time = elapsed ? elapsed : of_cpu;
  if (!whole || !time || *time > nccl_json_longest_us) return std::nullopt;
  cpu_time |= !elapsed;
  NcclHalf h{.in_place = in_place,
             .time_us = *printed(time),
             .algbw_GBps = printed(m.amount("alg_bw")),
             .busbw_GBps = printed(m.amount("bus_bw")),
             .wrong = m.amount("nwrong")};
  const Json* per_iteration = Members(row).object(in_place ? "in_place_per_iter" : "out_of_place_per_iter");
  if (per_iteration != nullptr) h.samples = samples_of(*per_iteration, rows);
  return h;
}

std::optional<NcclRow> nccl_json_row(const Json& result, bool& cpu_time, NcclJsonRows& rows) {
  const Members m(result);
  const auto bytes = m.count("size");
  if (!bytes) return std::nullopt;
  NcclRow row{.bytes = *bytes, .count = m.count("count"), .type = m.text("type").value_or("")};
  if (const auto op = m.text("redop"); op && *op != "none") row.op = op;
  row.root = small_integer(trimmed(m.text("root").value_or("")));  // a padded string; -1 for none
  for (const bool in_place : {false, true})
    if (auto half = nccl_json_half(result, in_place, cpu_time, rows)) row.halves.push_back(*std::move(half));
  return row.halves.empty() ? std::nullopt : std::optional(std::move(row));
}

}  // namespace

void add_results(NcclJob& job, const Json& results, NcclJsonRows& rows) {
  int number = 0;
  for (const Json& result : results) {
    ++number;
    auto row = nccl_json_row(result, job.columns->cpu_time, rows);
    if (!row) {
      rows.torn.push_back(number);
      continue;
    }
    row->line = number;
    for (const NcclHalf& half : row->halves) job.device_samples |= half.samples.has_value();
    job.rows.push_back(*std::move(row));
  }
}

}  // namespace busbar
