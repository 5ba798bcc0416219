// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/record/fwd.hpp"

namespace busbar::expected {

/// What one call of a collective sends, in multiples of its size (CaseKey::bytes), in the direction that carries more.
/// busbw is bus_factor x size / time, and a link that carries `share` x size does so at busbw x share / bus_factor.
struct Traffic {
  /// As the record names it; "flat ring" or "point to point" where it does not.
  std::string algorithm;
  bool assumed = false;        ///< the record does not say how data moved: shares are of what `algorithm` would send
  std::optional<double> node;  ///< that the busiest node sends to other nodes, or gets; 0: there is one
  std::optional<double> rank;  ///< that the busiest rank sends to ranks of its node; 0: each is alone
  std::optional<double> node_least;  ///< what a node has to send or get whatever the algorithm; empty: not known
  std::string missing;               ///< why a share is not known
};

/// n ranks on N nodes, r = n/N on each; ranks are ordered by node. The library's own word on the algorithm counts
/// (library_choice), then what it was told to use (key.algorithm). Without either, and for algorithms that are none of
/// these, a flat ring is assumed, which is what busbw means (nccl-tests, doc/PERFORMANCE.md).
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
/// | sendrecv | point to point: to the next rank | 1, or by the placement of ranks | 1 |
///
/// Ring: each rank passes on all that it does not keep, once for an allgather and twice for an allreduce; one of these
/// links leaves the node. Tree: two binary trees over nodes carry half of the data each, up and down; a node is a leaf
/// in one and has two children in the other, so that it sends 1/2 up twice and 1/2 down twice, on two nodes 1/2 each
/// (ncclGetDtree of NCCL's src/graph/trees.cc: 1, 3/2 and 2 for N = 2, 3 and more; sjeaugey in NVIDIA/nccl issue 946);
/// inside a node ranks are a chain. nvls: the NVSwitch reads all of a rank's data for reducing and the rank writes its
/// r-th of the result, which the switch multiplies (sjeaugey in nccl-tests issue 212: algbw (n+1)/n).
/// collnet and nvls over nodes: the network's switches reduce (SHARP), so a node sends its data once and gets the sum
/// once. Less than that cannot be: what a node has, the others need once, or (N-1)/N of it where results stay spread
/// out.
[[nodiscard]] Traffic traffic_of(const RunRecord&, const CaseRecord&);

}  // namespace busbar::expected
