// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace busbar {

/// NCCL refuses two ranks of one host on one GPU. With a host id of its own for each rank (NCCL_HOSTID) it takes them
/// for ranks of different hosts, and moves data between them over its network transport. Before the first communicator;
/// what the user has set is left.
void let_ranks_share_a_gpu(int rank);

}  // namespace busbar
