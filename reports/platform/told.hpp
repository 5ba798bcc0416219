// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"
#include "reports/platform/platform.hpp"

/// Platforms and interconnects in words and tables.
namespace busbar::platform {

/// "24.84 GB/s".
[[nodiscard]] std::string rate_text(double bytes_per_second);

/// "26 leaf, 20 spine".
[[nodiscard]] std::string switches_text(const Overview&);

/// What the platform comes to: hosts, switches, cables, hops, latency, bisection.
[[nodiscard]] report::KeyValues facts_of(const PlatformSpec&, const Overview&);

/// The same as data, with the properties that its file has.
[[nodiscard]] nlohmann::json json_of(const PlatformSpec&, const Overview&);

/// All interconnects and GPU links that are known by name, with the source of each figure.
[[nodiscard]] std::vector<report::Block> list_of_interconnects();
[[nodiscard]] nlohmann::json json_of_interconnects();

}  // namespace busbar::platform
