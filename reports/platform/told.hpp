// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"
#include "reports/platform/platform.hpp"

/// Text and tables about platforms and interconnects.
namespace busbar::platform {

/// "24.84 GB/s".
[[nodiscard]] std::string rate_text(double bytes_per_second);

/// Summary of a platform: hosts, switches, cables, hops, latency, bisection.
[[nodiscard]] report::KeyValues facts_of(const PlatformSpec&, const Overview&);

/// The same summary as JSON, plus the properties in the platform file.
[[nodiscard]] nlohmann::json json_of(const PlatformSpec&, const Overview&);

/// All named interconnects and GPU links, with the source of each figure.
[[nodiscard]] std::vector<report::Block> list_of_interconnects();
[[nodiscard]] nlohmann::json json_of_interconnects();

}  // namespace busbar::platform
