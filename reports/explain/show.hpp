// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "reports/document/document.hpp"
#include "reports/explain/rule.hpp"

/// Findings as blocks of a document and as JSON.
namespace busbar::explain {

/// A run and its findings.
struct ExplainedRun {
  std::string name;  ///< among the runs that are explained together
  const Run* run = nullptr;
  Explanation explanation;
};

/// The findings of each run, in order; the runs must outlive them.
[[nodiscard]] std::vector<ExplainedRun> explained(const std::vector<Run>&);

/// "2 findings in 96 cases", "no findings in 96 cases".
[[nodiscard]] std::string summary(const ExplainedRun&);

/// "128 KiB, 8 MiB; ranks 2, 3; node7": sizes, ranks and hosts; empty if there are none.
[[nodiscard]] std::string text_of(const Where&);

/// The findings in order, then the names of the rules.
[[nodiscard]] std::vector<report::Block> blocks_of(const Explanation&);

/// The keys are described in docs/explain.md.
[[nodiscard]] nlohmann::json json_of(const std::vector<ExplainedRun>&);

}  // namespace busbar::explain
