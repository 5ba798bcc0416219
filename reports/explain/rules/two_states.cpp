// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/summary.hpp"
#include "core/statistics/undisturbed.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

double ratio(const CaseRecord& c) { return c.modes->high.median_s / c.modes->low.median_s; }

std::string example_of_two_states(const CaseRecord& c) {
  return fmt::format("{}: {} at {} and {} at {}, {:.2f}x slower.", case_name(c), plural(c.modes->low.rounds, "round"),
                     format_duration(c.modes->low.median_s), c.modes->high.rounds,
                     format_duration(c.modes->high.median_s), ratio(c));
}

/// How many checks found ranks of a host on distant CPUs; empty if none did or no check ran.
std::string far_apart(const Run& run) {
  if (!run.end || !run.end->settling || run.end->settling->far == 0) return {};
  const Settling& s = *run.end->settling;
  return fmt::format(
      "{} of {} checks between rounds found ranks of a host on distant CPUs: a barrier took more than {:g}x its best "
      "time.",
      s.far, s.looks, far_ratio);
}

/// Time of the fixed piece of work (core/machine/pace.hpp) in slow rounds divided by that in fast rounds; empty if
/// unknown.
std::optional<double> slower_pace(const CaseRecord& c) {
  const double between_s = std::sqrt(c.modes->low.median_s * c.modes->high.median_s);
  std::vector<double> fast, slow;
  for (const Round& r : c.rounds) {
    if (r.pace_s) (r.median_s < between_s ? fast : slow).push_back(*r.pace_s);
  }
  if (fast.empty() || slow.empty()) return std::nullopt;
  return median(slow) / median(fast);
}

/// Whether the CPUs were slower in the slow rounds; empty if unknown or unclear.
std::string pace_of_states(const std::vector<const CaseRecord*>& split) {
  constexpr double slower = 1.15, alike = 1.05;
  std::vector<double> ratios;
  for (const CaseRecord* c : split) {
    if (const auto ratio = slower_pace(*c)) ratios.push_back(*ratio);
  }
  if (ratios.empty()) return {};
  const double typical = median(ratios);
  if (typical >= slower)
    return fmt::format(
        "In the slow rounds, a fixed piece of work ran {:.2f}x slower: something else uses the cores (another guest of "
        "the hypervisor, the other hardware thread), or their clock is lower.",
        typical);
  if (typical > alike || typical < 1 / alike) return {};
  return fmt::format(
      "A fixed piece of work took {:.2f}x as long in the slow rounds as in the fast ones: the cores are not the cause.",
      typical);
}

std::vector<Finding> find_two_states(const Run& run) {
  std::vector<const CaseRecord*> split;
  std::size_t with_rounds = 0;
  for (const CaseRecord* c : ok_cases(run)) {
    with_rounds += !c->rounds.empty();
    if (c->modes && c->modes->low.median_s > 0) split.push_back(c);
  }
  if (split.empty()) return {};
  std::ranges::sort(split, {}, [](const CaseRecord* c) { return std::pair(-ratio(*c), c); });
  Finding f{
      .certainty = Certainty::known,
      .title = fmt::format("{} {} bimodal: rounds are either fast or slow", of_cases(split.size(), with_rounds),
                           split.size() == 1 ? "is" : "are"),
      .tries = {"Use the two medians (modes in the record), not the time of such a case: it mixes both modes, and the "
                "share of each is chance.",
                "Launch several times (busbar repeat): one launch cannot show a mode that lasts for a whole "
                "launch.",
                "Find the cause: placement of virtual CPUs (--settle), clocks (governor, turbo), other load on the "
                "hosts or the network."},
      .where = where(split)};
  for (std::size_t i = 0; i < std::min<std::size_t>(split.size(), 3); ++i)
    f.evidence.push_back(example_of_two_states(*split[i]));
  if (auto text = pace_of_states(split); !text.empty()) f.evidence.push_back(std::move(text));
  if (auto text = far_apart(run); !text.empty()) f.evidence.push_back(std::move(text));
  return {f};
}

}  // namespace

extern const Rule two_states{
    .name = "two_states",
    .about = "rounds of a case are bimodal: either fast or slow",
    .order = 80,
    .has_data = any_case_has<&CaseRecord::rounds>,
    .look = find_two_states,
};

}  // namespace busbar::explain
