// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/verdict.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "core/tables/named_table.hpp"
#include "reports/expected/expected.hpp"
#include "reports/explain/rule.hpp"

namespace busbar::explain {
namespace {

/// Measured collective cases with a time and hot buffers, as other tools measure.
std::vector<const CaseRecord*> sweep_of(const Run& run) {
  std::vector<const CaseRecord*> cases;
  for (const CaseRecord& c : run.cases)
    if (is_measured(c.status) && c.time_s && !c.key.training && !is_named(c.key) && c.key.cadence != cold_cadence)
      cases.push_back(&c);
  return cases;
}

bool differ_by_size_only(const std::vector<const CaseRecord*>& cases) {
  return std::ranges::all_of(cases,
                             [&](const CaseRecord* c) { return series_name(c->key) == series_name(cases[0]->key); });
}

/// "busbw up to 46 GB/s at 1 GiB, 92 % of what the network between nodes allows"; the percentage only with a known
/// ceiling.
std::string fastest(const RunRecord& run, const std::vector<const CaseRecord*>& cases) {
  const auto busbw = [](const CaseRecord* c) { return c->busbw_GBps.value_or(0); };
  const CaseRecord& best = **std::ranges::max_element(cases, {}, busbw);
  if (!best.busbw_GBps) return "";
  std::string text = fmt::format(", busbw up to {:.3g} GB/s at {}", *best.busbw_GBps, format_size(best.key.bytes));
  const auto point = expected::expect_case(run, best);
  if (point && point->achieved())
    text += fmt::format(", {:.0f} % of what the {} allows", 100 * *point->achieved(), point->ceiling()->what);
  return text;
}

/// "12 of 22 cases failed (Reason: ...)"
std::string reason_of(const Finding& finding) {
  if (finding.evidence.empty()) return finding.title;
  const std::string& evidence = finding.evidence.front();
  return fmt::format("{} ({})", finding.title, evidence.substr(0, evidence.find_last_not_of('.') + 1));
}

/// Reasons to distrust the figures, most important first.
std::vector<std::string> doubts(const Run& run, const std::optional<OverEarlier>& over) {
  std::vector<std::string> reasons;
  for (const Found& found : look_at(run).found)
    if (found.rule->suspicious && found.finding.certainty != Certainty::possible)
      reasons.push_back(reason_of(found.finding));
  if (over && over->is_far())
    reasons.push_back(fmt::format("{:.2f}x the time of {} earlier launches", over->ratio, over->launches));
  return reasons;
}

std::string judgement(const Run& run, const std::optional<OverEarlier>& over) {
  const auto reasons = doubts(run, over);
  if (reasons.size() == 1) return "suspicious: " + reasons[0];
  if (reasons.size() > 1)
    return fmt::format("suspicious: {}; and {} (see busbar explain)", reasons[0],
                       plural(reasons.size() - 1, "more finding"));
  if (!over) return "nothing suspicious; no earlier launches to compare with";
  return fmt::format("as expected, like {} earlier launches (ratio {:.2f})", over->launches, over->ratio);
}

std::string shares_text(const Overlap& o) {
  if (!o.hidden_interval) return fmt::format("{:.0f} %", 100 * o.hidden);
  return fmt::format("{:.0f} % ({:.0f} to {:.0f})", 100 * o.hidden, 100 * o.hidden_interval->low,
                     100 * o.hidden_interval->high);
}

/// "of a 4 MiB allreduce, work of 100 % hides 12 % (10 to 14) with the library alone, 78 % (75 to 80) with polling":
/// the largest size, for the work that comes closest to the duration of the call. Empty without such cases.
std::optional<std::string> overlap_sentence(const std::vector<const CaseRecord*>& cases) {
  const auto order = [](const CaseRecord* c) { return std::pair(c->key.bytes, -std::abs(*c->key.work - 100)); };
  const auto largest = std::ranges::max_element(cases, {}, order);
  if (largest == cases.end()) return std::nullopt;
  const CaseKey& key = (*largest)->key;
  std::string text;
  for (const CaseRecord* c : cases) {
    if (c->key.collective != key.collective || c->key.bytes != key.bytes || c->key.work != key.work) continue;
    const std::string_view how = c->key.progress == "poll"     ? "polling"
                                 : c->key.progress == "thread" ? "a thread"
                                                               : "the library alone";
    text += fmt::format("{} {} with {}{}", text.empty() ? "" : ",", shares_text(*c->overlap), how,
                        c->key.form == "persistent" ? " (persistent)" : "");
  }
  return fmt::format("of a {} {}, work of {} % of its time hides{}", format_size(key.bytes), key.collective, *key.work,
                     text);
}

std::vector<const CaseRecord*> overlapped_of(const Run& run) {
  std::vector<const CaseRecord*> cases;
  for (const CaseRecord& c : run.cases)
    if (is_measured(c.status) && c.overlap && c.key.work) cases.push_back(&c);
  return cases;
}

}  // namespace

std::optional<std::string> verdict(const Run& run, const std::optional<OverEarlier>& over) {
  const auto cases = sweep_of(run);
  if (const auto sentence = overlap_sentence(overlapped_of(run))) return *sentence + ": " + judgement(run, over);
  if (cases.size() < 2 || !differ_by_size_only(cases)) return std::nullopt;
  const auto bytes = [](const CaseRecord* c) { return c->key.bytes; };
  const CaseRecord& smallest = **std::ranges::min_element(cases, {}, bytes);
  return fmt::format("{}: {} at {}{}: {}", smallest.key.collective, format_duration(*smallest.time_s),
                     format_size(smallest.key.bytes), fastest(run.head, cases), judgement(run, over));
}

}  // namespace busbar::explain
