// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// Parses host names separated by commas, with ranges as Slurm writes them: "nid[001-003,007],login1". Empty if any is
/// no host name, or if there are more than 100,000.
[[nodiscard]] std::optional<std::vector<std::string>> expand_hosts(std::string_view text);

/// Removes repeated names, keeping the order.
[[nodiscard]] std::vector<std::string> distinct_hosts(const std::vector<std::string>& names);

/// "nid001" for "nid001.cluster.example".
[[nodiscard]] std::string_view short_host(std::string_view name);

}  // namespace busbar
