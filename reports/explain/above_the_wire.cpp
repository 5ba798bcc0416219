// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "core/units.hpp"
#include "reports/explain/network.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text.hpp"

/// Source: NVIDIA nccl-tests, doc/PERFORMANCE.md (busbw is by the factor of a flat ring).
namespace busbar::explain {
namespace {

/// What one NVLink carries in one direction by its version, GB/s. Sources: NVIDIA's data sheets of V100 (6 links, 300
/// GB/s both ways), A100 (12, 600), H100 (18, 900), B200 (18, 1800); P100 for the first.
std::optional<double> link_GBps(const std::string& version) {
  if (version.starts_with("1.")) return 20;
  if (version.starts_with("2.") || version.starts_with("3.") || version.starts_with("4.")) return 25;
  if (version.starts_with("5.")) return 50;
  return std::nullopt;
}

/// The line that a flat ring cannot exceed, and what it is.
struct Wire {
  double GBps = 0;
  std::string what;
};

std::optional<Wire> between_nodes(const Run& run) {
  const auto ports = rdma_GBps(run);
  if (!ports) return std::nullopt;
  return Wire{*ports,
              fmt::format("the {:.3g} GB/s that the active RDMA ports of a host carry in one direction", *ports)};
}

std::optional<Wire> inside_node(const Run& run) {
  std::optional<double> least;
  for (const Host& host : run.head.hosts)
    for (const Gpu& gpu : host.gpus) {
      const auto link = gpu.nvlink_version ? link_GBps(*gpu.nvlink_version) : std::nullopt;
      if (!link || !gpu.nvlinks || *gpu.nvlinks <= 0) return std::nullopt;
      least = std::min(least.value_or(*link * *gpu.nvlinks), *link * *gpu.nvlinks);
    }
  if (!least) return std::nullopt;
  return Wire{*least, fmt::format("the {:.3g} GB/s that the NVLinks of a GPU carry in one direction", *least)};
}

std::string why(const CaseRecord& c) {
  if (!c.choice)
    return "The record does not say which algorithm NCCL used. Trees (between two nodes, nearly twice a ring), NVLink "
           "switches that add up (NVLS) and switches of the network that do (CollNet, SHARP) all send less than a "
           "ring.";
  const std::string& a = c.choice->algorithm;
  const std::string chosen = fmt::format("NCCL used {}. ", shortened(text_of(*c.choice)));
  if (a.starts_with("nvls"))
    return chosen + "The NVLink switches add up, so that a GPU sends its data once where a ring does nearly twice.";
  if (a.starts_with("collnet"))
    return chosen +
           "Switches of the network add up, so that a host sends its data once where a ring does nearly twice.";
  if (a == "tree")
    return chosen + "Between two nodes a tree makes each host send its data once, where a ring does nearly twice.";
  if (a == "ring")
    return chosen + "A ring does carry its busbw: the links are faster than the record says, or there are more.";
  return chosen + "It does not send what a flat ring does.";
}

/// Collectives whose busbw is what each link of a flat ring carries, also between nodes.
bool like_a_ring(const CaseRecord& c) {
  static constexpr std::array<std::string_view, 5> names{"allreduce", "allgather", "reduce_scatter", "broadcast",
                                                         "reduce"};
  return c.status == Status::ok && c.key.kind == "collective" && c.key.backend == "nccl" && c.busbw_GBps &&
         std::ranges::find(names, c.key.collective) != names.end();
}

void add(const Run& run, bool several_nodes, const std::optional<Wire>& wire, std::vector<Finding>& found) {
  if (!wire) return;
  std::vector<const CaseRecord*> above;
  std::size_t all = 0;
  for (const CaseRecord& c : run.cases) {
    if (!like_a_ring(c) || (c.key.nodes.value_or(1) > 1) != several_nodes) continue;
    ++all;
    if (*c.busbw_GBps > wire->GBps) above.push_back(&c);
  }
  if (above.empty()) return;
  const CaseRecord& most = **std::ranges::max_element(above, {}, [](const CaseRecord* c) { return *c->busbw_GBps; });
  found.push_back({.certainty = most.choice ? Certainty::known : Certainty::likely,
                   .title = fmt::format("busbw is above what the links carry in {}", of_cases(above.size(), all)),
                   .evidence = {fmt::format("{}: busbw {} GB/s, above {}.", case_name(most),
                                            report::bandwidth(most.busbw_GBps), wire->what),
                                "busbw is what a flat ring would carry in that time, by its factor alone.", why(most)},
                   .tries = {"To see what the links do, measure with a ring: --algorithm ring, or NCCL_ALGO=RING.",
                             "algbw (size over time) is what a program gets, whatever the algorithm."},
                   .where = where(above)});
}

bool has_data(const Run& run) {
  return std::ranges::any_of(run.cases, like_a_ring) && (between_nodes(run) || inside_node(run));
}

std::vector<Finding> look(const Run& run) {
  if (run.head.method.shared_gpu.value_or(false)) return {};
  std::vector<Finding> found;
  add(run, true, between_nodes(run), found);
  add(run, false, inside_node(run), found);
  return found;
}

}  // namespace
}  // namespace busbar::explain

namespace busbar {

extern const explain::Rule above_the_wire{
    .name = "above_the_wire",
    .about = "busbw is above what the links carry, since the algorithm is no ring",
    .order = 180,
    .has_data = explain::has_data,
    .look = explain::look,
};

}  // namespace busbar
