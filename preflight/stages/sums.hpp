// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/group.hpp"
#include "core/local_place.hpp"

/// Sums over ranks of which every element is known. For the files of stages only.
namespace busbar::preflight {

inline constexpr std::size_t sizes_of_sums[] = {8, 1 << 20};
inline constexpr std::size_t period_of_sums = 1009;  ///< elements repeat

/// Element `i` of what rank `rank` contributes: below 2^31 in the sum of a million ranks.
[[nodiscard]] constexpr std::int32_t element(std::size_t i, int rank) {
  return static_cast<std::int32_t>(i % period_of_sums) + rank % 7;
}

/// Element `i` of the sum over so many ranks.
[[nodiscard]] constexpr std::int32_t sum_of_elements(std::size_t i, int ranks) {
  std::int32_t sum = static_cast<std::int32_t>(i % period_of_sums) * ranks;
  for (int r = 0; r < ranks; ++r) sum += r % 7;
  return sum;
}

/// Collective. Sums over the ranks of a group by NCCL, on the GPU of this rank, which `place` gives: what went wrong,
/// with which `bytes`; empty: nothing. Waits on NCCL no longer than `limit_s` at a time.
[[nodiscard]] std::optional<std::string> sum_by_nccl(Group& group, LocalPlace place, double limit_s);

/// Why this program cannot use NCCL here, whatever the GPUs are; empty: it can.
[[nodiscard]] std::optional<std::string> nccl_missing();

}  // namespace busbar::preflight
