// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/fit/scale.hpp"

/// Which algorithm NCCL chooses for an allreduce by its own cost model (src/graph/tuning.cc, ncclTopoTuneModel and
/// ncclTopoGetAlgoTime): time = latency + bytes / bandwidth for each algorithm and protocol, the fastest is used. The
/// model's inputs that records do not have (versions, processors, the channels that NCCL found and their bandwidth) are
/// not known, so all of a list of set-ups count alike.
namespace busbar::fit {

/// Constants of the model that differ between versions. Latencies in us.
struct NcclVersion {
  std::string_view name;  ///< "2.18"
  double tree_simple_base_us, tree_simple_nvlink_us, tree_simple_net_us;
  double ring_ll_share;  ///< of the bandwidth that the protocol LL reaches
};

/// Versions whose constants differ, oldest first.
[[nodiscard]] const std::vector<NcclVersion>& nccl_versions();

/// What the model computes with.
struct NcclSetup {
  const NcclVersion* version = nullptr;
  int channels = 1;
  double channel_GBps = 0;  ///< between nodes, as NCCL's search of the topology found
  bool amd = false;         ///< processors
  bool ll128 = false;       ///< the protocol LL128 is allowed between nodes
};

/// Time in us by the model, of "tree" or "ring": of its fastest protocol.
[[nodiscard]] double nccl_model_us(const NcclSetup&, std::string_view algorithm, const Scale&, std::uint64_t bytes);

/// "tree" or "ring".
[[nodiscard]] std::string_view nccl_choice(const NcclSetup&, const Scale&, std::uint64_t bytes);

/// Set-ups that a sweep may be of, whose largest measured bus bandwidth is this: all versions, channels that reach the
/// bandwidth and up to eight times as much, both makers of processors, with LL128 and without.
[[nodiscard]] std::vector<NcclSetup> nccl_setups(double measured_GBps);

/// Share of the set-ups that choose this algorithm.
[[nodiscard]] double share_of_choice(const std::vector<NcclSetup>&, std::string_view algorithm, const Scale&,
                                     std::uint64_t bytes);

/// A change of algorithm between two scales.
struct NcclChange {
  double chance = 0.5;  ///< share of the set-ups that change, of those that choose the first at the first scale
  double ratio = 1;     ///< geometric mean of their times by the model: afterwards over before
};

/// From `first` at one scale to `then` at another. With a ratio of 1 and a chance of 1/2 if no set-up chooses `first`.
[[nodiscard]] NcclChange nccl_change(const std::vector<NcclSetup>&, std::string_view first, const Scale& measured,
                                     std::string_view then, const Scale& predicted, std::uint64_t bytes);

}  // namespace busbar::fit
