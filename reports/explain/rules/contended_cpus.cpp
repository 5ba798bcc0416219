// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

/// Substrings of sentences from core/machine/contention.cpp; this rule's test checks them against it.
constexpr std::array<Kind, 6> kinds{{
    {"runnable but not running", "ranks waited for a CPU"},
    {"of the time for a CPU", "ranks waited for a CPU"},  // older records
    {"other processes used", "other processes used CPUs that the ranks needed"},
    {"interrupts or the hypervisor", "ranks lost time to interrupts or the hypervisor"},
    {"the hypervisor took", "the hypervisor stole CPU time"},
    {"by its CPU quota", "a CPU quota throttled ranks"},
}};

std::vector<std::string> reasons(const CaseRecord& c) {
  return c.contention ? c.contention->reasons : std::vector<std::string>{};
}

bool is_wait(const std::string& reason) {
  return std::ranges::any_of(std::span(kinds).first<2>(),
                             [&](const Kind& kind) { return reason.find(kind.in_text) != std::string::npos; });
}

/// Omits waits for a CPU: oversubscribed ranks always wait (rule crowded_cpus).
std::vector<std::string> reasons_beside_waiting(const CaseRecord& c) {
  auto all = reasons(c);
  std::erase_if(all, is_wait);
  return all;
}

/// "Other processes used CPUs that the ranks needed: 17 cases; ranks waited for a CPU: 12 cases."
std::string evidence_of(std::vector<KindCount> counts) {
  std::ranges::stable_sort(counts, std::greater{}, &KindCount::cases);
  std::vector<std::string> parts;
  for (const KindCount& kind : counts)
    if (kind.cases > 0) parts.push_back(fmt::format("{}: {}", kind.says, plural(kind.cases, "case")));
  return capitalised(fmt::format("{}.", fmt::join(parts, "; ")));
}

std::vector<Finding> find_contended_cpus(const Run& run) {
  const auto texts = oversubscribed(run) ? reasons_beside_waiting : reasons;
  std::vector<const CaseRecord*> contended;
  std::size_t looked = 0;
  for (const CaseRecord* c : ok_cases(run)) {
    looked += c->contention.has_value();
    if (!texts(*c).empty()) contended.push_back(c);
  }
  if (!widespread(contended.size(), looked)) return {};
  return {{.certainty = Certainty::known,
           .title = fmt::format("CPUs were contended in {}", of_cases(contended.size(), looked)),
           .evidence = {evidence_of(count_kinds(kinds, contended, texts))},
           .tries = {"Stop other processes on the hosts and their hypervisors (see top), bind ranks (--bind-to core), "
                     "and leave one core per host to the system."},
           .where = where(contended)}};
}

}  // namespace

extern const Rule contended_cpus{
    .name = "contended_cpus",
    .about = "ranks shared their CPUs with other processes or the hypervisor in many cases",
    .order = 35,
    .suspicious = true,
    .has_data = any_case_has<&CaseRecord::contention>,
    .look = find_contended_cpus,
};

}  // namespace busbar::explain
