// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/ranks/group.hpp"
#include "core/ranks/local_place.hpp"

/// Sums over ranks with known elements. For the files of stages only.
namespace busbar::preflight {

inline constexpr std::size_t sizes_of_sums[] = {8, 1 << 20};
inline constexpr std::size_t period_of_sums = 1009;  ///< elements repeat with this period

/// Element `i` of rank `rank`'s contribution; sums of a million ranks stay below 2^31.
[[nodiscard]] constexpr std::int32_t element(std::size_t i, int rank) {
  return static_cast<std::int32_t>(i % period_of_sums) + rank % 7;
}

/// Element `i` of the sum over `ranks` ranks.
[[nodiscard]] constexpr std::int32_t sum_of_elements(std::size_t i, int ranks) {
  std::int32_t sum = static_cast<std::int32_t>(i % period_of_sums) * ranks;
  for (int r = 0; r < ranks; ++r) sum += r % 7;
  return sum;
}

/// Collective over the group. Runs NCCL allreduces on the GPU for `place`, each wait limited to `limit_s`. Returns the
/// problem with its size; empty: none.
[[nodiscard]] std::optional<std::string> sum_by_nccl(Group& group, LocalPlace place, double limit_s);

/// Why this program cannot use NCCL here, regardless of GPUs; empty: it can.
[[nodiscard]] std::optional<std::string> nccl_missing();

}  // namespace busbar::preflight
