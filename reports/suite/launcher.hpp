// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "reports/suite/hosts.hpp"

/// The launcher that starts the programs of a suite.
namespace busbar::suite {

/// True if a launcher command places ranks itself, with placeholders.
[[nodiscard]] bool has_placeholder(std::string_view launcher);

/// Words with placeholders that place ranks on hosts, in the syntax of the launcher's MPI library, detected by
/// --version. Defaults to Open MPI's if the library is unknown. Empty, without running it, for a launcher with its own
/// placeholders.
[[nodiscard]] std::string placement_of(const std::string& launcher, const Surroundings& around);

}  // namespace busbar::suite
