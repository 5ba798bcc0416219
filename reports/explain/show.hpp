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

/// The findings of one rule with the same certainty in several runs.
struct FoundOften {
  const Rule* rule = nullptr;
  Certainty certainty = Certainty::possible;
  const Finding* first = nullptr;  ///< that of the first run
  std::vector<std::string> runs;   ///< names of the runs, each once
  std::size_t findings = 0;
};

/// The findings of all runs, counted: most important first, then most certain. They point into `runs`.
[[nodiscard]] std::vector<FoundOften> counted(const std::vector<ExplainedRun>& runs);

/// The title of its first finding, with the number of findings: "... (one of 29 such findings in 29 runs)".
[[nodiscard]] std::string title_of(const FoundOften&);

/// Counted findings, each with the evidence of its first run, then what was looked for.
[[nodiscard]] std::vector<report::Block> blocks_of(const std::vector<ExplainedRun>& runs);

/// JSON of all findings; docs/explain.md lists the keys.
[[nodiscard]] nlohmann::json json_of(const std::vector<ExplainedRun>&);

}  // namespace busbar::explain
