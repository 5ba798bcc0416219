// SPDX-License-Identifier: Apache-2.0
#include "reports/explain/words.hpp"

#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/environment/environment.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/status.hpp"
#include "core/statistics/summary.hpp"
#include "core/tables/named_table.hpp"
#include "reports/runs/rank_rows.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {

std::vector<KindCount> count_kinds(std::span<const Kind> kinds, std::span<const CaseRecord* const> cases,
                                   std::vector<std::string> (*texts)(const CaseRecord&)) {
  std::vector<KindCount> counts;
  for (const Kind& kind : kinds) counts.push_back({.says = kind.says});
  for (const CaseRecord* c : cases) {
    const auto all = texts(*c);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      counts[i].cases += std::ranges::any_of(
          all, [&](const std::string& text) { return text.find(kinds[i].in_text) != std::string::npos; });
  }
  return counts;
}

bool widespread(std::size_t some, std::size_t all) {
  constexpr double least_share = 0.1;
  constexpr std::size_t fewest = 2;
  return some >= fewest && static_cast<double>(some) >= least_share * static_cast<double>(all);
}

std::string case_name(const CaseRecord& c) {
  if (c.key.training) return fmt::format("{} on {}", report::subject(c.key), plural(c.key.ranks, "rank"));
  if (c.key.bytes == 0 && is_named(c.key)) return report::subject(c.key);
  return fmt::format("{}{} at {}", report::subject(c.key), c.key.type ? " " + *c.key.type : "",
                     format_size(c.key.bytes));
}

std::string host_of(const Run& run, int rank) {
  const auto& placement = run.head.placement;
  const auto row = static_cast<std::size_t>(rank);
  return rank >= 0 && row < placement.size() && placement[row].rank == rank ? placement[row].host : "";
}

std::string rank_name(const Run& run, int rank) {
  const std::string host = host_of(run, rank);
  return fmt::format("rank {}{}", rank, host.empty() ? "" : " (" + host + ")");
}

std::string rank_names(std::span<const int> ranks) {
  std::vector<std::string> numbers;
  for (const int rank : ranks) numbers.push_back(std::to_string(rank));
  return (ranks.size() == 1 ? "rank " : "ranks ") + report::list(numbers, 8);
}

std::string of_cases(std::size_t some, std::size_t all) { return fmt::format("{} of {}", some, plural(all, "case")); }

std::string percent(double share) {
  const double value = 100 * share;
  return fmt::format("{:.{}f} %", value, value < 1 ? 2 : value < 10 ? 1 : 0);
}

std::optional<std::string> variable(const Run& run, const std::string& name) {
  const auto it = run.head.environment.find(name);
  if (it == run.head.environment.end()) return std::nullopt;
  return lower_case(it->second);
}

int threads_of_a_rank(const Run& run) {
  int most = 1;
  for (const CaseRecord& c : run.cases)
    if (c.key.training) most = std::max(most, c.key.training->threads.value_or(1));
  return most;
}

bool oversubscribed(const Run& run) {
  std::map<std::string, double> wanted;
  const int threads = threads_of_a_rank(run);
  for (const RankPlace& place : run.head.placement) wanted[place.host] += threads;
  return std::ranges::any_of(run.head.hosts, [&](const Host& host) {
    const double threads_here = wanted[host.name];
    return (host.threads && threads_here > *host.threads) || (host.cpu_quota && threads_here > *host.cpu_quota);
  });
}

double clock_error_s(const Run& run) {
  if (!run.head.clock || run.head.clock->method == "shared clock") return 0;
  double residual_s = run.head.clock->residual_s;
  if (run.end && run.end->clock) residual_s = std::max(residual_s, run.end->clock->worst_residual_s.value_or(0));
  return residual_s + run.head.clock->uncertainty_s;
}

std::map<std::string, StolenTime> stolen_by_host(const Run& run) {
  std::map<std::string, int> cpus;
  for (const Host& host : run.head.hosts)
    if (host.threads) cpus[host.name] = *host.threads;
  std::map<std::string, StolenTime> all;
  for (const CaseRecord& c : run.cases) {
    std::map<std::string, bool> seen;  // each rank reports its whole host: count it once
    for (std::size_t row = 0; row < c.usage.size(); ++row) {
      const std::string host = host_of(run, report::rank_of_row(c, row));
      const Usage& usage = c.usage[row];
      if (!usage.host_stolen_s || !cpus.contains(host) || std::exchange(seen[host], true)) continue;
      StolenTime& s = all[host];
      s.stolen_s += *usage.host_stolen_s;
      s.cpu_s += usage.wall_s * cpus[host];
      s.wall_s += usage.wall_s;
    }
  }
  return all;
}

Where where(std::span<const CaseRecord* const> cases) {
  std::set<std::string> series;
  std::set<std::uint64_t> sizes;
  for (const CaseRecord* c : cases) {
    series.insert(series_name(c->key));
    if (!c->key.training && !(c->key.bytes == 0 && is_named(c->key))) sizes.insert(c->key.bytes);
  }
  return {.series = {series.begin(), series.end()},
          .sizes = {sizes.begin(), sizes.end()},
          .cases = {cases.begin(), cases.end()}};
}

std::vector<const CaseRecord*> ok_cases(const Run& run) {
  std::vector<const CaseRecord*> all;
  for (const CaseRecord& c : run.cases)
    if (is_measured(c.status)) all.push_back(&c);
  return all;
}

double median_of(std::vector<double> values) { return values.empty() ? 0 : median(values); }

}  // namespace busbar::explain
