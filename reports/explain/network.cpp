// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/network.hpp"

#include <algorithm>
#include <variant>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/expected/node_network.hpp"

namespace busbar::explain {

int nodes(const Run& run) {
  int most = run.head.nodes.value_or(1);
  for (const CaseRecord& c : run.cases) most = std::max(most, c.key.nodes.value_or(1));
  return most;
}

bool uses_gpus(const Run& run) {
  return std::ranges::any_of(run.cases, [](const CaseRecord& c) { return c.key.memory == "device"; });
}

std::vector<const RdmaPort*> active_ports(const Host& host) {
  std::vector<const RdmaPort*> ports;
  for (const RdmaPort& port : host.rdma)
    if (port.state == "ACTIVE") ports.push_back(&port);
  return ports;
}

std::optional<double> rdma_GBps(const Run& run) {
  const bool everywhere = !run.head.hosts.empty() && std::ranges::all_of(run.head.hosts, [](const Host& host) {
    return !active_ports(host).empty();
  });
  const auto network = expected::slowest_network(run.head, true);
  if (!everywhere || std::holds_alternative<std::string>(network)) return std::nullopt;
  return std::get<expected::NodeNetwork>(network).rate.GBps;
}

const CaseRecord* widest_between_nodes(const Run& run, const std::string& backend) {
  const CaseRecord* widest = nullptr;
  for (const CaseRecord& c : run.cases) {
    const bool fits = is_measured(c.status) && c.key.kind == CaseKind::collective && c.key.backend == backend &&
                      c.key.nodes.value_or(1) > 1 && c.busbw_GBps;
    if (fits && (widest == nullptr || *c.busbw_GBps > *widest->busbw_GBps)) widest = &c;
  }
  return widest;
}

}  // namespace busbar::explain
