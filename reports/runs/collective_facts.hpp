// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "core/backend/collective.hpp"

namespace busbar {

/// Facts of a collective for reports: from bench/collectives/ if busbar measures it, else (imported only) from a table
/// of their own.
struct CollectiveFacts {
  std::string_view name;
  std::string_view alias = {};      ///< as Collective::alias
  double (*bus_factor)(int ranks);  ///< busbw / algbw, as Collective::bus_factor
  Movement movement = Movement::unknown;
  bool moves_data = true;
  bool reduces = false;
  /// A size means the same in every tool: both buffers of a rank have that size. Otherwise a size may be that of one
  /// rank's block or of all blocks together.
  bool one_size = false;
  bool uneven = false;         ///< takes a count per rank (CaseKey::counts)
  bool between_pairs = false;  ///< messages or one-sided access between pairs of ranks; sizes are those of one message
  bool symmetric = false;      ///< every rank does the same, so that ranks' times should be alike
};

[[nodiscard]] std::span<const CollectiveFacts> all_collective_facts();

/// By canonical name; null for an unknown collective.
[[nodiscard]] const CollectiveFacts* collective_facts(std::string_view name);

/// By canonical name; 1 for an unknown collective.
[[nodiscard]] double bus_factor_of(std::string_view collective, int ranks);

}  // namespace busbar
