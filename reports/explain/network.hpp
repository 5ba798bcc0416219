// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/environment/environment.hpp"
#include "core/record/fwd.hpp"

/// The network between a record's hosts, and the bandwidth reached on it.
namespace busbar::explain {

/// Number of hosts with ranks: the maximum over the run and its cases.
[[nodiscard]] int nodes(const Run&);

/// True if any case has its buffers on GPUs.
[[nodiscard]] bool uses_gpus(const Run&);

/// RDMA ports whose state is ACTIVE.
[[nodiscard]] std::vector<const RdmaPort*> active_ports(const Host&);

/// One-way GB/s (1e9 B/s) of the active RDMA ports that NCCL would use, minimum over hosts. Empty if a host has none or
/// a rate is unknown.
[[nodiscard]] std::optional<double> rdma_GBps(const Run&);

/// The case with the largest busbw among a backend's multi-node cases; null if there is none.
[[nodiscard]] const CaseRecord* widest_between_nodes(const Run&, const std::string& backend);

}  // namespace busbar::explain
