// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/environment/environment.hpp"
#include "core/machine/noise.hpp"
#include "core/machine/timer.hpp"
#include "core/record/rank_place.hpp"

namespace busbar {

/// Facts about the machine before the first case.
struct MachineFacts {
  std::span<const Host> hosts;
  std::span<const RankPlace> placement;  ///< one row per rank
  std::span<const Noise> noise;          ///< one row per rank; empty: not measured
  Timer timer;                           ///< of rank 0; zeros: not measured
  std::string_view bind_hint;            ///< option that binds ranks to cores; empty: unknown
  std::optional<bool> yields = {};       ///< waiting ranks yield their CPU; empty: unknown
};

/// Warnings for the head of a run. One line per problem: the worst place, and how many places there are.
[[nodiscard]] std::vector<std::string> machine_notes(const MachineFacts&);

}  // namespace busbar
