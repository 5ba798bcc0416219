// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/rule.hpp"

#include <algorithm>
#include <utility>

namespace busbar::explain {

Explanation look_at(const Run& run) {
  const auto rows = table<Rule>();
  std::vector<const Rule*> rules(rows.begin(), rows.end());
  std::ranges::sort(rules, {}, &Rule::order);
  Explanation e;
  for (const Rule* rule : rules) {
    const bool has_data = rule->has_data(run);
    (has_data ? e.looked_for : e.without_data).push_back(rule->name);
    if (!has_data) continue;
    for (Finding& finding : rule->look(run)) e.found.push_back({.rule = rule, .finding = std::move(finding)});
  }
  return e;
}

}  // namespace busbar::explain
