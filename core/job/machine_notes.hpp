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

/// What is known of the machine before the first case.
struct MachineFacts {
  std::span<const Host> hosts;
  std::span<const RankPlace> placement;  ///< a row a rank
  std::span<const Noise> noise;          ///< a row a rank; empty: not measured
  Timer timer;                           ///< rank 0's; zeros: not measured
  std::string_view bind_hint;            ///< what binds ranks to cores; empty: not known
  std::optional<bool> yields = {};       ///< ranks that wait let others have their CPU; empty: not known
};

/// Warnings for the head of a run, one line for each kind of trouble: it names the worst place and how many there are.
[[nodiscard]] std::vector<std::string> machine_notes(const MachineFacts&);

}  // namespace busbar
