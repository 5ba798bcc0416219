// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>

#include "core/record/fwd.hpp"
#include "reports/board/board.hpp"
#include "reports/board/shell.hpp"

namespace busbar::board {

/// Where the board's links lead, relative to it; an empty address makes no link.
struct Links {
  std::function<std::string(const Run&)> report;   ///< of one launch
  std::function<std::string(const Group&)> trend;  ///< of a group over time
};

/// The board as a page: a row per group, and below it the launches of each. `problems`: files that were left out, with
/// the reason. `refreshes`: the page asks for "state" and replaces itself when its version differs from `version`.
[[nodiscard]] Shell board_page(const std::string& folder, std::span<const Group> groups, const Links& links,
                               std::span<const std::string> problems, const std::string& version, bool refreshes);

}  // namespace busbar::board
