// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/record/fwd.hpp"

namespace busbar::expected {

/// Data that one call of a collective moves, in multiples of its size (CaseKey::bytes), in the busier direction. busbw
/// is bus_factor x size / time; a link that carries `share` x size runs at busbw x share / bus_factor.
struct Traffic {
  /// As the record names it, else "flat ring" or "point to point".
  std::string algorithm;
  bool assumed = false;              ///< the record does not name the algorithm; shares are those of `algorithm`
  std::optional<double> node;        ///< sent to or received from other nodes by the busiest node; 0: one node
  std::optional<double> rank;        ///< sent by the busiest rank to ranks of its node; 0: one rank per node
  std::optional<double> node_least;  ///< minimum per node for any algorithm; empty: unknown
  std::string missing;               ///< why a share is unknown
};

/// n ranks on N nodes, r = n/N on each, ranks ordered by node. The algorithm is what the library reports
/// (library_choice), else what was requested (key.algorithm). Without either, or for other algorithms, a flat ring is
/// assumed, as in the definition of busbw (nccl-tests, doc/PERFORMANCE.md).
///
/// | collective | algorithm | a node sends | a rank sends to its node |
/// |---|---|---|---|
/// | allreduce | ring | 2(n-1)/n | 2(n-1)/n |
/// | allgather, reduce_scatter | ring | (n-1)/n | (n-1)/n |
/// | broadcast, reduce | ring (a chain) | 1 | 1 |
/// | allreduce | tree | N/2, at most 2 | 2 (r = 2: 1) |
/// | allreduce | collnet_direct | 1 | 2(r-1)/r |
/// | allreduce | collnet_chain | 1 | 2 (r = 2: 1) |
/// | allreduce | nvls | 1 | (r+1)/r |
/// | allreduce | nvls_tree | N/2, at most 2 | (r+1)/r |
/// | allgather, reduce_scatter | nvls, one node | 0 | 1 |
/// | allgather, reduce_scatter | pat, one rank a node | (n-1)/n | 0 |
/// | alltoall | point to point | r(n-r)/n | (r-1)/n |
/// | gather, scatter, incast | point to point: the root's | (n-r)/n | (r-1)/n |
/// | pingpong, unidirectional, put, get, accumulate | point to point: halves of the ranks | its pairs to others | 1 |
/// | bidirectional | the same; half of the messages go each way | half of that | 1/2 |
/// | sendrecv | point to point: to the next rank | 1, or by the placement of ranks | 1 |
///
/// Ring: each rank forwards all it does not keep, once for an allgather, twice for an allreduce; one of the links
/// leaves the node. Tree: two binary trees over nodes each carry half of the data, up and down. A node is a leaf in one
/// tree and has two children in the other. It sends 1/2 up twice and 1/2 down twice; with two nodes, 1/2 each way. See
/// ncclGetDtree in NCCL's src/graph/trees.cc (1, 3/2 and 2 for N = 2, 3 and more) and sjeaugey in NVIDIA/nccl issue
/// 946. Inside a node, ranks form a chain. nvls: the NVSwitch reads a rank's data and reduces it; the rank writes its
/// r-th of the result, which the switch multicasts (sjeaugey in nccl-tests issue 212: algbw (n+1)/n). collnet and nvls
/// between nodes: network switches reduce (SHARP), so a node sends its data once and receives the sum once. That is the
/// minimum: other nodes need a node's data once, or (N-1)/N of it if results stay distributed.
[[nodiscard]] Traffic traffic_of(const RunRecord&, const CaseRecord&);

}  // namespace busbar::expected
