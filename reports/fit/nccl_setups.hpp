// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/fit/sweep.hpp"
#include "reports/libraries/nccl_cost.hpp"

/// Which algorithm NCCL chooses for the allreduces of a sweep, by its own cost model (reports/libraries/nccl_cost.hpp).
/// Inputs that records do not have (the channels that NCCL found and their bandwidth, LL128, NVLS) are not known, so
/// all of a list of set-ups count alike. Version, GPUs and processors narrow the list where records name them, and so
/// do choices that the library reported.
namespace busbar::fit {

using libraries::NcclSetup;

/// Set-ups that a sweep may be of: versions with different times, channels that reach the largest measured bus
/// bandwidth and up to eight times as much, processors of AMD or another maker, with LL128 and without, and for GPUs
/// from Hopper on with NVLS and without. GPUs that records do not name are of Ampere or Hopper, without NVLS. Of those,
/// all that agree with most of the reported choices. Empty for other libraries, for collectives that NCCL has one
/// algorithm for, on one node, and for no_library.
[[nodiscard]] std::vector<NcclSetup> setups_of(const Sweep&);

/// "tree", which includes NVLS's tree between nodes, or "ring": which of them is faster for an allreduce by the model.
[[nodiscard]] std::string_view nccl_algorithm(const NcclSetup&, const Scale&, std::uint64_t bytes);

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
