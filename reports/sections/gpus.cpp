// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/units.hpp"
#include "reports/material.hpp"
#include "reports/text.hpp"

namespace busbar::report {
namespace {

/// One rank's GPU over all cases of a run.
struct Whole {
  std::vector<const GpuTelemetry*> cases;

  [[nodiscard]] const GpuTelemetry& last() const { return *cases.back(); }
};

using Quantity = std::optional<Spread> GpuTelemetry::*;
using Counter = std::optional<std::uint64_t> GpuTelemetry::*;

/// "1410 to 1980 of 1980": least, most and limit; "unknown" where none was read.
std::string range(const Whole& gpu, Quantity which, std::optional<double> limit) {
  std::optional<double> least, most;
  for (const GpuTelemetry* t : gpu.cases)
    if (const auto& s = t->*which) {
      least = std::min(least.value_or(s->min), s->min);
      most = std::max(most.value_or(s->max), s->max);
    }
  if (!least) return std::string(unknown);
  return fmt::format("{:.0f} to {:.0f}{}", *least, *most, limit ? fmt::format(" of {:.0f}", *limit) : "");
}

std::string sum(const Whole& gpu, Counter which) {
  std::optional<std::uint64_t> all;
  for (const GpuTelemetry* t : gpu.cases)
    if (const auto& n = t->*which) all = all.value_or(0) + *n;
  if (!all) return std::string(unknown);
  return *all < 1'000'000 ? fmt::format("{} B", *all) : fmt::format("{:.4g} GB", static_cast<double>(*all) * 1e-9);
}

/// "gen 5 x 16 of gen 5 x 16"
std::string pcie(const GpuTelemetry& t) {
  if (!t.pcie_gen || !t.pcie_width) return std::string(unknown);
  const std::string now = fmt::format("gen {} x {}", *t.pcie_gen, *t.pcie_width);
  return t.pcie_gen_max && t.pcie_width_max ? fmt::format("{} of gen {} x {}", now, *t.pcie_gen_max, *t.pcie_width_max)
                                            : now;
}

std::string nvlinks(const GpuTelemetry& t) {
  if (!t.nvlinks) return std::string(unknown);
  return t.nvlink_version ? fmt::format("{} of version {}", *t.nvlinks, *t.nvlink_version) : std::to_string(*t.nvlinks);
}

/// "3 of 12 cases: sw_power_cap"; "no" where none was, "unknown" where none tells.
std::string throttling(const Whole& gpu) {
  std::vector<std::string> reasons;
  std::size_t told = 0, held = 0;
  for (const GpuTelemetry* t : gpu.cases) {
    if (t->throttled) ++told;
    if (!t->throttled.value_or(false)) continue;
    ++held;
    for (const ReasonShare& share : t->clock_reasons)
      for (const ClockReason& reason : clock_reasons())
        if (reason.throttles && reason.word == share.reason &&
            std::ranges::find(reasons, share.reason) == reasons.end())
          reasons.push_back(share.reason);
  }
  if (told == 0) return std::string(unknown);
  return held == 0 ? "no" : fmt::format("{} of {} cases: {}", held, told, list(reasons));
}

std::string errors(const Whole& gpu) {
  std::optional<std::uint64_t> corrected, others;
  for (const GpuTelemetry* t : gpu.cases) {
    if (t->ecc_corrected) corrected = corrected.value_or(0) + *t->ecc_corrected;
    if (t->ecc_uncorrected) others = others.value_or(0) + *t->ecc_uncorrected;
  }
  if (!corrected || !others) return std::string(unknown);
  return *corrected + *others == 0 ? "none" : fmt::format("{} corrected, {} not", *corrected, *others);
}

std::map<std::size_t, Whole> by_rank(const Run& run) {
  std::map<std::size_t, Whole> all;
  for (const CaseRecord& c : run.cases)
    for (std::size_t r = 0; r < c.telemetry.size(); ++r)
      if (c.telemetry[r].readings > 0) all[r].cases.push_back(&c.telemetry[r]);
  return all;
}

Table table_of(const Run& run, const std::string& name) {
  Table t{.title = name,
          .columns = {{"rank", ColumnKind::number},
                      {"SM clock (MHz)"},
                      {"memory clock (MHz)"},
                      {"power (W)"},
                      {"temperature (C)"},
                      {"throttled"},
                      {"PCIe"},
                      {"NVLinks"},
                      {"sent over NVLink"},
                      {"sent over PCIe"},
                      {"memory errors"}},
          .rows = {}};
  for (const auto& [rank, gpu] : by_rank(run))
    t.rows.push_back({std::to_string(rank), range(gpu, &GpuTelemetry::sm_clock_MHz, gpu.last().sm_clock_max_MHz),
                      range(gpu, &GpuTelemetry::memory_clock_MHz, gpu.last().memory_clock_max_MHz),
                      range(gpu, &GpuTelemetry::power_W, gpu.last().power_limit_W),
                      range(gpu, &GpuTelemetry::temperature_C, std::nullopt), throttling(gpu), pcie(gpu.last()),
                      nvlinks(gpu.last()), sum(gpu, &GpuTelemetry::nvlink_tx_bytes),
                      sum(gpu, &GpuTelemetry::pcie_tx_bytes), errors(gpu)});
  return t;
}

std::vector<Block> blocks(const Material& material) {
  const auto& runs = material.runs();
  const auto& names = material.names();
  std::vector<Block> all;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (Table t = table_of(runs[i], names[i]); !t.rows.empty()) all.emplace_back(std::move(t));
  if (!all.empty())
    all.emplace_back(Paragraph{
        "Least and most of all readings, one before the warm-up of each visit of a case and one right behind its "
        "samples, and what the GPU allows. Bytes are those of visits, with their warm-up. Throttled: power, "
        "temperature "
        "or the supply held the clocks down at some reading."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section gpus{.name = "gpus", .title = "What the GPUs did", .blocks = report::blocks};

}  // namespace busbar
