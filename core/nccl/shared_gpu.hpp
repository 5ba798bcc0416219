// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// Lets ranks of one host share a GPU, which NCCL normally refuses. Each rank gets its own host id (NCCL_HOSTID), so
/// NCCL uses its network transport between them. Call it before the first communicator; a user's value is kept.
void let_ranks_share_a_gpu(int rank);

}  // namespace busbar
