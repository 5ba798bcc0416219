// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/sides.hpp"
#include "reports/virtualisation/gathered.hpp"

namespace busbar::virtualisation {
namespace {

using compare::Told;

constexpr compare::Quantity time_lost{.name = "time lost", .higher_is_better = false};
constexpr compare::Quantity scaling_efficiency{.name = "efficiency", .higher_is_better = true};

/// Sides with the same other labels, by index; in order of appearance.
struct Group {
  std::string labels;
  std::map<std::size_t, Side> sides;
};

std::vector<Group> groups_of(const Told& told, std::span<const std::string> pool) {
  std::vector<Group> all;
  for (std::size_t i = 0; i < told.runs.size(); ++i) {
    const Run& run = told.runs[i];
    const std::string labels = compare::other_labels(run.head, told.request.criterion, pool);
    auto group = std::ranges::find(all, labels, &Group::labels);
    if (group == all.end()) group = all.insert(all.end(), Group{.labels = labels});
    for (const CaseRecord& c : run.cases) {
      const auto index = is_measured(c.status) ? told.request.side_of(i, c) : std::nullopt;
      if (!index) continue;
      Side& side = group->sides[*index];
      if (!side.runs.empty() && side.runs.back() == i) continue;
      side.index = *index;
      side.name = told.request.sides[*index];
      side.runs.push_back(i);
      side.layer.add_hosts(run.head);
    }
  }
  return all;
}

/// True if a and b differ and, where one is emulated, the other has as few layers as any side.
bool comparable(const Side& a, const Side& b, const Group& group) {
  if (!differ(a.layer, b.layer)) return false;
  if (!a.layer.emulated && !b.layer.emulated) return true;
  const int least = std::min(a.layer.depth(), b.layer.depth());
  return std::ranges::all_of(group.sides, [&](const auto& one) { return one.second.layer.depth() >= least; });
}

Study study_of(const Gathered& gathered, const std::string& labels, const Side& a, const Side& b) {
  const bool turned = b.layer.depth() < a.layer.depth();
  const compare::ComparisonOptions& options = gathered.told().request.options;
  Study study{.sides = {turned ? b : a, turned ? a : b},
              .labels = labels,
              .margin = options.margin,
              .confidence = options.confidence};
  add_messages(study, gathered);
  add_trainings(study, gathered);
  add_facts(study, gathered);
  std::vector<compare::ComparedCase*> explaining;  // verdicts on these are corrected for all of them
  for (Fact& fact : study.facts)
    if (fact.point) explaining.push_back(&*fact.point);
  for (Step& step : study.steps) {
    explaining.push_back(&step.whole);
    for (StepPart& part : step.parts) explaining.push_back(&part.point);
  }
  set_verdicts(explaining, gathered.options());
  return study;
}

}  // namespace

const compare::Quantity& lost_time() { return time_lost; }
const compare::Quantity& efficiency() { return scaling_efficiency; }

std::string Side::text() const {
  std::string about = name == layer.text() ? "" : layer.text();
  if (!layer.labs.empty()) about += about.empty() ? "lab" : ", lab";
  return about.empty() ? name : name + " (" + about + ")";
}

std::vector<Study> studies_of(const Told& told, std::span<const std::string> pool) {
  std::vector<Study> all;
  std::optional<Gathered> gathered;
  for (const Group& group : groups_of(told, pool)) {
    for (auto a = group.sides.begin(); a != group.sides.end(); ++a) {
      for (auto b = std::next(a); b != group.sides.end(); ++b) {
        if (!comparable(a->second, b->second, group)) continue;
        if (!gathered) gathered.emplace(told);
        Study study = study_of(*gathered, group.labels, a->second, b->second);
        if (!study.messages.empty() || !study.trainings.empty()) all.push_back(std::move(study));
      }
    }
  }
  std::stable_partition(all.begin(), all.end(), [](const Study& s) { return !s.emulated(); });
  return all;
}

}  // namespace busbar::virtualisation
