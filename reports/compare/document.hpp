// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/compare/differences.hpp"
#include "reports/document/document.hpp"

/// A comparison as report blocks and JSON.
namespace busbar::compare {

/// Input of the report.
struct Told {
  const std::vector<Run>& runs;
  const Request& request;
  const Comparison& comparison;
  std::vector<Difference> differences;
};

/// Sides, method and warnings, then the environment differences.
[[nodiscard]] std::vector<report::Block> head_blocks(const Told&);

/// Results of a set: which sides are faster and by how much, as a matrix for more than two sides; with `points`, all
/// points.
[[nodiscard]] std::vector<report::Block> set_blocks(const Told&, const Set&, bool points);

[[nodiscard]] report::Document document(const Told&, bool points);

/// The whole comparison as JSON; docs/comparing.md lists the keys.
[[nodiscard]] nlohmann::json to_json(const Told&);

}  // namespace busbar::compare
