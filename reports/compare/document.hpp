// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/compare/differences.hpp"
#include "reports/document/document.hpp"

/// A comparison as something to read.
namespace busbar::compare {

/// All that a comparison is told from.
struct Told {
  const std::vector<Run>& runs;
  const Request& request;
  const Comparison& comparison;
  std::vector<Difference> differences;
};

/// What is compared, how, and what a reader must know first; then in what the environments differ.
[[nodiscard]] std::vector<report::Block> head_blocks(const Told&);

/// Of a set: which side is faster than which and by how much, a matrix where there are more than two; then all points.
[[nodiscard]] std::vector<report::Block> set_blocks(const Told&, const Set&, bool points);

[[nodiscard]] report::Document document(const Told&, bool points);

/// Everything, for machines; docs/comparing.md lists the keys.
[[nodiscard]] nlohmann::json to_json(const Told&);

}  // namespace busbar::compare
