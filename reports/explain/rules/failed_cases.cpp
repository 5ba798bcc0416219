// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

using Reasons = std::map<std::string, std::vector<const CaseRecord*>>;

/// True for failures other than wrong data, which rule wrong_data reports.
bool failed(const CaseRecord& c) { return c.status == Status::failed && c.check.state != CheckState::failed; }

/// The three most frequent reasons, with count and example.
std::vector<std::string> failure_text(const Reasons& reasons) {
  std::vector<const Reasons::value_type*> sorted;
  for (const auto& entry : reasons) sorted.push_back(&entry);
  std::ranges::sort(sorted, [](const auto* a, const auto* b) {
    return a->second.size() != b->second.size() ? a->second.size() > b->second.size() : a->first < b->first;
  });
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < std::min<std::size_t>(sorted.size(), 3); ++i)
    sentences.push_back(fmt::format("{}: {} (first: {}).", plural(sorted[i]->second.size(), "case"), sorted[i]->first,
                                    case_name(*sorted[i]->second.front())));
  if (sorted.size() > 3) sentences.push_back(fmt::format("{}.", plural(sorted.size() - 3, "more reason")));
  return sentences;
}

std::vector<Finding> find_failed_cases(const Run& run) {
  Reasons reasons;
  std::vector<const CaseRecord*> bad;
  for (const CaseRecord& c : run.cases) {
    if (!failed(c)) continue;
    bad.push_back(&c);
    reasons[report::shortened(c.reason.value_or("no reason given"))].push_back(&c);
  }
  if (bad.empty()) return {};
  return {{.certainty = Certainty::known,
           .title = of_cases(bad.size(), run.cases.size()) + " failed",
           .evidence = failure_text(reasons),
           .tries = {"Run one of them alone: if it fails again, earlier cases are not the cause."},
           .where = where(bad)}};
}

}  // namespace

extern const Rule failed_cases{
    .name = "failed_cases",
    .about = "cases failed for reasons other than wrong data",
    .order = 30,
    .suspicious = true,
    .has_data = [](const Run&) { return true; },
    .look = find_failed_cases,
};

}  // namespace busbar::explain
