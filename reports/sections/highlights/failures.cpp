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
#include "reports/text/training_text.hpp"

/// Runs that did not finish, and failed cases.
namespace busbar::report {
namespace {

/// "rank 1 (node1): no progress for 20 s in allreduce"; empty if the record gives no reason.
std::string reason_of_end(const Run& run) {
  if (!run.end) return "its record has no end";
  return run.end->reason.value_or(fmt::format("{}", name(run.end->status)));
}

/// How many runs did not finish, and why the first did not.
struct LostRuns {
  std::size_t unfinished = 0, all = 0;
  std::string first;  ///< "a.jsonl: REASON"

  /// "2 of 5 runs did not finish".
  [[nodiscard]] std::string text() const { return fmt::format("{} of {} runs did not finish", unfinished, all); }
  /// A few of many do not decide what the others say.
  [[nodiscard]] bool are_few() const { return 4 * unfinished < all; }
};

LostRuns find_lost_runs(const Material& material) {
  const auto& runs = material.runs();
  LostRuns lost{.all = runs.size()};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!is_unfinished(runs[i])) continue;
    if (lost.unfinished++ == 0)
      lost.first = (runs.size() > 1 ? material.names()[i] + ": " : "") + reason_of_end(runs[i]);
  }
  return lost;
}

/// "The run did not finish: REASON, after 12 cases", "2 of 5 runs did not finish, first a.jsonl: REASON".
std::string verdict_on(const LostRuns& lost, const std::vector<Run>& runs) {
  if (lost.unfinished == 0) return "";
  if (runs.size() > 1) return fmt::format("{}, first {}", lost.text(), lost.first);
  return fmt::format("The run did not finish: {}, after {}", lost.first, plural(runs[0].cases.size(), "case"));
}

struct FailedCases {
  std::size_t failed = 0, all = 0;
  bool wrong = false;  ///< the data of `first` was wrong
  std::string first;   ///< "64 KiB of allreduce: REASON"; wrong data before any other failure

  /// "2 of 37 cases failed, first 64 KiB of allreduce: REASON".
  [[nodiscard]] std::string text() const {
    return fmt::format("{} of {} failed, first {}", failed, plural(all, "case"), first);
  }
};

/// "64 KiB of allreduce", "training resnet50, overlap stream, 4 ranks on 1 node".
std::string name_of(const CaseKey& key) {
  if (!key.training) return (key.bytes > 0 ? format_size(key.bytes) + " of " : "") + subject(key);
  const std::string overlap = overlap_text(*key.training);
  return fmt::format("{}{}{}, {}", subject(key), overlap.empty() ? "" : ", ", overlap, scale_text(key));
}

FailedCases count_failed(const Material& material) {
  FailedCases count;
  for (const Run& run : material.runs()) {
    for (const CaseRecord& c : run.cases) {
      count.all += c.status != Status::skipped;
      if (c.status != Status::failed) continue;
      const bool wrong = c.check.state == CheckState::failed;
      if (count.failed++ > 0 && (count.wrong || !wrong)) continue;
      count.wrong = wrong;
      count.first = name_of(c.key) + (c.reason ? ": " + *c.reason : "");
    }
  }
  return count;
}

KeyFigure failed_figure(const FailedCases& count) {
  return {.title = "failed cases",
          .value = std::to_string(count.failed),
          .unit = fmt::format("of {}", count.all),
          .expected = "should be 0",
          .judgement = Judgement::bad,
          .link = "failures"};
}

/// Wrong data is worse than a run that did not finish, and that is worse than other failed cases.
Highlight find_failures(const Material& material) {
  Highlight found;
  const FailedCases count = count_failed(material);
  const LostRuns lost = find_lost_runs(material);
  const auto add_remark = [&found](std::string text) {
    if (!text.empty()) found.remarks.push_back({.text = std::move(text), .link = "failures"});
  };
  std::string verdict = verdict_on(lost, material.runs());
  if (lost.unfinished > 0) found.rules.emplace_back("ended_early");
  if (lost.unfinished > 0 && lost.are_few()) {
    found.judgement = Judgement::doubtful;
    found.doubt = lost.text();
    add_remark(std::exchange(verdict, ""));
  }
  if (count.failed > 0) {
    found.rules.emplace_back("failed_cases");
    if (count.wrong) found.rules.emplace_back("wrong_data");
    found.figures.push_back(failed_figure(count));
    if (verdict.empty() || count.wrong)
      add_remark(std::exchange(verdict, count.text()));
    else
      add_remark(count.text());
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
