// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

constexpr double most_noise = 0.05;  ///< of a CPU's time; quiet virtual machines have 0.007 to 0.03 (docs/method.md)

/// Substrings of sentences from core/statistics/remarks.cpp; this rule's test checks them against it.
constexpr std::array<Kind, 5> changes{{
    {"times rose by", "times rose from the first round to the last"},
    {"times fell by", "times fell from the first round to the last"},
    {"warm-up had not ended", "the first rounds were slower: warm-up had not ended"},
    {"correlat", "successive rounds are correlated: disturbances last longer than a round"},
    {"calls were not warm", "the first calls of a round were slower"},
}};

std::optional<std::string> noise(const Run& run) {
  const auto& all = run.head.noise;
  if (all.empty()) return std::nullopt;
  const auto worst = std::ranges::max_element(all, {}, &Noise::stolen_share);
  if (worst->stolen_share < most_noise) return std::nullopt;
  const auto loud = std::ranges::count_if(all, [](const Noise& n) { return n.stolen_share >= most_noise; });
  return fmt::format(
      "OS noise before the first case: {} of {} lost at least {} of their CPU time. Worst: {}, {}; longest "
      "interruption {}.",
      loud, plural(all.size(), "rank"), percent(most_noise), rank_name(run, static_cast<int>(worst - all.begin())),
      percent(worst->stolen_share), format_duration(worst->longest_s));
}

std::vector<std::string> remarked(const std::vector<const CaseRecord*>& cases) {
  const auto with_rounds = static_cast<std::size_t>(
      std::ranges::count_if(cases, [](const CaseRecord* c) { return !c->rounds.empty() || !c->remarks.empty(); }));
  std::vector<std::string> sentences;
  for (const auto& [says, n] : count_kinds(changes, cases, [](const CaseRecord& c) { return c.remarks; }))
    if (widespread(n, with_rounds)) sentences.push_back(fmt::format("In {}: {}.", of_cases(n, with_rounds), says));
  return sentences;
}

std::vector<Finding> find_disturbed(const Run& run) {
  Finding f{.certainty = Certainty::known,
            .title = "the measurement was disturbed",
            .tries = {"Stop other processes on the hosts and their hypervisors (see top).",
                      "Medians and intervals tolerate short disturbances; p99, maximum and mean do not."}};
  const bool crowded = oversubscribed(run);  // then ranks disturb each other: see rule crowded_cpus
  if (auto text = noise(run); text && !crowded) f.evidence.push_back(*std::move(text));
  const auto more = remarked(ok_cases(run));
  f.evidence.insert(f.evidence.end(), more.begin(), more.end());
  if (f.evidence.empty()) return {};
  if (!more.empty())
    f.tries.emplace_back(
        "Measure longer, to cover the disturbances: --min-span 30 --min-rounds 50, with --time-budget and --run-budget "
        "to match.");
  return {f};
}

}  // namespace

extern const Rule disturbed{
    .name = "disturbed",
    .about = "OS noise before the first case, or drift in many cases",
    .order = 130,
    .has_data = [](const Run& run) { return !run.head.noise.empty() || any_case_has<&CaseRecord::rounds>(run); },
    .look = find_disturbed,
};

}  // namespace busbar::explain
