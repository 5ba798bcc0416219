// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "core/elements/dtype.hpp"
#include "core/mpi/communicator.hpp"
#include "workloads/reducer/reducer.hpp"

/// Reducers over MPI. Gradients are fp32; `wire` is their type on the wire: fp32, or fp16 or bf16, rounded before the
/// sum. Each reducer creates communicators from `ranks`, so construction and destruction are collective. With
/// `with_data` false, gradients have a size but no content (simulation).
namespace busbar {

/// A single allreduce.
[[nodiscard]] std::unique_ptr<Reducer> make_allreduce(const Communicator& ranks, DType wire, bool with_data = true);

/// Reduces within each host, allreduces between the hosts' first ranks, broadcasts within each host. `host`: number of
/// this rank's host. start() is blocking, so nothing overlaps.
[[nodiscard]] std::unique_ptr<Reducer> make_hierarchical(const Communicator& ranks, int host, DType wire,
                                                         bool with_data = true);

/// Reduce-scatters the gradients; each rank then updates its share of the weights and the weights are allgathered (S.
/// Rajbhandari et al.: ZeRO, SC 2020, stage 1).
[[nodiscard]] std::unique_ptr<Reducer> make_sharded(const Communicator& ranks, DType wire);

}  // namespace busbar
