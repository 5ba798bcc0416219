// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/explain/rule.hpp"
#include "reports/explain/terminal.hpp"

/// What rules found, as text, Markdown and JSON.
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

/// "Looked for: dip, step. No data for: sockets." of one run; `nothing` also where all rules had data.
[[nodiscard]] std::string looked_for(const Explanation&);

/// "128 KiB, 8 MiB; ranks 2, 3; node7": sizes, ranks and hosts; empty where there are none.
[[nodiscard]] std::string text_of(const Where&);

[[nodiscard]] std::string as_text(const std::vector<ExplainedRun>&, const Terminal&);
[[nodiscard]] std::string as_markdown(const std::vector<ExplainedRun>&);
/// docs/explain.md has the keys.
[[nodiscard]] nlohmann::json as_json(const std::vector<ExplainedRun>&);

}  // namespace busbar::explain
