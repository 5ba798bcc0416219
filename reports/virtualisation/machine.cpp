// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/statistics/summary.hpp"
#include "reports/document/pair_matrix.hpp"
#include "reports/explain/words.hpp"
#include "reports/runs/collective_facts.hpp"
#include "reports/text/text.hpp"
#include "reports/virtualisation/gathered.hpp"
#include "reports/virtualisation/texts.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, compare::FigureOfLaunch;

constexpr auto not_counted = "not counted", none_counted = "none counted", not_measured = "not measured";

std::optional<LaunchFigure> figure(double value) {
  if (!(value > 0)) return std::nullopt;
  return LaunchFigure{.value = value};
}

/// A lost fraction of CPU time as a value of lost_time().
std::optional<LaunchFigure> lost(double fraction) {
  if (!(fraction >= 0 && fraction < 1)) return std::nullopt;
  return figure(1 / (1 - fraction));
}

std::optional<LaunchFigure> stolen_of(const Run& run) {
  explain::StolenTime all;
  for (const auto& [host, one] : explain::stolen_by_host(run)) {
    all.stolen_s += one.stolen_s;
    all.cpu_s += one.cpu_s;
  }
  return all.cpu_s > 0 ? lost(all.share()) : std::nullopt;
}

std::optional<LaunchFigure> noise_of(const Run& run) {
  std::vector<double> shares;
  for (const Noise& noise : run.head.noise) shares.push_back(noise.stolen_share);
  return shares.empty() ? std::nullopt : lost(median(shares));
}

std::optional<LaunchFigure> longest_detour_of(const Run& run) {
  double longest_s = 0;
  for (const Noise& noise : run.head.noise) longest_s = std::max(longest_s, noise.longest_s);
  return figure(longest_s);
}

std::optional<LaunchFigure> clock_read_of(const Run& run) {
  return run.head.timer ? figure(run.head.timer->cost_s) : std::nullopt;
}

double mean_of(const std::vector<FigureOfLaunch>& figures) {
  std::vector<double> values;
  for (const FigureOfLaunch& f : figures) values.push_back(f.figure.value);
  return geometric_mean(values);
}

/// A fact of figures that one side may lack.
Fact fact_of(FactKind kind, std::string what, std::array<std::vector<FigureOfLaunch>, 2> figures,
             const compare::Quantity& quantity, const Gathered& gathered, std::string_view missing) {
  Fact fact{.kind = kind, .what = std::move(what)};
  for (std::size_t side = 0; side < 2; ++side)
    fact.values[side] =
        figures[side].empty() ? std::string(missing) : shown_value(quantity, "s", mean_of(figures[side]));
  fact.point = gathered.point(std::move(figures), quantity);
  if (!fact.point) return fact;
  fact.point->unit = "s";
  fact.values = {shown_value(*fact.point, fact.point->a.value), shown_value(*fact.point, fact.point->b.value)};
  return fact;
}

Fact run_fact(FactKind kind, std::string what, const Study& study, const Gathered& gathered,
              const compare::Quantity& quantity, std::optional<LaunchFigure> (*of)(const Run&),
              std::string_view missing = not_measured) {
  return fact_of(kind, std::move(what),
                 {gathered.figures(study.sides[reference], of), gathered.figures(study.sides[other], of)}, quantity,
                 gathered, missing);
}

/// An emulated machine has no hypervisor that tells its guest about stolen time: its zeros mean nothing. Other guests
/// with zeros only either lost none or run a kernel that does not count it.
Fact stolen_fact(const Study& study, const Gathered& gathered) {
  std::array<std::vector<FigureOfLaunch>, 2> figures;
  std::array<bool, 2> none{};
  for (std::size_t side = 0; side < 2; ++side) {
    const Layer& layer = study.sides[side].layer;
    if (!layer.emulated) figures[side] = gathered.figures(study.sides[side], stolen_of);
    const auto is_zero = [](const FigureOfLaunch& f) { return f.figure.value == 1; };
    none[side] = layer.is_virtual() && !figures[side].empty() && std::ranges::all_of(figures[side], is_zero);
  }
  Fact fact = fact_of(FactKind::stolen, "CPU time stolen by the hypervisor", std::move(figures), lost_time(), gathered,
                      not_counted);
  for (std::size_t side = 0; side < 2; ++side)
    if (none[side]) fact.values[side] = none_counted;
  return fact;
}

