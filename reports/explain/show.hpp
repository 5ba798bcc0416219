// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "reports/document.hpp"
#include "reports/explain/rule.hpp"

/// What rules found, as blocks of a document and as JSON.
namespace busbar::explain {

/// A run and what the rules say of it.
struct ExplainedRun {
  std::string name;  ///< among the runs that are explained together
  const Run* run = nullptr;
  Explanation explanation;
};

/// Each run with what the rules say of it, in order; the runs outlive it.
[[nodiscard]] std::vector<ExplainedRun> explained(const std::vector<Run>&);

/// "2 findings in 96 cases", "nothing stands out in 96 cases".
[[nodiscard]] std::string summary(const ExplainedRun&);

/// "128 KiB, 8 MiB; ranks 2, 3; node7": sizes, ranks and hosts; empty where there are none.
[[nodiscard]] std::string text_of(const Where&);

/// The findings one after the other, then what was looked for.
[[nodiscard]] std::vector<report::Block> blocks_of(const Explanation&);

/// docs/explain.md has the keys.
[[nodiscard]] nlohmann::json json_of(const std::vector<ExplainedRun>&);

}  // namespace busbar::explain
