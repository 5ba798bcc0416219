// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/runs/rank_rows.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"

namespace busbar::report {
namespace {

/// The GPU of one rank over all cases of a run.
struct Whole {
  std::vector<const GpuTelemetry*> cases;
  std::vector<std::optional<double>> started_s;  ///< per case, since the start of the run

  [[nodiscard]] const GpuTelemetry& last() const { return *cases.back(); }
};

using Reading = std::optional<Spread> GpuTelemetry::*;
using Counter = std::optional<std::uint64_t> GpuTelemetry::*;

/// "1410 to 1980 of 1980": minimum, maximum and limit; "unknown" without readings.
std::string range(const Whole& gpu, Reading which, std::optional<double> limit) {
  std::optional<double> least, most;
  for (const GpuTelemetry* t : gpu.cases)
    if (const auto& s = t->*which) {
      least = std::min(least.value_or(s->min), s->min);
      most = std::max(most.value_or(s->max), s->max);
    }
  if (!least) return std::string(unknown);
  return fmt::format("{:.0f} to {:.0f}{}", *least, *most, limit ? fmt::format(" of {:.0f}", *limit) : "");
}

/// Over the cases that have the counter; empty if none has it.
std::optional<std::uint64_t> sum_over_cases(const Whole& gpu, Counter which) {
  std::optional<std::uint64_t> all;
  for (const GpuTelemetry* t : gpu.cases)
    if (const auto& n = t->*which) all = all.value_or(0) + *n;
  return all;
}

std::string sent_bytes(const Whole& gpu, Counter which) {
  const auto all = sum_over_cases(gpu, which);
  if (!all) return std::string(unknown);
  return *all < 1'000'000 ? fmt::format("{} B", *all) : fmt::format("{:.4g} GB", static_cast<double>(*all) * 1e-9);
}

/// "gen 5 x 16 of gen 5 x 16"
std::string pcie_cell(const GpuTelemetry& t) {
  if (!t.pcie_gen || !t.pcie_width) return std::string(unknown);
  const std::string now = fmt::format("gen {} x {}", *t.pcie_gen, *t.pcie_width);
  return t.pcie_gen_max && t.pcie_width_max ? fmt::format("{} of gen {} x {}", now, *t.pcie_gen_max, *t.pcie_width_max)
                                            : now;
}

std::string nvlink_cell(const GpuTelemetry& t) {
  if (!t.nvlinks) return std::string(unknown);
  return t.nvlink_version ? fmt::format("{} of version {}", *t.nvlinks, *t.nvlink_version) : std::to_string(*t.nvlinks);
}

/// "3 of 12 cases: sw_power_cap"; "no" if none was throttled, "unknown" without data.
std::string throttling(const Whole& gpu) {
  std::vector<std::string> reasons;
  std::size_t told = 0, held = 0;
  for (const GpuTelemetry* t : gpu.cases) {
    if (t->throttled) ++told;
    if (!t->throttled.value_or(false)) continue;
    ++held;
    for (const ThrottlingReason& reason : throttling_reasons(*t))
      if (std::ranges::find(reasons, reason.word) == reasons.end()) reasons.emplace_back(reason.word);
  }
  if (told == 0) return std::string(unknown);
  return held == 0 ? "no" : fmt::format("{} of {} cases: {}", held, told, list(reasons));
}

/// "sw_power_cap 1.2 s, sync_boost 3 s of 24 s"; "none of 24 s"; "unknown" without counters.
std::string throttled_time(const Whole& gpu) {
  std::map<std::string, double> times_s;
  double span_s = 0;
  for (const GpuTelemetry* t : gpu.cases) {
    if (!t->throttle_time_s.empty()) span_s += t->span_s.value_or(0);
    for (const auto& [reason, time_s] : t->throttle_time_s) times_s[reason] += time_s;
  }
  if (times_s.empty()) return std::string(unknown);
  std::vector<std::string> limiting;
  for (const auto& [reason, time_s] : times_s)
    if (time_s > 0) limiting.push_back(fmt::format("{} {}", reason, format_duration(time_s)));
  return fmt::format("{} of {}", limiting.empty() ? "none" : list(limiting, limiting.size()), format_duration(span_s));
}

/// "8400 J, 350 W on average" over cases with long enough visits; "unknown" without counters.
std::string energy_cell(const Whole& gpu) {
  double energy_J = 0, span_s = 0;
  bool counted = false;
  for (const GpuTelemetry* t : gpu.cases) {
    counted = counted || t->energy_J;
    if (!energy_per_call(*t)) continue;
    energy_J += *t->energy_J;
    span_s += *t->span_s;
  }
  if (span_s > 0) return fmt::format("{:.4g} J, {:.0f} W on average", energy_J, energy_J / span_s);
  return counted ? "visits are too short" : std::string(unknown);
}

std::string errors(const Whole& gpu) {
  const auto corrected = sum_over_cases(gpu, &GpuTelemetry::ecc_corrected);
  const auto others = sum_over_cases(gpu, &GpuTelemetry::ecc_uncorrected);
  if (!corrected || !others) return std::string(unknown);
  return *corrected + *others == 0 ? "none" : fmt::format("{} corrected, {} uncorrected", *corrected, *others);
}

using ByRank = std::map<std::size_t, Whole>;

ByRank by_rank(const Run& run) {
  ByRank all;
  for (const CaseRecord& c : run.cases)
    for (std::size_t r = 0; r < c.telemetry.size(); ++r)
      if (c.telemetry[r].readings > 0) {
        Whole& gpu = all[static_cast<std::size_t>(rank_of_row(c, r))];
        gpu.cases.push_back(&c.telemetry[r]);
        gpu.started_s.push_back(c.started_s);
      }
  return all;
}

/// The lowest median SM clock among the cases; 0 if unknown.
double lowest_clock(const Whole& gpu) {
  double least = std::numeric_limits<double>::infinity();
  for (const GpuTelemetry* t : gpu.cases)
    if (t->sm_clock_MHz) least = std::min(least, t->sm_clock_MHz->median);
  return std::isinf(least) ? 0 : least;
}

/// The ranks with the lowest clocks, as many as there are colours.
std::vector<std::size_t> drawn_ranks(const ByRank& gpus) {
  std::vector<std::size_t> ranks;
  for (const auto& [rank, gpu] : gpus) ranks.push_back(rank);
  std::ranges::stable_sort(ranks, {}, [&](std::size_t rank) { return lowest_clock(gpus.at(rank)); });
  ranks.resize(std::min(ranks.size(), colours));
  std::ranges::sort(ranks);
  return ranks;
}

/// A reading over the run: one median per case.
Plot gpus_plot(const ByRank& gpus, const std::vector<std::size_t>& ranks, Reading which, const std::string& title) {
  Plot plot;
  Range x{0, 1}, y{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t line = 0; line < ranks.size(); ++line) {
    const Whole& gpu = gpus.at(ranks[line]);
    for (std::size_t i = 0; i < gpu.cases.size(); ++i) {
      const auto& spread = gpu.cases[i]->*which;
      const auto& started_s = gpu.started_s[i];
      if (!spread || !started_s) continue;
      x.high = std::max(x.high, *started_s);
      y = {std::min(y.low, spread->median), std::max(y.high, spread->median)};
      plot.marks.push_back({.line = line,
                            .x = *started_s,
                            .value = spread->median,
                            .facts = {{"rank", std::to_string(ranks[line])},
                                      {"case start", duration(started_s)},
                                      {"median", fmt::format("{:g}", spread->median)},
                                      {"least", fmt::format("{:g}", spread->min)},
                                      {"most", fmt::format("{:g}", spread->max)}}});
    }
  }
  const double margin = std::max(1.0, 0.08 * (y.high - y.low));
  plot.x = linear_axis("case start in the run (s)", {-0.02 * x.high, 1.02 * x.high});
  plot.y = linear_axis(title, {std::max(0.0, y.low - margin), y.high + margin});
  return plot;
}

Table gpu_rank_table(const ByRank& gpus, const std::string& name) {
  Table t{.title = name,
          .columns = make_columns(
              {{number, {"rank"}},
               {ColumnKind::text,
                {"SM clock (MHz)", "memory clock (MHz)", "power (W)", "temperature (C)", "energy", "throttled",
                 "throttled time", "PCIe", "NVLinks", "sent over NVLink", "sent over PCIe", "memory errors"}}})};
  for (const auto& [rank, gpu] : gpus)
    t.rows.push_back({std::to_string(rank), range(gpu, &GpuTelemetry::sm_clock_MHz, gpu.last().sm_clock_max_MHz),
                      range(gpu, &GpuTelemetry::memory_clock_MHz, gpu.last().memory_clock_max_MHz),
                      range(gpu, &GpuTelemetry::power_W, gpu.last().power_limit_W),
                      range(gpu, &GpuTelemetry::temperature_C, std::nullopt), energy_cell(gpu), throttling(gpu),
                      throttled_time(gpu), pcie_cell(gpu.last()), nvlink_cell(gpu.last()),
                      sent_bytes(gpu, &GpuTelemetry::nvlink_tx_bytes), sent_bytes(gpu, &GpuTelemetry::pcie_tx_bytes),
                      errors(gpu)});
  return t;
}

/// Median readings of each case: the data of the plots.
Table readings(const ByRank& gpus, const std::vector<std::size_t>& ranks) {
  Table t{.title = "Median readings of each case",
          .columns =
              make_columns({{number, {"rank", "case start (s)", "SM clock (MHz)", "power (W)", "temperature (C)"}}})};
  const auto text = [](const std::optional<Spread>& s) { return s ? fmt::format("{:g}", s->median) : "-"; };
  for (const std::size_t rank : ranks) {
    const Whole& gpu = gpus.at(rank);
    for (std::size_t i = 0; i < gpu.cases.size(); ++i)
      t.rows.push_back({std::to_string(rank), gpu.started_s[i] ? fmt::format("{:.1f}", *gpu.started_s[i]) : "-",
                        text(gpu.cases[i]->sm_clock_MHz), text(gpu.cases[i]->power_W),
                        text(gpu.cases[i]->temperature_C)});
  }
  return t;
}

/// SM clock, power and temperature over the run; no plots if all are unknown or there is one case.
Figure over_the_run(const ByRank& gpus, const std::string& name) {
  const auto ranks = drawn_ranks(gpus);
  Figure figure{.title = name + ": over the run",
                .caption = "Medians over the readings of each case. Half of the readings precede its calls."};
  if (ranks.size() < gpus.size())
    figure.caption += fmt::format(" Shown: the {} of {} ranks with the lowest clocks.", ranks.size(), gpus.size());
  for (const std::size_t rank : ranks) add_line(figure, fmt::format("rank {}", rank));
  for (const auto& [which, title] :
       {std::pair(&GpuTelemetry::sm_clock_MHz, "SM clock (MHz)"), std::pair(&GpuTelemetry::power_W, "power (W)"),
        std::pair(&GpuTelemetry::temperature_C, "temperature (C)")}) {
    Plot plot = gpus_plot(gpus, ranks, which, title);
    if (plot.marks.size() > ranks.size()) figure.plots.push_back(std::move(plot));
  }
  figure.tables = {readings(gpus, ranks)};
  return figure;
}

std::vector<Block> gpus_blocks(const Material& material) {
  const auto& runs = material.runs();
  const auto& names = material.names();
  std::vector<Block> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ByRank gpus = by_rank(runs[i]);
    if (gpus.empty()) continue;
    if (Figure f = over_the_run(gpus, names[i]); !f.plots.empty()) all.emplace_back(std::move(f));
    all.emplace_back(gpu_rank_table(gpus, names[i]));
  }
  if (!all.empty())
    all.emplace_back(Paragraph{
        "Clocks, power and temperature are single readings: minimum and maximum of all, and the limit of the GPU. Each "
        "visit of a case has two, one before its warm-up and one right after its samples. Energy, throttled time and "
        "bytes are differences of counters over the visits, including warm-up. Throttled: power, temperature or the "
        "supply limited the clocks, for more than 1 % of the time or, for a reason without a counter, in at least one "
        "reading."});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section gpus{
    .name = "gpus", .title = "GPU telemetry", .blocks = report::gpus_blocks, .folded = true};

}  // namespace busbar
