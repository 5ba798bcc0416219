// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/record/run_record.hpp"
#include "reports/expected/ceiling.hpp"
#include "reports/expected/protocols.hpp"

namespace busbar::expected {
namespace {

constexpr auto nvlink_ceiling_name = "NVLinks between GPUs of a node", links_between = "links between GPUs of a node";

struct Links {
  double GBps = 0;
  std::string source;
};

/// One-way rate of a GPU's NVLinks to the other GPUs of the set; links elsewhere do not count.
std::variant<Links, std::string> links_of(const GpuSet& set, std::size_t gpu) {
  const Gpu& g = set.host->gpus[gpu];
  const std::string name = name_of(set, gpu);
  if (!g.nvlinks || *g.nvlinks < 1) return name + ": its number of NVLinks is unknown";
  if (!g.nvlink_version) return name + ": its NVLink version is unknown";
  const auto each = nvlink_GBps(*g.nvlink_version);
  if (!each) return fmt::format("{}: the rate of NVLink {} is unknown", name, *g.nvlink_version);
  double lead_there = 0;
  for (const std::size_t other : set.gpus) lead_there += nvlinks_between(*set.host, gpu, other).value_or(0);
  const double used = std::min<double>(*g.nvlinks, lead_there);
  return Links{.GBps = used * *each,
               .source = fmt::format("{}: {:g} NVLinks {} x {:g} GB/s each way", name, used, *g.nvlink_version, *each)};
}

std::vector<CeilingResult> find_nvlink_ceilings(const CeilingInput& p) {
  const auto missing = [](std::string why) {
    return std::vector<CeilingResult>{Missing{.what = links_between, .why = std::move(why)}};
  };
  if (p.run.method.shared_gpu.value_or(false)) return missing("ranks shared a GPU");
  if (!on_own_gpus(p) || p.traffic.rank == 0) return {};
  if (!p.traffic.rank) return missing(p.traffic.missing);
  const auto& sets = p.machine.gpus;
  if (const auto* why = std::get_if<std::string>(&sets)) return missing(*why);
  std::optional<Links> least;
  for (const GpuSet& set : std::get<std::vector<GpuSet>>(sets)) {
    if (!set.joined) return missing(set.host->name + ": the record does not say how its GPUs are connected");
    if (set.joined == Joined::in_part) return missing(set.host->name + ": NVLinks connect only some pairs of its GPUs");
    if (set.joined == Joined::by_pcie) continue;
    for (const std::size_t gpu : set.gpus) {
      const auto found = links_of(set, gpu);
      if (const auto* why = std::get_if<std::string>(&found)) return missing(*why);
      if (const auto& links = std::get<Links>(found); !least || links.GBps < least->GBps) least = links;
    }
  }
  if (!least) return {};
  return {Ceiling{.busbw_GBps = busbw_at(least->GBps, *p.traffic.rank, p.record),
                  .what = nvlink_ceiling_name,
                  .overhead = "nothing deducted: NVIDIA does not publish the packet format",
                  .source = least->source}};
}

}  // namespace
}  // namespace busbar::expected

namespace busbar {

extern const expected::Place nvlink_ceiling{.name = "nvlink", .findings = expected::find_nvlink_ceilings};

}  // namespace busbar
