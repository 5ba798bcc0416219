// SPDX-License-Identifier: Apache-2.0
#include "reports/accept/accept.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/accept/similarity.hpp"
#include "reports/expected/expected.hpp"
#include "reports/expected/placement.hpp"
#include "reports/text/text.hpp"

namespace busbar::accept {
namespace {

using Limits = std::vector<CheckedLimit>;

/// A case of a run, with what every limit needs to know of it.
struct Candidate {
  const Run* run = nullptr;
  const CaseRecord* record = nullptr;
  std::optional<CaseGrade> graded;
};

/// "64 MiB of allreduce: nccl, device memory, ...".
std::string what_of(const CaseKey& key) {
  const std::string size = key.bytes > 0 ? format_size(key.bytes) + " of " : "";
  return fmt::format("{}{}: {}", size, report::subject(key), report::describe(key));
}

CheckedLimit limit_of(const Rule& rule, const Candidate& c, Outcome outcome, std::string text) {
  return {.outcome = outcome,
          .rule = rule.name,
          .id = to_string(c.record->key),
          .what = what_of(c.record->key),
          .run = c.run->path,
          .text = std::move(text)};
}

/// Relative half-width of the figure's interval; 0 without one.
double half_width(const CaseRecord& c) {
  const auto& interval = c.interval_of_launches_s ? c.interval_of_launches_s : c.interval_s;
  return interval && c.time_s ? relative_half_width(*interval) : 0;
}

/// `margin`: figure over limit, at least 1 passes.
Outcome outcome_of(double margin, double half_width) {
  if (margin >= 1 + half_width) return Outcome::pass;
  if (margin < 1 - half_width) return Outcome::fail;
  return half_width > 0 ? Outcome::unknown : Outcome::pass;
}

void check_figure(Limits& all, const Rule& rule, const Candidate& c, double margin, std::string text) {
  const double width = half_width(*c.record);
  const Outcome outcome = outcome_of(margin, width);
  if (outcome == Outcome::unknown) text += fmt::format("; its interval of +-{:.2g} % contains the limit", 100 * width);
  all.push_back(limit_of(rule, c, outcome, std::move(text)));
  all.back().margin = margin;
}

void check_ceiling(Limits& all, const Rule& rule, const Candidate& c, const Yardsticks& yardsticks) {
  const auto runs =
      expected::expect({Run{.path = c.run->path, .head = c.run->head, .cases = {*c.record}}}, yardsticks.line_rate);
  const auto achieved = runs.empty() ? std::nullopt : runs.front().points.front().achieved();
  if (!achieved)
    return all.push_back(limit_of(rule, c, Outcome::unknown, "no ceiling is known: see busbar expect, --line-rate"));
  check_figure(all, rule, c, *achieved / *rule.least_share_of_ceiling,
               fmt::format("{:.0f} % of {}, at least {:.0f} %", 100 * *achieved,
                           runs.front().points.front().ceiling()->what, 100 * *rule.least_share_of_ceiling));
}

/// Median of the public results that a case is like; empty with fewer than 3, and for sizes below 16 MiB.
std::optional<double> usual_busbw(const Candidate& c, const Yardsticks& yardsticks) {
  const auto place = expected::place_one(c.run->head, *c.record, yardsticks.line_rate, yardsticks.known);
  if (!place || place->is_time || place->usual.size() < 3) return std::nullopt;
  return place->usual[place->usual.size() / 2].value;
}

void check_others(Limits& all, const Rule& rule, const Candidate& c, const Yardsticks& yardsticks) {
  const auto usual = usual_busbw(c, yardsticks);
  if (!usual)
    return all.push_back(
        limit_of(rule, c, Outcome::unknown, "fewer than 3 public results are like it: see busbar expect"));
  const double share = *c.record->busbw_GBps / *usual;
  check_figure(all, rule, c, share / *rule.least_share_of_others,
               fmt::format("{:.0f} % of what others got ({:.4g} GB/s), at least {:.0f} %", 100 * share, *usual,
                           100 * *rule.least_share_of_others));
}

/// Why the figure neither passes nor fails; empty if it counts.
std::string why_unusable(const Profile& profile, const Candidate& c) {
  const CheckState check = c.record->check.state;
  if (profile.checked && (check == CheckState::off || check == CheckState::unknown)) return "the data was not checked";
  if (!c.graded) return "nothing was measured";
  if (c.graded->grade <= profile.least_grade) return "";
  return fmt::format("grade {} ({}): measure again", name(c.graded->grade), c.graded->doubts());
}

/// Limits that one case meets or misses.
void check_case(Limits& all, const Profile& profile, const Rule& rule, const Candidate& c,
                const Yardsticks& yardsticks) {
  const CaseRecord& record = *c.record;
  if (record.status == Status::failed || record.check.state == CheckState::failed)
    return all.push_back(limit_of(rule, c, Outcome::fail, "failed: " + record.reason.value_or("the data was wrong")));
  if (record.status == Status::skipped)
    return all.push_back(limit_of(rule, c, Outcome::unknown, "skipped: " + record.reason.value_or("no reason given")));
  if (std::string why = why_unusable(profile, c); !why.empty())
    return all.push_back(limit_of(rule, c, Outcome::unknown, std::move(why)));
  if (rule.least_busbw_GBps && record.busbw_GBps)
    check_figure(all, rule, c, *record.busbw_GBps / *rule.least_busbw_GBps,
                 fmt::format("busbw {:.4g} GB/s, at least {:g}", *record.busbw_GBps, *rule.least_busbw_GBps));
  if (rule.most_time_us && record.time_s)
    check_figure(all, rule, c, *rule.most_time_us * 1e-6 / *record.time_s,
                 fmt::format("{}, at most {:g} us", format_duration(*record.time_s), *rule.most_time_us));
  if (rule.least_share_of_ceiling) check_ceiling(all, rule, c, yardsticks);
  if (rule.least_share_of_others) check_others(all, rule, c, yardsticks);
  if (rule.least_efficiency && record.training && record.training->scaling)
    check_figure(all, rule, c, record.training->scaling->efficiency / *rule.least_efficiency,
                 fmt::format("efficiency {:.0f} %, at least {:.0f} %", 100 * record.training->scaling->efficiency,
                             100 * *rule.least_efficiency));
}

/// Slowest of equal cases against their median, over launches, nodes and pairs.
void check_spread(Limits& all, const Rule& rule, const std::vector<Candidate>& candidates) {
  std::map<std::string, std::vector<const Candidate*>> by_key;
  for (const Candidate& c : candidates) {
    if (!is_measured(c.record->status) || !c.record->time_s || !c.graded || c.graded->grade == Grade::d) continue;
    CaseKey key = c.record->key;
    if (c.record->groups.empty()) key.group.reset();  // with groups, another rule or kind is another case
    by_key[to_string(key)].push_back(&c);
  }
  bool any = false;
  for (auto& [id, same] : by_key) {
    if (same.size() < 3) continue;
    any = true;
    std::ranges::sort(same, {}, [](const Candidate* c) { return *c->record->time_s; });
    const Candidate& slowest = *same.back();
    const double spread = *slowest.record->time_s / *same[(same.size() - 1) / 2]->record->time_s;
    const auto& group = slowest.record->key.group;
    all.push_back(limit_of(rule, slowest, spread <= *rule.most_spread ? Outcome::pass : Outcome::fail,
                           fmt::format("the slowest of {} takes {:.2f} times as long as the median, at most {:g}{}",
                                       same.size(), spread, *rule.most_spread, group ? ": " + *group : "")));
    all.back().margin = *rule.most_spread / spread;
  }
  if (!any) all.push_back({.rule = rule.name, .text = "fewer than 3 equal cases: no spread"});
}

void check_rule(Limits& all, const Profile& profile, const Rule& rule, const std::vector<Candidate>& candidates,
                const Yardsticks& yardsticks) {
  std::vector<Candidate> matching;
  std::ranges::copy_if(candidates, std::back_inserter(matching),
                       [&](const auto& c) { return rule.matches(*c.record); });
  if (matching.empty()) return all.push_back({.rule = rule.name, .text = "no case matches"});
  for (const Candidate& c : matching) check_case(all, profile, rule, c, yardsticks);
  if (rule.most_spread) check_spread(all, rule, matching);
}

void check_learned(Limits& all, const Profile& profile, const std::vector<Candidate>& candidates) {
  const Rule rule{.name = "as the fleet"};
  for (const LearnedCase& learned : profile.learned) {
    bool any = false;
    for (const Candidate& c : candidates) {
      if (to_string(c.record->key) != learned.id) continue;
      any = true;
      const std::string why = why_unusable(profile, c);
      const std::vector<double> times = quantiles_of(*c.record);
      if (!why.empty() || times.empty()) {
        all.push_back(limit_of(rule, c, Outcome::unknown, why.empty() ? "nothing was measured" : why));
        continue;
      }
      const double alike = similarity(learned.times_s, times, true);
      all.push_back(limit_of(rule, c, alike >= learned.least_similarity ? Outcome::pass : Outcome::fail,
                             fmt::format("similarity to {} launches of the fleet {:.3f}, at least {:.3f}",
                                         learned.launches, alike, learned.least_similarity)));
      all.back().margin = alike / learned.least_similarity;
    }
    if (!any) all.push_back({.rule = rule.name, .id = learned.id, .what = learned.id, .text = "not measured"});
  }
}

/// A run that did not complete its plan fails, whatever it measured before.
void check_ends(Limits& all, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    const bool ended = run.end && (ran_to_end(run.end->status) || run.end->status == EndStatus::unknown);
    all.push_back({.outcome = ended ? Outcome::pass : Outcome::fail,
                   .rule = "every run ended",
                   .run = run.path,
                   .text = !run.end ? "it has no end: it was killed"
                                    : fmt::format("{}{}", name(run.end->status),
                                                  run.end->reason ? ": " + *run.end->reason : "")});
  }
}

}  // namespace

