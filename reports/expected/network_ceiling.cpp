// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/expected/ceiling.hpp"

namespace busbar::expected {
namespace {

constexpr auto network_ceiling_name = "network between nodes";

CeilingResult missing_ceiling(std::string why) { return Missing{.what = network_ceiling_name, .why = std::move(why)}; }

CeilingResult full_at(const CeilingInput& p, double GBps, Ceiling c) {
  c.busbw_GBps = busbw_at(GBps, *p.traffic.node, p.record);
  if (p.traffic.node_least) c.any_algorithm_GBps = busbw_at(GBps, *p.traffic.node_least, p.record);
  return c;
}

/// All nodes send the same amount, so the slowest network limits busbw.
CeilingResult by_facts(const CeilingInput& p) {
  if (p.run.hosts.size() < static_cast<std::size_t>(*p.record.key.nodes))
    return missing_ceiling("the record does not describe all nodes; give the rate with --line-rate");
  if (const auto* why = std::get_if<std::string>(&p.machine.network))
    return missing_ceiling(*why + "; give the rate with --line-rate");
  const auto& network = std::get<NodeNetwork>(p.machine.network);
  return full_at(p, network.rate.GBps,
                 {.what = network_ceiling_name,
                  .overhead = network.rate.overhead,
                  .source = fmt::format("{}; {:.2f} GB/s of data each way", network.source, network.rate.GBps)});
}

/// A rate given by the user overrides the record's facts.
std::vector<CeilingResult> between_nodes(const CeilingInput& p) {
  const CaseKey& k = p.record.key;
  if (!k.nodes) return {missing_ceiling("the record does not say how many nodes the ranks ran on")};
  if (*k.nodes <= 1) return {};
  if (!p.traffic.node) return {missing_ceiling(p.traffic.missing)};
  if (k.group.value_or("world") != "world")
    return {missing_ceiling("groups that communicate at the same time share it, and their number is unknown")};
  if (!p.line_rate) return {by_facts(p)};
  return {full_at(p, p.line_rate->GBps,
                  {.what = network_ceiling_name,
                   .overhead = "nothing deducted: the rate is used as given",
                   .source = meaning(*p.line_rate),
                   .given_by_user = true})};
}

}  // namespace
}  // namespace busbar::expected

namespace busbar {

extern const expected::Place network_ceiling{.name = "network", .findings = expected::between_nodes};

}  // namespace busbar
