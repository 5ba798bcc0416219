// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

constexpr double much_wider = 2;    ///< multiple of the target that counts as a miss
constexpr double longest_s = 3600;  ///< largest budget to suggest

double width(const CaseRecord& c) { return relative_half_width(*c.interval_s); }

/// True if a budget or limit ended the case before it reached the target precision.
bool cut_short(const CaseRecord& c) {
  return c.interval_s && c.interval_s->low > 0 &&
         (c.ended_by == EndedBy::time_budget || c.ended_by == EndedBy::run_budget ||
          c.ended_by == EndedBy::max_samples);
}

/// Seconds that a case needs to reach the target precision, if widths shrink with the square root of the number of
/// rounds.
double needed_s(const CaseRecord& c, double wanted) {
  const double more = std::max(1.0, width(c) / wanted);
  return c.wall_s.value_or(0) * more * more;
}

/// Rounds up to two significant digits of a whole number: 1263 gives 1300.
double rounded_up(double seconds) {
  const double step = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, seconds))) - 1));
  return std::ceil(seconds / step - 1e-9) * step;
}

std::string budgets(const Run& run, const StopAt& stop) {
  double one_s = stop.case_budget_s, all_s = 0;
  bool samples = false;
  for (const CaseRecord* c : ok_cases(run)) {
    const double needed = cut_short(*c) ? needed_s(*c, stop.relative_half_width) : c->wall_s.value_or(0);
    one_s = std::max(one_s, needed);
    all_s += needed;
    samples = samples || c->ended_by == EndedBy::max_samples;
  }
  if (!(all_s > 0)) return "Increase --time-budget and --run-budget.";
  if (!(all_s <= longest_s))
    return "No budget below an hour is enough: first stop interference (see the other findings, or busbar show), or "
           "relax the target (--width).";
  return fmt::format(
      "Use --time-budget {:g} --run-budget {:g}{} for all cases to reach the target, if rounds vary as before.",
      rounded_up(one_s), rounded_up(std::max(all_s, stop.run_budget_s.value_or(0))),
      samples ? ", and a larger --max-samples," : "");
}

std::vector<Finding> find_wide_intervals(const Run& run) {
  const StopAt& stop = *run.head.method.stop;
  if (!(stop.relative_half_width > 0)) return {};
  std::vector<const CaseRecord*> wide;
  std::size_t all = 0, ended = 0;
  for (const CaseRecord* c : ok_cases(run)) {
    if (!c->interval_s) continue;
    ++all;
    if (!cut_short(*c)) continue;
    ++ended;
    if (width(*c) > much_wider * stop.relative_half_width) wide.push_back(c);
  }
  if (wide.empty()) return {};
  const CaseRecord& widest = **std::ranges::max_element(wide, {}, [](const CaseRecord* c) { return width(*c); });
  return {{.certainty = Certainty::known,
           .title = fmt::format("{} missed the target precision by more than 2x", of_cases(wide.size(), all)),
           .evidence = {fmt::format(
               "The target half-width is {}; a budget or limit ended {} before that. The widest half-width is {}: {}, "
               "after {}.",
               percent(stop.relative_half_width), of_cases(ended, all), percent(width(widest)), case_name(widest),
               plural(widest.rounds.size(), "round"))},
           .tries = {budgets(run, stop),
                     "To compare, launch both sides several times in alternation (busbar repeat -- A -- B): the "
                     "interval of one launch does not cover launch-to-launch variation."},
           .where = where(wide)}};
}

}  // namespace

extern const Rule wide_intervals{
    .name = "wide_intervals",
    .about = "a budget ended cases before they reached the target precision",
    .order = 160,
    .has_data = [](const Run& run) { return run.head.method.stop && any_case_has<&CaseRecord::interval_s>(run); },
    .look = find_wide_intervals,
};

}  // namespace busbar::explain
