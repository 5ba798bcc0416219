// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "core/error.hpp"
#include "core/table.hpp"

namespace busbar {

/// One subcommand of `busbar`: one file in reports/commands/.
struct Command {
  std::string_view name;
  std::string_view about;  ///< one line for `busbar --help`
  /// Adds its options to `app` and returns what to run once they are parsed. That may throw Error, which main prints.
  std::function<Exit()> (*attach)(CLI::App& app);
};

}  // namespace busbar
