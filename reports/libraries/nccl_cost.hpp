// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reports/libraries/nccl_constants.hpp"

/// NCCL's cost model (src/graph/tuning.cc, ncclTopoTuneModel and ncclTopoGetAlgoTime): time = latency + bytes /
/// bandwidth for each algorithm and protocol; NCCL takes the fastest (src/enqueue.cc). Not in it: kernels on registered
/// windows (symmetric memory, from 2.27 on), aggregated calls, tuner plug-ins, latencies that a network plug-in adds.
namespace busbar::libraries {

/// What NCCL's search of the topology found for an algorithm, as in its log ("nChannels 4, bw 20.0/24.0").
struct NcclPaths {
  int channels = 0;                           ///< 0: the algorithm is not available
  double in_node_GBps = 0, between_GBps = 0;  ///< of a channel
};

/// What the model computes with.
struct NcclSetup {
  const NcclConstants* constants = nullptr;  ///< of nccl_versions()
  Gpus gpus = Gpus::ampere;
  NcclPaths ring, tree, nvls, collnet;  ///< PAT has the tree's
  bool amd = false;                     ///< processors
  bool ll128 = false;                   ///< the protocol is allowed (on NVLink, GPUs near their network cards)
  bool pci = false;                     ///< GPUs of a node without NVLink
  bool plain_tree = false;              ///< a node sends and receives on one GPU (pattern 3 of the log)
  bool same_channels = true;            ///< "sameChannels 1": all channels have one order of ranks
};

/// Collectives that the model has; alltoall, gather and others are messages between pairs.
enum class NcclFunction { allreduce, allgather, reduce_scatter, broadcast, reduce };
[[nodiscard]] constexpr auto words_of(NcclFunction) {
  return std::to_array<std::string_view>({"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"});
}

/// A call whose ranks are evenly distributed. `bytes`: the larger of the send and receive buffers, as CaseKey::bytes.
struct NcclCall {
  NcclFunction function = NcclFunction::allreduce;
  int ranks = 1, nodes = 1;
  std::uint64_t bytes = 0;
};

/// A row of the table that NCCL prints with NCCL_DEBUG_SUBSYS=TUNING.
struct NcclCost {
  double latency_us = 0;
  double GBps = 0;
};

/// Empty where NCCL does not use the algorithm or protocol. Ignores the size.
[[nodiscard]] std::optional<NcclCost> nccl_cost(const NcclSetup&, const NcclCall&, NcclAlgorithm, NcclProtocol);

/// Time in us, with what depends on the size: the ring's plateau and the tree's correction. Empty like nccl_cost().
[[nodiscard]] std::optional<double> nccl_us(const NcclSetup&, const NcclCall&, NcclAlgorithm, NcclProtocol);

/// The fastest by the model.
struct NcclChoice {
  NcclAlgorithm algorithm{};
  NcclProtocol protocol{};
  double us = 0;
};

/// Empty for one rank, and for a set-up without paths.
[[nodiscard]] std::optional<NcclChoice> nccl_choice(const NcclSetup&, const NcclCall&);

}  // namespace busbar::libraries