std::size_t Acceptance::count(Outcome wanted) const {
  return static_cast<std::size_t>(std::ranges::count(limits, wanted, &CheckedLimit::outcome));
}

Outcome Acceptance::outcome() const {
  if (count(Outcome::fail) > 0 || !take_out.empty()) return Outcome::fail;
  return count(Outcome::unknown) > 0 || limits.empty() ? Outcome::unknown : Outcome::pass;
}

Yardsticks yardsticks_for(const Profile& profile, const std::optional<expected::LineRate>& line_rate) {
  const bool by_others =
      std::ranges::any_of(profile.rules, [](const Rule& r) { return r.least_share_of_others.has_value(); });
  return {.line_rate = line_rate,
          .known = by_others ? expected::installed_known_results() : std::vector<expected::KnownSource>()};
}

Acceptance accept_runs(const Profile& profile, const std::vector<Run>& runs, const Yardsticks& yardsticks) {
  std::vector<Candidate> candidates;
  for (const Run& run : runs) {
    const Grader grader(run);
    for (const CaseRecord& c : run.cases)
      candidates.push_back({.run = &run, .record = &c, .graded = grader.grade_case(c)});
  }
  Acceptance acceptance{.take_out = slow_nodes(runs)};
  check_ends(acceptance.limits, runs);
  for (const Rule& rule : profile.rules) check_rule(acceptance.limits, profile, rule, candidates, yardsticks);
  check_learned(acceptance.limits, profile, candidates);
  return acceptance;
}

}  // namespace busbar::accept
