// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <nccl.h>

namespace fake_gpu {

[[nodiscard]] std::size_t bytes_of(ncclDataType_t type);
[[nodiscard]] bool known(ncclDataType_t type);

/// An operation of NCCL's, or one that ncclRedOpCreatePreMulSum made: then with the factor of this rank.
struct Reduction {
  ncclRedOp_t op = ncclSum;
  const void* factor = nullptr;  ///< of the data's type; read when the data is; null: no factor
  int ranks = 1;                 ///< what ncclAvg divides by
};

/// Scales the data of a rank before sending: by its own factor, or by 1/ranks for the mean of floats.
void prepare(std::span<std::byte> data, ncclDataType_t type, const Reduction& how);

/// Reduces one buffer a rank into `result`, in the order of ranks, rounded to the type after each step.
void reduce(std::span<const std::vector<std::byte>> of_ranks, std::span<std::byte> result, ncclDataType_t type,
            const Reduction& how);

}  // namespace fake_gpu
