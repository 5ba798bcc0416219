// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "reports/suite/hosts.hpp"

/// What starts the programs of a suite.
namespace busbar::suite {

/// A launcher that says by itself where ranks go.
[[nodiscard]] bool has_placeholder(std::string_view launcher);

/// Words with placeholders that place ranks on hosts, as the MPI library of this launcher wants them: its first word is
/// asked for --version. Open MPI's where it is none of the table of libraries, or not there. Empty for a launcher with
/// placeholders of its own, which is not asked.
[[nodiscard]] std::string placement_of(const std::string& launcher, const Surroundings& around);

}  // namespace busbar::suite
