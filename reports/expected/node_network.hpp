// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <variant>

#include "core/environment/environment.hpp"
#include "core/record/fwd.hpp"
#include "reports/expected/protocols.hpp"

namespace busbar::expected {

/// Network capacity of a node in one direction, from the record's facts.
struct NodeNetwork {
  DataRate rate;
  double raw_GBps = 0;  ///< before protocol overhead
  int nics = 0;
  std::string source;  ///< "2 x 200 Gbit/s InfiniBand (mlx5_0, mlx5_1)"; slowest_network() prefixes the host
};

/// Sum over active RDMA ports, else over network interfaces that are up and not virtual. With `nccl`, NCCL_IB_DISABLE,
/// NCCL_NET, NCCL_IB_HCA and NCCL_SOCKET_IFNAME apply as NCCL documents them. An upper bound: the record does not say
/// whether a library uses every port, and SR-IOV functions of one port count separately. A string says why it is
/// unknown.
[[nodiscard]] std::variant<NodeNetwork, std::string> node_network(const RunRecord&, bool nccl, const Host&);

/// The slowest node's network, since all nodes send the same amount in a collective.
[[nodiscard]] std::variant<NodeNetwork, std::string> slowest_network(const RunRecord&, bool nccl);

}  // namespace busbar::expected
