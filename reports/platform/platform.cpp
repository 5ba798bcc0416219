// SPDX-License-Identifier: Apache-2.0
#include "reports/platform/platform.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::platform {
namespace {

constexpr int most_switch_ports = 4096;

bool plausible(double bandwidth_Bps, double latency_s) {
  return bandwidth_Bps > 0 && bandwidth_Bps < 1e15 && latency_s >= 0 && latency_s < 10;
}

void check_counts(const PlatformSpec& s) {
  if (s.gpus < 1 || s.gpus > most_gpus)
    throw UsageError(fmt::format("--gpus: {} is not a number of GPUs per node from 1 to {}", s.gpus, most_gpus));
  if (s.nics < 1 || s.nics > s.gpus)
    throw UsageError(fmt::format(
        "--nics: {} is not a number of NICs from 1 to {}, the GPUs per node: each GPU uses one", s.nics, s.gpus));
  if (!(s.oversubscription >= 1 && s.oversubscription <= 64))
    throw UsageError(fmt::format("--oversubscription: {:g} is not a number from 1 to 64", s.oversubscription));
  if (s.nodes < 0) throw UsageError(fmt::format("--nodes: {} is below 1", s.nodes));
  if (s.radix < 0 || s.radix > most_switch_ports)
    throw UsageError(fmt::format("--radix: {} is not a number of ports from 1 to {}", s.radix, most_switch_ports));
}

void check_figures(const PlatformSpec& s) {
  if (!plausible(s.interconnect.bandwidth_Bps, s.interconnect.latency_s))
    throw UsageError("--interconnect: its bandwidth or latency is unknown; give --bandwidth and --latency");
  if (s.gpus > 1 && !plausible(s.gpu_link.bandwidth_Bps, s.gpu_link.latency_s))
    throw UsageError("--gpu-link: the bandwidth or latency between the GPUs of a node is unknown");
}

}  // namespace

std::unique_ptr<Topology> topology_of(const PlatformSpec& s) {
  check_counts(s);
  check_figures(s);
  const bool of_switches = family_of(s.topology).of_switches;
  auto topology =
      make_topology(s.topology, {.nodes = s.nodes,
                                 .radix = of_switches && s.radix == 0 ? s.interconnect.switch_ports : s.radix,
                                 .oversubscription = s.oversubscription});
  if (!topology->cables().empty() && !plausible(1, s.interconnect.switch_latency_s.value_or(-1)))
    throw UsageError(fmt::format("--switch-latency: the latency of a switch of {} is unknown", s.interconnect.name));
  return topology;
}

std::string host_name(const PlatformSpec& s, int rank) {
  return s.gpus == 1 ? fmt::format("n{}", rank) : fmt::format("n{}-g{}", rank / s.gpus, rank % s.gpus);
}

Overview overview_of(const PlatformSpec& s) {
  const auto t = topology_of(s);
  const double node_Bps = s.nics * s.interconnect.bandwidth_Bps;
  const Bisection cut = bisection(*t);
  Overview all{.topology = t->words(),
               .nodes = t->nodes(),
               .hosts = t->nodes() * s.gpus,
               .levels = t->levels(),
               .cables = static_cast<int>(t->cables().size()) * s.nics,
               .distances = distances(*t),
               .first_half = cut.nodes,
               .bisection_Bps = cut.flow * node_Bps,
               .half_of_nics_Bps = std::min(cut.nodes, t->nodes() - cut.nodes) * node_Bps,
               .routing = t->routing()};
  const double through_gpu_links = s.gpus > 1 && s.gpu_link.carries_network ? s.gpu_link.latency_s : 0;
  const auto latency = [&](int switches) {
    return s.interconnect.latency_s + (switches - 1) * s.interconnect.switch_latency_s.value_or(0) + through_gpu_links;
  };
  all.nearest_s = latency(std::max(1, all.distances.least));
  all.farthest_s = latency(std::max(1, all.distances.most));
  return all;
}

}  // namespace busbar::platform
