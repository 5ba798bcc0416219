// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/method.hpp"
#include "core/record/run.hpp"
#include "core/units.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

constexpr double much_wider = 2;    ///< than wanted: less wide is what budgets are for
constexpr double longest_s = 3600;  ///< beyond that, more time is no advice

double width(const CaseRecord& c) { return relative_half_width(*c.interval_s); }

/// A budget ended the case before its interval was as narrow as wanted.
bool cut_short(const CaseRecord& c) {
  return c.interval_s && c.interval_s->low > 0 &&
         (c.ended_by == "time_budget" || c.ended_by == "run_budget" || c.ended_by == "max_samples");
}

/// What a case would take to become as narrow as wanted, seconds, if widths shrink with the root of the number of
/// rounds.
double needed_s(const CaseRecord& c, double wanted) {
  const double more = std::max(1.0, width(c) / wanted);
  return c.wall_s.value_or(0) * more * more;
}

/// Whole numbers with two digits that count: 1263 is 1300.
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
    samples = samples || c->ended_by == "max_samples";
  }
  if (!(all_s > 0)) return "Give cases more time: --time-budget, --run-budget.";
  if (!(all_s <= longest_s))
    return "No budget of less than an hour would do: stop what disturbs the runs first (see the other findings, or "
           "busbar show), or ask for less (--width).";
  return fmt::format(
      "--time-budget {:g} --run-budget {:g}{} would do for all cases, if rounds go on to vary as they did.",
      rounded_up(one_s), rounded_up(std::max(all_s, stop.run_budget_s.value_or(0))),
      samples ? ", and a larger --max-samples," : "");
}

bool has_data_for_wide_intervals(const Run& run) {
  return run.head.method.stop &&
         std::ranges::any_of(run.cases, [](const CaseRecord& c) { return c.interval_s.has_value(); });
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
  return {
      {.certainty = Certainty::known,
       .title = fmt::format("{} ended with intervals more than twice as wide as wanted", of_cases(wide.size(), all)),
       .evidence = {fmt::format(
           "Wanted is plus or minus {}; a budget or limit ended {} before that. The widest is plus or minus {}: {}, "
           "after {}.",
           percent(stop.relative_half_width), of_cases(ended, all), percent(width(widest)), case_name(widest),
           plural(widest.rounds.size(), "round"))},
       .tries = {budgets(run, stop),
                 "To compare, launch both sides several times in alternation (scripts/repeat-launch 10 -- ...): an "
                 "interval of one launch does not cover the next."},
       .where = where(wide)}};
}

}  // namespace
}  // namespace busbar::explain

namespace busbar {

extern const explain::Rule wide_intervals{
    .name = "wide_intervals",
    .about = "a budget ended cases whose times are not as well known as was asked for",
    .order = 160,
    .has_data = explain::has_data_for_wide_intervals,
    .look = explain::find_wide_intervals,
};

}  // namespace busbar
