// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/grades/grade.hpp"
#include "core/record/arrival.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/accept/accept.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/explain/words.hpp"

namespace busbar::accept {
namespace {

constexpr double much_longer = 1.25;
constexpr double late_share = 0.25;     ///< of the cases in which a late rank is late: once is chance
constexpr std::size_t least_hosts = 3;  ///< of which a median says what is usual

using Evidence = std::map<std::string, std::vector<std::string>>;

void add_pairs_of_run(const std::vector<report::PairMatrix>& matrices, Evidence& all) {
  for (const report::PairMatrix& m : matrices)
    for (const report::SlowEnd& end : report::slow_ends(m))
      all[end.name].push_back(fmt::format("most transfers {} it are slow in {}", end.role, m.test));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

using HostNames = std::set<std::string>;

HostNames host_names_of(const Run& run) {
  HostNames names;
  for (const Host& host : run.head.hosts) names.insert(host.name);
  return names;
}

/// Times of a case by the set of hosts that ran it: the median over their launches.
using TimesByHosts = std::map<HostNames, std::vector<double>>;

/// Empty if too few hosts, or pairs of hosts, ran the cases.
std::map<std::string, TimesByHosts> times_by_case(const std::vector<Run>& runs, std::size_t hosts) {
  std::vector<HostNames> of_run;
  for (const Run& run : runs) of_run.push_back(host_names_of(run));
  std::set<HostNames> sets;
  for (const HostNames& names : of_run)
    if (names.size() == hosts) sets.insert(names);
  std::map<std::string, TimesByHosts> all;
  if (sets.size() < least_hosts) return all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const HostNames& names = of_run[i];
    if (names.size() != hosts) continue;
    const Grader grader(run);
    for (const CaseRecord& c : run.cases) {
      const auto graded = grader.grade_case(c);
      if (is_measured(c.status) && c.time_s && *c.time_s > 0 && graded && graded->grade != Grade::d)
        all[to_string(c.key)][names].push_back(*c.time_s);
    }
  }
  return all;
}

/// How much longer than usual each host takes, one ratio per case (and pair). With pairs, a fast partner does not help:
/// a link is as slow as its slower end.
std::map<std::string, std::vector<double>> ratios_by_host(const std::map<std::string, TimesByHosts>& cases) {
  std::map<std::string, std::vector<double>> all;
  for (const auto& [id, by_hosts] : cases) {
    if (by_hosts.size() < least_hosts) continue;
    std::vector<double> times;
    for (const auto& [names, some] : by_hosts) times.push_back(median(some));
    // The lower quartile: one slow host of four is part of half of the pairs.
    std::ranges::sort(times);
    const double usual = times[by_hosts.begin()->first.size() > 1 ? times.size() / 4 : times.size() / 2];
    for (const auto& [names, some] : by_hosts)
      for (const std::string& name : names) all[name].push_back(median(some) / usual);
  }
  return all;
}

/// `share`: of a host's ratios that have to be high.
void add_hosts(const std::vector<Run>& runs, std::size_t hosts, double share, Evidence& all) {
  for (const auto& [name, ratios] : ratios_by_host(times_by_case(runs, hosts))) {
    const auto slow = std::ranges::count_if(ratios, [](double r) { return r > much_longer; });
    if (static_cast<double>(slow) < share * static_cast<double>(ratios.size())) continue;
    all[name].push_back(fmt::format("takes {:.2f} times as long as usual (median of {} {}, {} of them slow)",
                                    median(ratios), ratios.size(), hosts == 1 ? "cases" : "cases with partners", slow));
  }
}

/// Ranks that start late in a quarter of the cases, by more than the clocks may differ.
void add_late_ranks(const Run& run, Evidence& all) {
  const double error_s = explain::clock_error_s(run);
  std::size_t cases = 0;
  std::map<std::pair<std::string, int>, std::size_t> late_in;  // by host and rank
  for (const CaseRecord& c : run.cases) {
    if (!c.arrival) continue;
    ++cases;
    for (const LateRank& late : c.arrival->late)
      if (late.behind_s > error_s) ++late_in[{late.host, late.rank}];
  }
  for (const auto& [where, count] : late_in)
    if (static_cast<double>(count) >= late_share * static_cast<double>(cases))
      all[where.first].push_back(
          fmt::format("its rank {} starts late in {} of {}", where.second, count, plural(cases, "case")));
}

void add_ranks(const Run& run, Evidence& all) {
  std::map<std::pair<std::string, std::string>, int> seen;  // by host and what
  for (const CaseRecord& c : run.cases) {
    if (c.training)
      for (const SlowRank& slow : c.training->slow_ranks)
        ++seen[{slow.host, fmt::format("its rank {} computes {:.2f} times as long as the median rank", slow.rank,
                                       slow.compute_s / slow.others_compute_s)}];
  }
  if (host_names_of(run).size() < 2) return;  // no other node to compare with
  add_late_ranks(run, all);
  for (const auto& [where, cases] : seen)
    all[where.first].push_back(fmt::format("{} in {}", where.second, plural(static_cast<std::size_t>(cases), "case")));
}

}  // namespace

std::vector<SlowNode> slow_nodes(const std::vector<Run>& runs) {
  std::vector<std::vector<report::PairMatrix>> pairs;
  for (const Run& run : runs) pairs.push_back(report::pair_matrices(run));
  return slow_nodes(runs, pairs);
}

std::vector<SlowNode> slow_nodes(const std::vector<Run>& runs,
                                 const std::vector<std::vector<report::PairMatrix>>& pairs) {
  Evidence evidence;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add_pairs_of_run(pairs[i], evidence);
    add_ranks(runs[i], evidence);
  }
  add_hosts(runs, 1, 0.5, evidence);
  add_hosts(runs, 2, 0.75, evidence);
  std::vector<SlowNode> all;
  for (auto& [name, texts] : evidence) all.push_back({.name = name, .evidence = std::move(texts)});
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const SlowNode& n) { return n.evidence.size(); });
  return all;
}

}  // namespace busbar::accept
