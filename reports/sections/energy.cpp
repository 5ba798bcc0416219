// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

bool counts_energy(const CaseRecord& c) {
  return std::ranges::any_of(c.telemetry, [](const GpuTelemetry& t) { return t.energy_J.has_value(); });
}

/// All GPUs of a case, over its visits.
struct CaseEnergy {
  std::size_t gpus = 0;
  double energy_J = 0;
  double power_W = 0;  ///< per GPU: mean over its visits, then mean over GPUs
};

/// Requires that the case's energy per call is known.
CaseEnergy energy_of(const CaseRecord& c) {
  CaseEnergy all;
  for (const GpuTelemetry* gpu : each_gpu(c.telemetry)) {
    ++all.gpus;
    all.energy_J += *gpu->energy_J;
    all.power_W += *gpu->energy_J / *gpu->span_s;
  }
  all.power_W /= static_cast<double>(all.gpus);
  return all;
}

std::string joules(double energy_J) { return fmt::format("{:.3g}", energy_J); }

/// Energy of a step per sample; "-" for collectives and unknown batch sizes.
std::string per_sample(const CaseRecord& c, const EnergyPerCall& step) {
  const auto samples = c.key.training ? samples_per_step(*c.key.training, c.key.ranks) : std::nullopt;
  return samples ? joules(step.energy_J / *samples) : "-";
}

std::vector<std::string> energy_row(const CaseRecord& c, const EnergyPerCall& each) {
  const CaseEnergy all = energy_of(c);
  return {c.key.training ? subject(c.key) : fmt::format("{} {}", subject(c.key), format_size(c.key.bytes)),
          describe(c.key),
          std::to_string(all.gpus),
          fmt::format("{:.4g}", all.energy_J),
          fmt::format("{:.0f}", all.power_W),
          joules(each.energy_J),
          fmt::format("{:.0f}", 100 * each.error_share),
          per_sample(c, each)};
}

Table energy_table(const Run& run, const std::string& name) {
  Table t{.title = name,
          .columns = make_columns({{ColumnKind::name, {"case"}},
                                   {ColumnKind::text, {"set-up"}},
                                   {number,
                                    {"GPUs", "energy of the visits (J)", "mean power per GPU (W)",
                                     "energy per call or step (J)", "counter error (+-%)"}}})};
  bool training = false;
  for (const CaseRecord& c : run.cases)
    if (const auto each = energy_per_call(c.telemetry)) {
      t.rows.push_back(energy_row(c, *each));
      training = training || c.key.training;
    }
  if (training)
    t.columns.push_back({"energy per sample (J)", number});
  else
    for (auto& cells : t.rows) cells.pop_back();
  return t;
}

Paragraph about_energy() {
  return {fmt::format(
      "Energy of all GPUs of a case together, by their counters, over its visits. A visit has warm-up calls, timed "
      "calls, checks and pauses; energy per call or step is the energy of the visits over all of their calls or steps, "
      "so it is more than a call alone takes. Hosts, switches and NICs are not in it. Counter error: a counter may be "
      "{:.0f} ms behind at either end of a visit. Cases in which that is more than {:.0f} %, or in which the energy of "
      "some GPU is unknown, are left out; busbar-bench -n N makes visits of N / 10 samples.",
      1000 * energy_update_s, 100 * most_energy_error_share)};
}

std::vector<Block> energy_blocks(const Material& material) {
  std::vector<Block> all;
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const Run& run = material.runs()[i];
    const auto counted = std::ranges::count_if(run.cases, counts_energy);
    if (counted == 0) continue;
    Table t = energy_table(run, material.names()[i]);
    const auto shown = static_cast<std::ptrdiff_t>(t.rows.size());
    if (shown > 0) all.emplace_back(std::move(t));
    if (shown < counted)
      all.emplace_back(Paragraph{fmt::format("{}: {} of {} whose energy was counted are left out.", material.names()[i],
                                             counted - shown, plural(counted, "case"))});
  }
  if (!all.empty()) all.emplace_back(about_energy());
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section energy{
    .name = "energy", .title = "Energy", .blocks = report::energy_blocks, .folded = true};

}  // namespace busbar
