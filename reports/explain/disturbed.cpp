// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/units.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

constexpr double least_disturbed_share = 0.1;  ///< of the cases: fewer are chance or brief interference
constexpr std::size_t fewest = 2;              ///< cases
constexpr double most_noise = 0.05;  ///< of a CPU's time; quiet virtual machines have 0.007 to 0.03 (docs/method.md)

/// Kinds of contention and of remarks: a substring of a case's sentence, and the text for all such cases. The sentences
/// come from core/machine/contention.cpp and core/statistics/remarks.cpp; the test of this rule generates them there.
struct Kind {
  std::string_view in_text, says;
};
constexpr std::array<Kind, 5> contentions{{
    {"for a CPU", "ranks waited for a CPU"},
    {"other processes used", "other processes used CPUs that the ranks needed"},
    {"interrupts or the hypervisor", "ranks lost time to interrupts or the hypervisor"},
    {"the hypervisor took", "the hypervisor stole CPU time"},
    {"by its CPU quota", "a CPU quota throttled ranks"},
}};
constexpr std::array<Kind, 5> changes{{
    {"times rose by", "times rose from the first round to the last"},
    {"times fell by", "times fell from the first round to the last"},
    {"warm-up had not ended", "the first rounds were slower: warm-up had not ended"},
    {"correlat", "successive rounds are correlated: disturbances last longer than a round"},
    {"calls were not warm", "the first calls of a round were slower"},
}};

/// Number of cases per kind.
template <std::size_t N>
std::map<std::string_view, std::size_t> count(const std::array<Kind, N>& kinds,
                                              const std::vector<const CaseRecord*>& cases,
                                              std::vector<std::string> (*texts)(const CaseRecord&)) {
  std::map<std::string_view, std::size_t> counts;
  for (const CaseRecord* c : cases) {
    const auto all = texts(*c);
    for (const Kind& kind : kinds)
      counts[kind.says] +=
          std::ranges::any_of(all, [&](const auto& t) { return t.find(kind.in_text) != std::string::npos; });
  }
  return counts;
}

bool enough(std::size_t some, std::size_t all) {
  return some >= fewest && static_cast<double>(some) >= least_disturbed_share * static_cast<double>(all);
}

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

/// Reasons for the contention of a case; the second omits waiting for a CPU, which oversubscription causes.
std::vector<std::string> reasons(const CaseRecord& c) {
  return c.contention ? c.contention->reasons : std::vector<std::string>{};
}
std::vector<std::string> reasons_beside_waiting(const CaseRecord& c) {
  auto all = reasons(c);
  std::erase_if(all, [](const std::string& text) { return text.find(contentions[0].in_text) != std::string::npos; });
  return all;
}

/// "CPUs were contended in 16 of 96 cases: ranks waited for a CPU (12), ..."
std::optional<std::string> contention(const std::vector<const CaseRecord*>& cases, bool oversubscribed) {
  const auto texts = oversubscribed ? reasons_beside_waiting : reasons;
  std::vector<const CaseRecord*> contended;
  std::size_t looked = 0;
  for (const CaseRecord* c : cases) {
    looked += c->contention.has_value();
    if (!texts(*c).empty()) contended.push_back(c);
  }
  if (!enough(contended.size(), looked)) return std::nullopt;
  std::string kinds;
  for (const auto& [says, n] : count(contentions, contended, texts))
    if (n > 0) kinds += fmt::format("{}{} ({})", kinds.empty() ? ": " : ", ", says, n);
  return fmt::format("CPUs were contended in {}{}.", of_cases(contended.size(), looked), kinds);
}

std::vector<std::string> remarked(const std::vector<const CaseRecord*>& cases) {
  const auto with_rounds = static_cast<std::size_t>(
      std::ranges::count_if(cases, [](const CaseRecord* c) { return !c->rounds.empty() || !c->remarks.empty(); }));
  std::vector<std::string> sentences;
  for (const auto& [says, n] : count(changes, cases, +[](const CaseRecord& c) { return c.remarks; }))
    if (enough(n, with_rounds)) sentences.push_back(fmt::format("In {}: {}.", of_cases(n, with_rounds), says));
  return sentences;
}

bool has_data_for_disturbed(const Run& run) {
  return !run.head.noise.empty() ||
         std::ranges::any_of(run.cases, [](const CaseRecord& c) { return c.contention || !c.rounds.empty(); });
}

std::vector<Finding> find_disturbed(const Run& run) {
  const auto cases = ok_cases(run);
  Finding f{
      .certainty = Certainty::known,
      .title = "the measurement was disturbed",
      .evidence = {},
      .tries =
          {"Stop other processes on the hosts and their hypervisors (see top), bind ranks (--bind-to core), and leave "
           "one core per host to the system.",
           "Medians and intervals tolerate short disturbances; p99, maximum and mean do not."},
      .where = {}};
  const bool crowded = oversubscribed(run);  // then ranks disturb each other: rule crowded_cpus
  if (auto text = contention(cases, crowded)) f.evidence.push_back(*std::move(text));
  if (auto text = noise(run); text && !crowded) f.evidence.push_back(*std::move(text));
  const auto more = remarked(cases);
  f.evidence.insert(f.evidence.end(), more.begin(), more.end());
  if (f.evidence.empty()) return {};
  if (!more.empty())
    f.tries.emplace_back(
        "Measure longer, to cover the disturbances: --min-span 30 --min-rounds 50, with --time-budget and --run-budget "
        "to match.");
  return {f};
}

}  // namespace
}  // namespace busbar::explain

namespace busbar {

extern const explain::Rule disturbed{
    .name = "disturbed",
    .about = "interference, OS noise or drift in many cases",
    .order = 130,
    .has_data = explain::has_data_for_disturbed,
    .look = explain::find_disturbed,
};

}  // namespace busbar
