// SPDX-License-Identifier: Apache-2.0
#include "reports/board/board.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/files/file_lock.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/summary.hpp"
#include "reports/compare/sides.hpp"
#include "reports/text/text.hpp"

namespace busbar::board {
namespace {

using Subjects = std::set<std::string>;

/// What must be equal, and how complete launches differ: in what they measured.
struct Kind {
  std::string labels;
  std::string program;
  Origin origin = Origin::measured;
  std::string method;
  std::string scale;
  auto operator<=>(const Kind&) const = default;
};

Kind kind_of(const Run& run) {
  return {.labels = compare::other_labels(run.head, "", {}),
          .program = run.head.tool.name,
          .origin = run.head.origin,
          .method = fmt::format("{} {}", run.head.method.cadence, name(run.head.method.statistic)),
          .scale = scale_text(run.head)};
}

Subjects subjects_of(const Run& run) {
  Subjects all;
  for (const CaseRecord& c : run.cases) all.insert(report::subject(c.key));
  return all;
}

std::string name_of(const Kind& kind, const Subjects& subjects) {
  const std::vector<std::string> words(subjects.begin(), subjects.end());
  const std::string what = words.empty() ? kind.program : report::list(words);
  std::string s = fmt::format("{}{}{}, {}", kind.labels, kind.labels.empty() ? "" : ": ", what, kind.scale);
  if (kind.origin != Origin::measured) s += fmt::format(" ({})", name(kind.origin));
  return s;
}

bool is_complete(const Run& run) { return run.end && ran_to_end(run.end->status); }

/// Median over launches of each case's cost.
std::map<std::string, double> usual_costs(const std::vector<const Run*>& launches) {
  std::map<std::string, std::vector<double>> costs;
  for (const Run* run : launches)
    for (const CaseRecord& c : run->cases)
      if (const double cost = history::cost_of(c); is_measured(c.status) && cost > 0)
        costs[to_string(c.key)].push_back(cost);
  std::map<std::string, double> usual;
  for (const auto& [key, values] : costs) usual[key] = median(values);
  return usual;
}

std::vector<double> levels_of(const std::vector<const Run*>& launches) {
  const auto usual = usual_costs(launches);
  std::vector<double> levels;
  for (const Run* run : launches) {
    std::vector<double> ratios;
    for (const CaseRecord& c : run->cases)
      if (const double cost = history::cost_of(c); is_measured(c.status) && cost > 0)
        ratios.push_back(cost / usual.at(to_string(c.key)));
    levels.push_back(ratios.empty() ? std::numeric_limits<double>::quiet_NaN() : median(ratios));
  }
  return levels;
}

Verdict verdict_of_change(const history::Change& change) {
  if (change.slower.cases > 0 && change.faster.cases > 0) return Verdict::mixed;
  if (change.slower.cases > 0) return Verdict::slower;
  return change.faster.cases > 0 ? Verdict::faster : Verdict::mixed;
}

std::string_view how_it_ended(EndStatus status) {
  switch (status) {
    case EndStatus::ok:
      return "ended well";
    case EndStatus::failed:
      return "failed";
    case EndStatus::aborted:
      return "was aborted";
    case EndStatus::interrupted:
      return "was interrupted";
    case EndStatus::output:
      return "could not write its results";
    case EndStatus::unknown:
      break;
  }
  return "ended in an unknown way";
}

/// "The last launch was aborted: rank 1 ...".
std::string failure_text(const Run& last) {
  if (!last.end) return "The last launch died: its record has no end.";
  return fmt::format("The last launch {}{}.", how_it_ended(last.end->status),
                     last.end->reason ? ": " + report::shortened(*last.end->reason) : "");
}

/// Position on the board: what needs somebody comes first.
int urgency(Verdict verdict) {
  if (verdict == Verdict::failed) return 0;
  return verdict == Verdict::slower || verdict == Verdict::mixed ? 1 : 2;
}

void judge(Group& group) {
  const Run& last = *group.launches.back();
  const std::string how = ending_of(last);
  if (how == "running" && group.launches.size() == 1) {
    group.verdict = Verdict::running;
    group.sentence = "The first launch is being measured.";
  } else if (how != "running" && how != "ok" && how != "imported") {
    group.verdict = Verdict::failed;
    group.sentence = failure_text(last);
  } else if (!group.changes.empty()) {
    group.verdict = verdict_of_change(group.changes.back());
    group.sentence = history::sentence(group.changes.back());
  } else if (group.launches.size() >= history::least_for_changes) {
    group.verdict = Verdict::steady;
    group.sentence = "No lasting change.";
  } else {
    group.sentence = fmt::format("Finding a change takes at least {} launches.", history::least_for_changes);
  }
}

}  // namespace

std::string ending_of(const Run& run) {
  if (run.head.origin == Origin::imported && !run.end) return "imported";
  if (run.end) return text_of(run.end->status);
  return is_being_written(run.path) ? "running" : "died";
}

std::vector<Group> make_groups(std::span<const Run> runs) {
  std::map<Kind, std::map<Subjects, std::vector<const Run*>>> kinds;
  std::vector<const Run*> incomplete;
  for (const Run& run : runs) {
    if (is_complete(run) || run.head.origin == Origin::imported)
      kinds[kind_of(run)][subjects_of(run)].push_back(&run);
    else
      incomplete.push_back(&run);
  }
  for (const Run* run : incomplete) {
    auto& of_kind = kinds[kind_of(*run)];
    const Subjects own = subjects_of(*run);
    const auto whole =
        std::ranges::find_if(of_kind, [&](const auto& group) { return std::ranges::includes(group.first, own); });
    (whole == of_kind.end() ? of_kind[own] : whole->second).push_back(run);
  }
  std::vector<Group> groups;
  for (auto& [kind, of_kind] : kinds) {
    for (auto& [subjects, launches] : of_kind) {
      std::ranges::stable_sort(launches, {}, [](const Run* run) { return history::start_of(*run); });
      Group& group = groups.emplace_back();
      group.name = name_of(kind, subjects);
      group.levels = levels_of(launches);
      if (kind.origin != Origin::simulated && launches.size() >= history::least_for_changes)
        group.changes = history::changes(launches);
      group.launches = std::move(launches);
      judge(group);
    }
  }
  std::ranges::stable_sort(groups, std::greater<>(),
                           [](const Group& g) { return history::start_of(*g.launches.back()); });
  std::ranges::stable_sort(groups, {}, [](const Group& g) { return urgency(g.verdict); });
  return groups;
}

}  // namespace busbar::board
