// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/sections/overview.hpp"
#include "reports/text/text.hpp"

/// Runs that did not finish, and failed cases.
namespace busbar::report {
namespace {

/// "rank 1 (node1): no progress for 20 s in allreduce"; empty if the record gives no reason.
std::string reason_of_end(const Run& run) {
  if (!run.end) return "its record has no end";
  return run.end->reason.value_or(fmt::format("{}", name(run.end->status)));
}

bool is_unfinished(const Run& run) {
  return !run.end || (!ran_to_end(run.end->status) && run.end->status != EndStatus::unknown);
}

/// "the run did not finish: REASON; 12 cases were measured", "2 of 5 runs did not finish, first a.jsonl: REASON".
std::string verdict_on_ends(const Material& material) {
  const auto& runs = material.runs();
  std::size_t unfinished = 0;
  std::string first;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!is_unfinished(runs[i])) continue;
    if (unfinished++ == 0) first = (runs.size() > 1 ? material.names()[i] + ": " : "") + reason_of_end(runs[i]);
  }
  if (unfinished == 0) return "";
  if (runs.size() > 1) return fmt::format("{} of {} runs did not finish, first {}", unfinished, runs.size(), first);
  return fmt::format("The run did not finish: {}; its record has {}", first, plural(runs[0].cases.size(), "case"));
}

struct FailedCases {
  std::size_t failed = 0, all = 0;
  std::string first;  ///< "64 KiB of allreduce: REASON"
};

FailedCases count_failed(const Material& material) {
  FailedCases count;
  for (const Run& run : material.runs()) {
    for (const CaseRecord& c : run.cases) {
      count.all += c.status != Status::skipped;
      if (c.status != Status::failed) continue;
      if (count.failed++ == 0)
        count.first = fmt::format("{}{}{}", c.key.bytes > 0 && !c.key.training ? format_size(c.key.bytes) + " of " : "",
                                  subject(c.key), c.reason ? ": " + *c.reason : "");
    }
  }
  return count;
}

/// A few lost launches of many do not decide what the others say.
bool is_minor(const Material& material) {
  const auto unfinished = static_cast<std::size_t>(std::ranges::count_if(material.runs(), is_unfinished));
  return 4 * unfinished < material.runs().size();
}

Highlight find_failures(const Material& material) {
  Highlight found;
  const FailedCases count = count_failed(material);
  std::string verdict = verdict_on_ends(material);
  if (!verdict.empty() && is_minor(material))
    found.remarks.push_back({.text = std::exchange(verdict, ""), .link = "failures"});
  if (count.failed > 0) {
    found.figures.push_back({.title = "failed cases",
                             .value = std::to_string(count.failed),
                             .unit = fmt::format("of {}", count.all),
                             .expected = "should be 0",
                             .judgement = Judgement::bad,
                             .link = "failures"});
    const std::string text =
        fmt::format("{} of {} failed, first {}", count.failed, plural(count.all, "case"), count.first);
    if (verdict.empty())
      verdict = text;
    else
      found.remarks.push_back({.text = text, .link = "failures"});
  }
  if (verdict.empty()) return found;
  found.weight = Weight::failure;
  found.judgement = Judgement::bad;
  found.verdict = std::move(verdict);
  return found;
}

}  // namespace
}  // namespace busbar::report

namespace busbar {

extern const report::HighlightSource failures{.name = "failures", .find = report::find_failures};

}  // namespace busbar
