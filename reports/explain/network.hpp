// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/environment/environment.hpp"
#include "core/record/fwd.hpp"

/// The network between the hosts of a record, and how much of it was used.
namespace busbar::explain {

/// Number of hosts with ranks: the maximum over the run and its cases.
[[nodiscard]] int nodes(const Run&);

/// True if some case has its buffers on GPUs.
[[nodiscard]] bool uses_gpus(const Run&);

/// RDMA ports whose state is ACTIVE.
[[nodiscard]] std::vector<const RdmaPort*> active_ports(const Host&);

/// Bandwidth in one direction of a host's active RDMA ports that NCCL would use, minimum over hosts, in GB/s (1e9 B/s).
/// Empty if a host has none or its rate is unknown.
[[nodiscard]] std::optional<double> rdma_GBps(const Run&);

/// The case with the largest busbw among those of a backend that span several nodes; null if there is none.
[[nodiscard]] const CaseRecord* widest_between_nodes(const Run&, const std::string& backend);

}  // namespace busbar::explain
