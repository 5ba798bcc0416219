// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/calibrated_platform.hpp"

#include <map>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "reports/fit/loggp.hpp"
#include "reports/platform/interconnects.hpp"
#include "reports/text/text.hpp"

namespace busbar::fit {
namespace {

constexpr auto usual_gpu_link = "nvlink3";

/// Seconds per message at the smallest sizes; empty if the sweep does not determine it. For one-message sweeps: a call.
std::optional<double> message_s(const SweepFit& f) {
  const Curve& c = f.regions.front().best();
  const double value = c.coefficients[is_one_message(f.sweep) ? call_term : step_term];
  return (is_one_message(f.sweep) || c.step_known) && value > 0 ? std::optional(value) : std::nullopt;
}

/// B/s at the largest sizes; empty if time does not grow with size.
std::optional<double> bandwidth_Bps(const SweepFit& f) {
  const double s_per_byte = f.regions.back().best().coefficients[byte_term];
  return s_per_byte > 0 ? std::optional(1 / s_per_byte) : std::nullopt;
}

/// Latency and bandwidth from the same sweep, so that the platform reproduces its curve.
struct LevelFigures {
  const Sweep* sweep = nullptr;
  double latency_s = 0, bandwidth_Bps = 0;
};

/// Chooses among sweeps with both figures: single messages before collectives, then the lowest latency.
std::optional<LevelFigures> figures_of(const Fit& fit, std::string_view level) {
  std::optional<LevelFigures> best;
  const auto rank = [](const LevelFigures& f) { return std::pair(!is_one_message(*f.sweep), f.latency_s); };
  for (const SweepFit& f : fit.sweeps) {
    if (f.regions.empty() || f.sweep.level != level || is_stream(f.sweep)) continue;
    const auto latency = message_s(f);
    const auto bandwidth = bandwidth_Bps(f);
    if (!latency || !bandwidth) continue;
    const LevelFigures figures{.sweep = &f.sweep, .latency_s = *latency, .bandwidth_Bps = *bandwidth};
    if (!best || rank(figures) < rank(*best)) best = figures;
  }
  return best;
}

void refuse_several_environments(const Fit& fit) {
  const Sweep* first = nullptr;
  for (const SweepFit& f : fit.sweeps) {
    if (first != nullptr && f.sweep.label != first->label)
      throw UsageError(fmt::format("--platform: the runs are from several environments: {}; {}; fit one at a time",
                                   first->label.empty() ? "no labels" : first->label,
                                   f.sweep.label.empty() ? "no labels" : f.sweep.label));
    first = &f.sweep;
  }
}

Scale largest_between_nodes(const Fit& fit) {
  Scale most;
  for (const SweepFit& f : fit.sweeps)
    for (const Scale& s : f.sweep.scales())
      if (f.sweep.level == between_nodes && s.nodes > most.nodes) most = s;
  return most;
}

platform::GpuLink gpu_link_of(const Fit& fit, const PlatformRequest& request) {
  const auto node = figures_of(fit, in_node);
  if (!request.gpu_link.empty() || !node)
    return platform::find_gpu_link(request.gpu_link.empty() ? usual_gpu_link : request.gpu_link).figures;
  return {.name = "fitted", .bandwidth_Bps = node->bandwidth_Bps, .latency_s = node->latency_s};
}

/// Disables SMPI's own overheads: the fit includes them. docs/predicting.md describes each setting.
std::map<std::string, std::string> nothing_added() {
  return {{"smpi/bw-factor", "0:1"}, {"smpi/lat-factor", "0:1"},    {"smpi/os", "0:0:0:0:0"},  {"smpi/or", "0:0:0:0:0"},
          {"smpi/ois", "0:0:0:0:0"}, {"network/crosstraffic", "0"}, {"network/TCP-gamma", "0"}};
}

}  // namespace

platform::PlatformSpec calibrated(const Fit& fit, const PlatformRequest& request) {
  refuse_several_environments(fit);
  const auto network = figures_of(fit, between_nodes);
  if (!network)
    throw UsageError(
        "--platform: the cost of a message between nodes is unknown: measure small to large sizes of pairs on two "
        "nodes, or of a collective on two numbers of nodes");
  const Scale most = largest_between_nodes(fit);
  platform::PlatformSpec spec{.topology = request.topology,
                              .nodes = request.nodes > 0 ? request.nodes : most.nodes,
                              .gpus = static_cast<int>(most.per_node()),
                              .nics = 1};
  spec.interconnect = {.name = "fitted",
                       .bandwidth_Bps = network->bandwidth_Bps,
                       .latency_s = network->latency_s,
                       .switch_latency_s = 0,
                       .switch_ports = 64};
  if (spec.gpus > 1) spec.gpu_link = gpu_link_of(fit, request);
  spec.figures_from = fmt::format("fitted: {}", report::shortened(network->sweep->name(), 150));
  spec.config = nothing_added();
  return spec;
}

}  // namespace busbar::fit
