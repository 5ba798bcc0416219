// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "reports/virtualisation/study.hpp"

namespace busbar::virtualisation {

/// The verdict in a sentence: messages and trainings, with intervals.
[[nodiscard]] std::string verdict_sentence(const Study&);

/// Where the cost lies: of what, and a sentence or two. Names a part only if its verdict says so, and as the largest
/// only if the low end of its interval is above all others; never empty. Not for emulated CPUs.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> conclusions(const Study&);

/// What the evidence of a study suggests to change.
struct Advice {
  std::string evidence, change;
};
[[nodiscard]] std::vector<Advice> advice_of(const Study&, const std::vector<Run>&);

/// The steps at the largest number of ranks of each training.
[[nodiscard]] std::vector<const Step*> largest_steps(const Study&);

/// Null if the study does not have it.
[[nodiscard]] const Fact* find_fact(const Study&, FactKind);

}  // namespace busbar::virtualisation
