// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "reports/document/document.hpp"
#include "reports/explain/rule.hpp"

/// Findings as document blocks and as JSON.
namespace busbar::explain {

/// A run and its findings.
struct ExplainedRun {
  std::string name;  ///< unique among the runs explained together
  const Run* run = nullptr;
  Explanation explanation;
};

/// Explains each run, in order. The runs must outlive the result.
[[nodiscard]] std::vector<ExplainedRun> explained(const std::vector<Run>&);

/// "2 findings in 96 cases", "no findings in 96 cases".
[[nodiscard]] std::string summary(const ExplainedRun&);

/// "128 KiB, 8 MiB; ranks 2, 3; node7": sizes, ranks, hosts; empty if there are none.
[[nodiscard]] std::string text_of(const Where&);

/// The findings in order, then the names of the rules that looked, and of those without data.
[[nodiscard]] std::vector<report::Block> blocks_of(const Explanation&);

/// JSON of all findings; docs/explain.md lists the keys.
[[nodiscard]] nlohmann::json json_of(const std::vector<ExplainedRun>&);

}  // namespace busbar::explain
