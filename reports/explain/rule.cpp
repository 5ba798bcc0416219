// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/rule.hpp"

#include <algorithm>
#include <tuple>

namespace busbar::explain {

std::string_view name(Certainty certainty) {
  switch (certainty) {
    case Certainty::known:
      return "known";
    case Certainty::likely:
      return "likely";
    case Certainty::possible:
      break;
  }
  return "possible";
}

Explanation look_at(const Run& run) {
  Explanation e;
  for (const Rule* rule : table<Rule>()) {
    if (!rule->has_data(run)) {
      e.without_data.push_back(rule->name);
      continue;
    }
    e.looked_for.push_back(rule->name);
    for (Finding& finding : rule->look(run)) e.found.push_back({.rule = rule, .finding = std::move(finding)});
  }
  std::ranges::stable_sort(e.found, {}, [](const Found& f) { return std::tuple(f.rule->order, f.finding.certainty); });
  return e;
}

}  // namespace busbar::explain
