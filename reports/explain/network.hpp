// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/record/fwd.hpp"

/// What a record holds of the network between its hosts, and how much of it was used.
namespace busbar::explain {

/// Hosts that the ranks were on: the larger of what the run and its cases say.
[[nodiscard]] int nodes(const Run&);

/// Some case has its buffers on GPUs.
[[nodiscard]] bool uses_gpus(const Run&);

/// RDMA ports whose state is ACTIVE.
[[nodiscard]] std::vector<const RdmaPort*> active_ports(const Host&);

/// Data that all active RDMA ports of a host that NCCL would use carry in one direction, of the host that has least of
/// it: GB/s (1e9 B/s). Empty where a host has none, or its rate is not known.
[[nodiscard]] std::optional<double> rdma_GBps(const Run&);

/// The case with the largest busbw among those of a backend that span several nodes; null where there is none.
[[nodiscard]] const CaseRecord* widest_between_nodes(const Run&, const std::string& backend);

}  // namespace busbar::explain