std::string clock_sources(const Side& side, const Gathered& gathered) {
  std::set<std::string> all;
  for (const std::size_t i : side.runs)
    for (const Host& host : gathered.run(i).head.hosts)
      if (host.clock_source) all.insert(*host.clock_source);
  return all.empty() ? std::string(report::unknown) : fmt::format("{}", fmt::join(all, ", "));
}

// Smallest latencies

/// What a latency is of: messages between pairs of ranks first, then other calls of two ranks.
struct LatencyOf {
  int order = 0;
  std::uint64_t bytes = 0;
  std::string what;
  friend auto operator<=>(const LatencyOf&, const LatencyOf&) = default;
};

std::optional<LatencyOf> latency_of(const CaseRecord& c) {
  const CaseKey& k = c.key;
  if (k.training || k.bytes == 0 || k.bytes > largest_small || !c.time_s || !(*c.time_s > 0) || !k.nodes)
    return std::nullopt;
  const auto pair = report::pair_ends(c);
  const CollectiveFacts* facts = collective_facts(k.collective);
  const bool between_pairs = pair || k.kind == CaseKind::pair || (facts != nullptr && facts->between_pairs);
  if (!between_pairs && k.ranks != 2) return std::nullopt;
  return LatencyOf{.order = between_pairs ? 0 : 1, .bytes = k.bytes, .what = k.collective};
}

/// Smallest time of a launch by what it is of.
std::map<LatencyOf, double> latencies_of(const Side& side, const Gathered& gathered, std::size_t run, bool between) {
  std::map<LatencyOf, double> least_s;
  for (const CaseRecord& c : gathered.run(run).cases) {
    if (!gathered.key_on(side, run, c)) continue;
    const auto of = latency_of(c);
    if (!of || (*c.key.nodes > 1) != between) continue;
    const auto [at, is_new] = least_s.try_emplace(*of, *c.time_s);
    if (!is_new) at->second = std::min(at->second, *c.time_s);
  }
  return least_s;
}

Fact latency_fact(const Study& study, const Gathered& gathered, bool between) {
  std::map<LatencyOf, std::array<std::vector<FigureOfLaunch>, 2>> all;
  for (std::size_t side = 0; side < 2; ++side)
    for (const std::size_t run : study.sides[side].runs)
      for (const auto& [of, seconds] : latencies_of(study.sides[side], gathered, run, between))
        all[of][side].push_back({.place = gathered.place(run), .figure = {.value = seconds}});
  const auto on_both = std::ranges::find_if(
      all, [](const auto& one) { return !one.second[reference].empty() && !one.second[other].empty(); });
  const auto best = on_both == all.end() ? all.begin() : on_both;
  std::string what = between ? "smallest latency between hosts" : "smallest latency within a host";
  const FactKind kind = between ? FactKind::latency_between : FactKind::latency_within;
  if (best == all.end()) return {.kind = kind, .what = what, .values = {not_measured, not_measured}};
  what += fmt::format(" ({} of {})", best->first.what, format_size(best->first.bytes));
  return fact_of(kind, std::move(what), best->second, *compare::find_quantity("time"), gathered, not_measured);
}

bool is_known(const Fact& fact) {
  return std::ranges::any_of(fact.values,
                             [](const std::string& s) { return s != not_measured && s != report::unknown; });
}

}  // namespace

void add_facts(Study& study, const Gathered& gathered) {
  const compare::Quantity& time = *compare::find_quantity("time");
  study.facts.push_back(stolen_fact(study, gathered));
  study.facts.push_back(
      run_fact(FactKind::noise, "OS noise: CPU time lost, median over ranks", study, gathered, lost_time(), noise_of));
  study.facts.push_back(
      run_fact(FactKind::longest_detour, "OS noise: longest interruption", study, gathered, time, longest_detour_of));
  study.facts.push_back(
      {.kind = FactKind::clock_source,
       .what = "clock source",
       .values = {clock_sources(study.sides[reference], gathered), clock_sources(study.sides[other], gathered)}});
  study.facts.push_back(run_fact(FactKind::clock_read, "time of a clock read", study, gathered, time, clock_read_of));
  for (const bool between : {false, true}) study.facts.push_back(latency_fact(study, gathered, between));
  std::erase_if(study.facts, [](const Fact& fact) { return !is_known(fact); });
}

}  // namespace busbar::virtualisation
