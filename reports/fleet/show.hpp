// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/document.hpp"
#include "reports/fleet/fleet.hpp"

/// A fleet as document blocks, as JSON, and as the list of hosts to drain.
namespace busbar::fleet {

/// The paragraph: how much was measured, what is slow, and how much is usual.
[[nodiscard]] std::string summary_of(const Fleet&);

/// The paragraph, then tables of slow hosts, links and launches, and the groups of hosts.
[[nodiscard]] std::vector<report::Block> blocks_of(const Fleet&);

/// A matrix of speeds relative to the usual per view of pairs: of the views in which most is slow, at most four, of at
/// most 64 hosts. No plots if pairs were not measured.
[[nodiscard]] report::Figure heat_map(const Fleet&);

/// The key `fleet` of docs/explain.md.
[[nodiscard]] nlohmann::json json_of(const Fleet&);

/// The hosts to drain or to check, worst first.
[[nodiscard]] report::Table drain_table(const Fleet&);
/// The same, an object per host.
[[nodiscard]] std::vector<nlohmann::json> drain_json(const Fleet&);

}  // namespace busbar::fleet
