// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/shared_gpu.hpp"

#include <cstdlib>

#include <fmt/core.h>

namespace busbar {

void let_ranks_share_a_gpu(int rank) { ::setenv("NCCL_HOSTID", fmt::format("busbar-rank-{}", rank).c_str(), 0); }

}  // namespace busbar
