// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/blocks.hpp"
#include "bench/collectives/bus_factor.hpp"
#include "core/backend/collective.hpp"

namespace busbar {

/// MPI has two calls for this: MPI_Reduce_scatter takes a count for each rank, MPI_Reduce_scatter_block one for all,
/// and libraries choose among different algorithms for them. NCCL has one call, which is reduce_scatter here.
extern const Collective reduce_scatter_block{
    .name = "reduce_scatter_block",
    .about = "reduce_scatter by the call that takes one count for all ranks",
    .sizing = Sizing::by_ranks,
    .reduces = true,
    .movement = Movement::ring,
    .bus_factor = bus_factor::all_but_own,
    .layout = blocks::layout_of_own_reduced,
    .result = blocks::own_reduced,
    .call = "reduce_scatter_block",
};

}  // namespace busbar
