// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

namespace busbar {

/// busbw / algbw of n ranks, as nccl-tests defines it (doc/PERFORMANCE.md).
enum class BusFactor {
  one,           ///< 1
  share,         ///< (n-1)/n
  double_share,  ///< 2(n-1)/n
};

/// What a library that has no other way makes a collective of.
enum class Movement {
  ring,            ///< ranks in a ring, or another algorithm that the library chooses
  point_to_point,  ///< sends and receives: there is no algorithm to choose
  unknown,
};

/// What reports know about a collective, whoever measured it. The only table of collectives in reports/: a collective
/// of bench/collectives/ needs a row here (a test compares the two); others are measured by other tools only.
struct CollectiveFacts {
  std::string_view name;
  std::string_view alias;  ///< a second name; spelling with "_" or "-" needs none
  BusFactor bus_factor = BusFactor::one;
  Movement movement = Movement::unknown;
  bool moves_data = true;
  /// Every tool means the same by its size: both buffers of a rank hold all of the elements. Otherwise a size may be of
  /// one rank's block or of all together.
  bool one_size = false;
  bool symmetric = false;  ///< every rank does the same: times of ranks should be alike
};

[[nodiscard]] std::span<const CollectiveFacts> all_collective_facts();

/// By canonical name; null for a collective that has no row.
[[nodiscard]] const CollectiveFacts* collective_facts(std::string_view name);

[[nodiscard]] double bus_factor(const CollectiveFacts&, int ranks);
/// By canonical name; 1 for a collective that has no row.
[[nodiscard]] double bus_factor(std::string_view collective, int ranks);

}  // namespace busbar
