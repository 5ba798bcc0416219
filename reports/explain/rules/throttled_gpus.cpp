// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/runs/rank_rows.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr double least_throttled_share = 0.05;  ///< minimum fraction of a GPU's time or readings: fewer readings can
                                                ///< come from a change of clocks (NVML documentation)
constexpr double least_in_case = 0.5, least_readings = 10;  ///< or this fraction of one case with enough readings

/// A throttling reason, and whether NVML counts its time.
using Limit = std::pair<std::string, bool>;

/// One rank's GPU over all cases.
struct GpuThrottling {
  double readings = 0, span_s = 0;       ///< over cases with throttling data
  std::map<Limit, double> held;          ///< per reason: seconds if NVML counts its time, else readings
  double worst_in_case = 0;              ///< largest share of a reason in a case with enough readings
  std::size_t throttled = 0, cases = 0;  ///< numbers of cases
  std::optional<double> lowest_MHz;      ///< SM clock in throttled cases
  std::vector<double> clocks_MHz;        ///< per throttled case: median SM clock
  std::optional<double> clock_max_MHz, power_limit_W, power_W, temperature_C;  ///< last two: highest reading
};

void raise(std::optional<double>& to, double value) { to = std::max(to.value_or(value), value); }

void add_throttled_gpu(GpuThrottling& gpu, const GpuTelemetry& t) {
  if (!t.throttled) return;
  ++gpu.cases;
  const auto readings = static_cast<double>(t.readings);
  gpu.readings += readings;
  gpu.span_s += t.span_s.value_or(0);
  for (const ThrottlingReason& r : throttling_reasons(t)) {
    const double share = std::clamp(r.share, 0.0, 1.0);
    gpu.held[{std::string(r.word), r.counted}] += share * (r.counted ? *t.span_s : readings);
    if (readings >= least_readings) gpu.worst_in_case = std::max(gpu.worst_in_case, share);
  }
  if (t.sm_clock_max_MHz) gpu.clock_max_MHz = t.sm_clock_max_MHz;
  if (t.power_limit_W) gpu.power_limit_W = t.power_limit_W;
  if (!*t.throttled) return;
  ++gpu.throttled;
  if (t.sm_clock_MHz) {
    gpu.clocks_MHz.push_back(t.sm_clock_MHz->median);
    gpu.lowest_MHz = std::min(gpu.lowest_MHz.value_or(t.sm_clock_MHz->min), t.sm_clock_MHz->min);
  }
  if (t.power_W) raise(gpu.power_W, t.power_W->max);
  if (t.temperature_C) raise(gpu.temperature_C, t.temperature_C->max);
}

double share_of(const GpuThrottling& gpu, const Limit& limit) {
  const double all = limit.second ? gpu.span_s : gpu.readings;
  return all > 0 ? gpu.held.at(limit) / all : 0;
}

/// Share of the reason that applied longest.
double share(const GpuThrottling& gpu) {
  double most = 0;
  for (const auto& [limit, held] : gpu.held) most = std::max(most, share_of(gpu, limit));
  return most;
}

/// False if the clock stayed at its maximum: throttling then cost nothing.
bool slowed(const GpuThrottling& gpu) {
  return !gpu.lowest_MHz || !gpu.clock_max_MHz || *gpu.lowest_MHz < 0.99 * *gpu.clock_max_MHz;
}

bool counts(const GpuThrottling& gpu) {
  return gpu.throttled > 0 && slowed(gpu) &&
         (share(gpu) >= least_throttled_share || gpu.worst_in_case >= least_in_case);
}

/// "rank 1 (gpu-1): sw_power_cap for 40 % of the time, hw_slowdown in 3.0 % of its readings, in 4 of 12 cases; median
/// SM clock then 1200 of 1980 MHz, power up to 700 of 700 W, temperature up to 88 C."
std::string throttled_gpus_sentence(const Run& run, int rank, const GpuThrottling& gpu) {
  std::string text = rank_name(run, rank) + ": ";
  for (const auto& [limit, held] : gpu.held)
    text += fmt::format("{} {} {} of {}, ", limit.first, limit.second ? "for" : "in", percent(share_of(gpu, limit)),
                        limit.second ? "the time" : "its readings");
  text += "in " + of_cases(gpu.throttled, gpu.cases);
  const auto of = [](std::optional<double> most) { return most ? fmt::format(" of {:.0f}", *most) : ""; };
  if (!gpu.clocks_MHz.empty())
    text += fmt::format("; median SM clock then {:.0f}{} MHz", median_of(gpu.clocks_MHz), of(gpu.clock_max_MHz));
  if (gpu.power_W) text += fmt::format(", power up to {:.0f}{} W", *gpu.power_W, of(gpu.power_limit_W));
  if (gpu.temperature_C) text += fmt::format(", temperature up to {:.0f} C", *gpu.temperature_C);
  return text + ".";
}

