// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/compare/text.hpp"
#include "reports/text/text.hpp"

namespace busbar::gate {
namespace {

/// The point's ratio, inverted if needed so that above 1 means the current side is slower.
LogRatio slowdown_of(const compare::ComparedCase& p) {
  LogRatio ratio = p.ratio;
  if (p.quantity->higher_is_better) ratio.value = -ratio.value;
  return ratio;
}

Outcome outcome_of(const GatePoint& g, const compare::ComparisonOptions& options, double limit) {
  if (g.point.is_disturbed()) return Outcome::disturbed;
  const bool assumed = g.point.basis == compare::Basis::assumed;
  if (assumed && !(g.point.ratio.standard_error > 0)) return Outcome::inconclusive;
  if (g.interval.low > limit && g.p <= 1 - options.confidence) return Outcome::regression;
  return g.interval.high <= (assumed ? 1 : limit) ? Outcome::pass : Outcome::inconclusive;
}

/// Cases of the baseline that the current side did not measure, and failed cases of the current side.
std::vector<Unmeasured> unmeasured_cases(std::span<const Run> baseline, std::span<const Run> current) {
  std::set<std::string> measured;
  std::map<std::string, std::string> reasons, failed;
  for (const Run& run : current) {
    for (const CaseRecord& c : run.cases) {
      const std::string id = to_string(c.key);
      if (is_measured(c.status)) measured.insert(id);
      if (c.status == Status::skipped) reasons[id] = "skipped: " + c.reason.value_or("unknown");
      if (c.status == Status::failed) failed[id] = "failed: " + c.reason.value_or("unknown");
    }
  }
  std::vector<Unmeasured> all;
  for (const auto& [id, reason] : failed) all.push_back({.id = id, .reason = reason, .outcome = Outcome::regression});
  std::set<std::string> seen;
  for (const Run& run : baseline) {
    for (const CaseRecord& c : run.cases) {
      const std::string id = to_string(c.key);
      if (!is_measured(c.status) || measured.contains(id) || failed.contains(id) || !seen.insert(id).second) continue;
      const auto reason = reasons.find(id);
      all.push_back({.id = id, .reason = reason == reasons.end() ? "missing" : reason->second});
    }
  }
  return all;
}

}  // namespace

std::size_t Gate::count(Outcome wanted) const {
  return static_cast<std::size_t>(std::ranges::count(points, wanted, &GatePoint::outcome) +
                                  std::ranges::count(unmeasured, wanted, &Unmeasured::outcome));
}

Outcome Gate::outcome() const {
  for (const Outcome worst : {Outcome::regression, Outcome::disturbed, Outcome::inconclusive})
    if (count(worst) > 0) return worst;
  return Outcome::pass;
}

Gate decide(const compare::Comparison& comparison, const compare::ComparisonOptions& options, double max_regression,
            std::span<const Run> baseline, std::span<const Run> current) {
  Gate gate{.max_regression = max_regression, .unmeasured = unmeasured_cases(baseline, current)};
  const double limit = 1 + max_regression;
  std::vector<double> p;
  for (const compare::ComparedCase& point : points_of(comparison)) {
    const LogRatio slowdown = slowdown_of(point);
    if (!point.is_disturbed()) p.push_back(slowdown.p_above(limit));
    gate.points.push_back(
        {.point = point, .slowdown = slowdown.ratio(), .interval = slowdown.interval(options.confidence)});
  }
  const std::vector<double> corrected = holm(p);
  auto next = corrected.begin();
  for (GatePoint& g : gate.points) {
    if (!g.point.is_disturbed()) g.p = *next++;
    g.outcome = outcome_of(g, options, limit);
  }
  return gate;
}

std::string summary(const Gate& gate) {
  return fmt::format("{}: {} pass, {} regression, {} inconclusive, {} disturbed",
                     plural(gate.points.size() + gate.unmeasured.size(), "point"), gate.count(Outcome::pass),
                     gate.count(Outcome::regression), gate.count(Outcome::inconclusive),
                     gate.count(Outcome::disturbed));
}

std::vector<const GatePoint*> worst_first(const Gate& gate, Outcome wanted) {
  std::vector<const GatePoint*> all;
  for (const GatePoint& g : gate.points)
    if (g.outcome == wanted) all.push_back(&g);
  std::ranges::stable_sort(all, std::ranges::greater{}, &GatePoint::slowdown);
  return all;
}

std::string sentence(const Gate& gate, const GatePoint& g) {
  const CaseKey& key = g.point.key;
  const std::string interval =
      g.point.ratio.standard_error > 0 ? compare::interval_text(g.interval) : std::string("no interval");
  return fmt::format("{} at {} of {} ({}): slowdown {} ({}), limit {:g}", name(g.outcome), format_size(key.bytes),
                     report::subject(key), report::describe(key), compare::ratio_text(g.slowdown), interval,
                     1 + gate.max_regression);
}

}  // namespace busbar::gate
