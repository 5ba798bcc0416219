// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "core/elements/dtype.hpp"
#include "core/mpi/communicator.hpp"
#include "workloads/reducer/reducer.hpp"

/// Reducers over MPI. Gradients are fp32; on the wire they are `wire`: fp32, or rounded to fp16 or bf16 and summed as
/// such. Each makes communicators of its own of `ranks`, so making one is collective; so is its end. `with_data` false:
/// gradients have a size and no content, for a simulation.
namespace busbar {

/// One allreduce.
[[nodiscard]] std::unique_ptr<Reducer> make_allreduce(const Communicator& ranks, DType wire, bool with_data = true);

/// A reduce inside each host, an allreduce between their first ranks, a broadcast inside each host. `host`: this
/// rank's, as a number. What was started is done when start() returns: nothing of it goes on by itself.
[[nodiscard]] std::unique_ptr<Reducer> make_hierarchical(const Communicator& ranks, int host, DType wire,
                                                         bool with_data = true);

/// A reduce-scatter of the gradients, of which each rank then updates its share of the weights, and an allgather of the
/// weights (S. Rajbhandari et al.: ZeRO, SC 2020, stage 1).
[[nodiscard]] std::unique_ptr<Reducer> make_sharded(const Communicator& ranks, DType wire);

}  // namespace busbar