/// `read`: ranks whose GPUs told their limits.
std::string throttled_gpus_title(std::size_t throttled, std::size_t read, std::size_t ranks) {
  const std::string text = fmt::format("the GPUs of {} of {} ranks were throttled", throttled, read);
  return read < ranks ? fmt::format("{}; unknown of the other {}", text, ranks - read) : text;
}

std::vector<std::string> throttled_gpus_tries(const std::map<int, GpuThrottling>& gpus) {
  bool power = false, heat = false, supply = false;
  for (const auto& [rank, gpu] : gpus)
    for (const auto& [limit, held] : gpu.held) {
      const std::string& word = limit.first;
      power = power || word == "sw_power_cap";
      heat = heat || word.find("thermal") != std::string::npos || word == "hw_slowdown";
      supply = supply || word == "hw_power_brake_slowdown";
    }
  std::vector<std::string> all{"Run nvidia-smi -q -d PERFORMANCE,POWER,TEMPERATURE,CLOCK on those hosts during a run."};
  if (power)
    all.emplace_back(
        "sw_power_cap: the GPU is at its power limit, which is normal under full load. If it matters, raise the limit "
        "(nvidia-smi -pl). To compare runs, lock all GPUs to one clock (nvidia-smi -lgc).");
  if (heat) all.emplace_back("Temperature: check fans, air flow and neighbouring devices; cool, then measure again.");
  if (supply) all.emplace_back("Power brake: check the power supplies of the host and their limits.");
  return all;
}

std::vector<Finding> find_throttled_gpus(const Run& run) {
  std::map<int, GpuThrottling> gpus;
  for (const CaseRecord& c : run.cases)
    for (std::size_t row = 0; row < c.telemetry.size(); ++row)
      add_throttled_gpu(gpus[report::rank_of_row(c, row)], c.telemetry[row]);
  std::erase_if(gpus, [](const auto& entry) { return entry.second.cases == 0; });  // nothing was read
  const auto all = gpus.size();
  std::erase_if(gpus, [](const auto& entry) { return !counts(entry.second); });
  if (gpus.empty()) return {};
  std::vector<std::pair<int, const GpuThrottling*>> worst;
  for (const auto& [rank, gpu] : gpus) worst.emplace_back(rank, &gpu);
  std::ranges::sort(worst, {}, [](const auto& entry) { return std::pair(-share(*entry.second), entry.first); });
  Finding f{.certainty = Certainty::known,
            .title = throttled_gpus_title(gpus.size(), all, static_cast<std::size_t>(run.head.ranks)),
            .tries = throttled_gpus_tries(gpus)};
  for (std::size_t i = 0; i < std::min<std::size_t>(worst.size(), 3); ++i)
    f.evidence.push_back(throttled_gpus_sentence(run, worst[i].first, *worst[i].second));
  if (gpus.size() < all)
    f.evidence.emplace_back("A collective waits for its slowest rank: a few slow GPUs slow down all ranks.");
  std::set<std::string> hosts;
  for (const auto& [rank, gpu] : gpus) {
    f.where.ranks.push_back(rank);
    if (auto host = host_of(run, rank); !host.empty()) hosts.insert(std::move(host));
  }
  f.where.hosts = {hosts.begin(), hosts.end()};
  return {f};
}

}  // namespace

extern const Rule throttled_gpus{
    .name = "throttled_gpus",
    .about = "power limit, temperature or power supply throttled GPUs",
    .order = 40,
    .suspicious = true,
    .has_data = any_case_has<&CaseRecord::throttled>,
    .look = find_throttled_gpus,
};

}  // namespace busbar::explain
