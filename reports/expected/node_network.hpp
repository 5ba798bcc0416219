// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <variant>

#include "core/environment/environment.hpp"
#include "core/record/fwd.hpp"
#include "reports/expected/protocols.hpp"

namespace busbar::expected {

/// What the network of a node carries in one direction, by the facts of the record.
struct NodeNetwork {
  DataRate rate;
  std::string source;  ///< "2 x 200 Gbit/s InfiniBand (mlx5_0, mlx5_1)"; slowest_network() says whose
};

/// The sum over RDMA ports that are active; without any, over network interfaces that are up and have a device behind
/// them. Where `nccl` measured, NCCL_IB_DISABLE, NCCL_NET, NCCL_IB_HCA and NCCL_SOCKET_IFNAME are followed as NCCL's
/// documentation has them. It is an upper bound: whether a library uses all of them is not in the record, and several
/// functions of one port (SR-IOV) count as so many ports. A text: why it is not known.
[[nodiscard]] std::variant<NodeNetwork, std::string> node_network(const RunRecord&, bool nccl, const Host&);

/// Of the host whose network carries least: in a collective all nodes have to send as much.
[[nodiscard]] std::variant<NodeNetwork, std::string> slowest_network(const RunRecord&, bool nccl);

}  // namespace busbar::expected
