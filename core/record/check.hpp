// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/status.hpp"

namespace busbar {

/// The first difference of a case with wrong data, on the lowest rank that found one.
struct WrongElement {
  int rank = 0;
  std::uint64_t index = 0;  ///< element in that rank's receive buffer
  std::string expected;
  std::string found;
  std::uint64_t call = 0;  ///< calls of this case before this one, including warm-up
  std::string phase;       ///< "warm-up" or "timed"
};

struct Check {
  CheckState state = CheckState::unknown;
  std::optional<std::uint64_t> calls_made;     ///< including warm-up
  std::optional<std::uint64_t> calls_checked;  ///< calls with at least one compared element
  std::optional<std::uint64_t> calls_whole;    ///< calls with all elements compared
  std::optional<double> element_share;         ///< compared fraction of all elements of all results on all ranks; 0 to
                                               ///< 1
  std::optional<double> wrong_elements;        ///< imported from tools that count wrong elements
  std::vector<int> wrong_ranks;                ///< ranks with a wrong element
  std::optional<WrongElement> first;
};

}  // namespace busbar
