// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/network.hpp"

#include <algorithm>

namespace busbar::explain {

int nodes(const Run& run) {
  int most = run.head.nodes.value_or(1);
  for (const CaseRecord& c : run.cases) most = std::max(most, c.key.nodes.value_or(1));
  return most;
}

std::vector<const RdmaPort*> active_ports(const Host& host) {
  std::vector<const RdmaPort*> ports;
  for (const RdmaPort& port : host.rdma)
    if (port.state == "ACTIVE") ports.push_back(&port);
  return ports;
}

std::optional<double> rdma_GBps(const Run& run) {
  std::optional<double> least;
  for (const Host& host : run.head.hosts) {
    double sum_Gbps = 0;
    for (const RdmaPort* port : active_ports(host)) {
      if (!port->rate_Gbps) return std::nullopt;
      sum_Gbps += *port->rate_Gbps;
    }
    if (!(sum_Gbps > 0)) return std::nullopt;
    least = std::min(least.value_or(sum_Gbps / 8), sum_Gbps / 8);
  }
  return least;
}

const CaseRecord* widest_between_nodes(const Run& run, const std::string& backend) {
  const CaseRecord* widest = nullptr;
  for (const CaseRecord& c : run.cases) {
    const bool fits = c.status == Status::ok && c.key.kind == "collective" && c.key.backend == backend &&
                      c.key.nodes.value_or(1) > 1 && c.busbw_GBps;
    if (fits && (widest == nullptr || *c.busbw_GBps > *widest->busbw_GBps)) widest = &c;
  }
  return widest;
}

}  // namespace busbar::explain
