// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/status.hpp"

namespace busbar {

/// A case whose data was wrong: the first difference on the lowest rank that saw one.
struct WrongElement {
  int rank = 0;
  std::uint64_t index = 0;  ///< element of that rank's receive buffer
  std::string expected;
  std::string found;
  std::uint64_t call = 0;  ///< how many calls of this case had been made before, warm-up counted
  std::string phase;       ///< "warm-up" or "timed"
};

struct Check {
  CheckState state = CheckState::unknown;
  std::optional<std::uint64_t> calls_made;     ///< of the case, warm-up counted
  std::optional<std::uint64_t> calls_checked;  ///< of which something was compared
  std::optional<std::uint64_t> calls_whole;    ///< of which every element was
  std::optional<double> element_share;         ///< compared, of all elements of all results on all ranks; 0 to 1
  std::optional<double> wrong_elements;        ///< imported from tools that count them
  std::vector<int> wrong_ranks;                ///< ranks that saw a wrong element
  std::optional<WrongElement> first;
};

}  // namespace busbar
