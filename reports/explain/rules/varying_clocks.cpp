// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr double least_ratio = 1.25;         ///< fastest over slowest speed of a CPU; a run warns from this ratio on
constexpr double least_varying_share = 0.1;  ///< minimum fraction of cases with rounds that are bimodal

/// Evidence of varying speed; if empty, the rule reports nothing.
std::vector<std::string> variation(const Run& run) {
  std::vector<std::string> all;
  const auto varied = [](const Noise& n) { return n.speed_ratio >= least_ratio; };
  if (const auto n = std::ranges::count_if(run.head.noise, varied); n > 0) {
    const auto worst = std::ranges::max_element(run.head.noise, {}, &Noise::speed_ratio);
    all.push_back(fmt::format(
        "Before the first case, CPU speed varied {:.2f}x within {:.2g} s on {}, and by at least {}x on {} of {}.",
        worst->speed_ratio, worst->measured_s, rank_name(run, static_cast<int>(worst - run.head.noise.begin())),
        least_ratio, n, plural(run.head.noise.size(), "rank")));
  }
  std::size_t split = 0, with_rounds = 0;
  for (const CaseRecord* c : ok_cases(run)) {
    split += c->modes.has_value();
    with_rounds += !c->rounds.empty();
  }
  if (split > 1 && static_cast<double>(split) >= least_varying_share * static_cast<double>(with_rounds))
    all.push_back(fmt::format("{} are bimodal.", of_cases(split, with_rounds)));
  return all;
}

struct Settings {
  std::set<std::string> governors, following, turbo;  ///< governors but performance; hosts with one; hosts with turbo
};

Settings settings(const Run& run) {
  Settings s;
  for (const Host& host : run.head.hosts) {
    if (host.governor && *host.governor != "performance") {
      s.governors.insert(*host.governor);
      s.following.insert(host.name);
    }
    if (host.turbo.value_or(false)) s.turbo.insert(host.name);
  }
  return s;
}

std::string hosts(const std::set<std::string>& names) { return report::list(std::vector(names.begin(), names.end())); }

bool has_data_for_varying_clocks(const Run& run) {
  return std::ranges::any_of(run.head.hosts, [](const Host& h) { return h.governor || h.turbo; });
}

std::vector<Finding> find_varying_clocks(const Run& run) {
  auto evidence = variation(run);
  const Settings s = settings(run);
  if (evidence.empty() || (s.following.empty() && s.turbo.empty())) return {};
  Finding f{.certainty = s.following.empty() ? Certainty::possible : Certainty::likely,
            .title = "CPU speed varied, and governor or turbo may change the clocks",
            .evidence = std::move(evidence)};
  if (!s.following.empty()) {
    f.evidence.push_back(fmt::format("CPU governor {}: {}.", hosts(s.governors), hosts(s.following)));
    f.tries.emplace_back("Set the governor while you measure: cpupower frequency-set -g performance.");
    f.where.hosts.assign(s.following.begin(), s.following.end());
  }
  if (!s.turbo.empty()) {
    f.evidence.push_back(fmt::format(
        "Turbo is on: {}. Clocks then depend on the number of busy cores and their temperature.", hosts(s.turbo)));
    f.tries.emplace_back("To compare runs, disable turbo if permitted (intel_pstate: no_turbo; else cpufreq/boost).");
    if (s.following.empty()) f.where.hosts.assign(s.turbo.begin(), s.turbo.end());
  }
  return {f};
}

}  // namespace

extern const Rule varying_clocks{
    .name = "varying_clocks",
    .about = "CPU speed varied where governor or turbo may change the clocks",
    .order = 140,
    .has_data = has_data_for_varying_clocks,
    .look = find_varying_clocks,
};

}  // namespace busbar::explain
