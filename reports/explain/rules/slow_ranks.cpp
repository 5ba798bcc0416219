// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "core/record/arrival.hpp"
#include "core/record/case_record.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"
#include "reports/runs/collective_facts.hpp"
#include "reports/runs/rank_rows.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr double sticks_out = 1.25;  ///< minimum ratio of a rank's own time to the median of all ranks
constexpr double spreads = 4;        ///< minimum distance from that median, in median absolute deviations
constexpr std::size_t fewest_ranks = 4;

/// Evidence against one rank, one value per case.
struct Suspect {
  std::vector<double> late_s, late_share, compute, own;  ///< compute, own: ratio to the median rank
  std::optional<std::string> device;
};
struct Suspects {
  std::map<int, Suspect> ranks;
  std::size_t arrivals = 0, trainings = 0, medians = 0;  ///< cases with data of each kind
};

/// True if all ranks do the same work, so their own times should be equal.
bool symmetric(const CaseKey& key) {
  const CollectiveFacts* const facts = collective_facts(key.collective);
  return key.kind == CaseKind::collective && facts != nullptr && facts->symmetric;
}

void add_medians(const CaseRecord& c, Suspects& s) {
  // Ranks of a slow group are slow together: the rule slow_groups names it.
  if (!symmetric(c.key) || c.ranks.size() < fewest_ranks || !c.groups.empty()) return;
  ++s.medians;
  std::vector<double> own, off;
  for (const RankSummary& r : c.ranks) own.push_back(r.median_s);
  const double middle = median_of(own);
  for (const double t : own) off.push_back(std::abs(t - middle));
  const double spread = median_of(off);
  if (!(middle > 0)) return;
  for (const RankSummary& r : c.ranks)
    if (r.median_s >= sticks_out * middle && r.median_s - middle >= spreads * spread)
      s.ranks[r.rank].own.push_back(r.median_s / middle);
}

Suspects suspects(const Run& run) {
  Suspects s;
  for (const CaseRecord* c : ok_cases(run)) {
    if (c->arrival) {
      ++s.arrivals;
      for (const LateRank& late : c->arrival->late) {
        s.ranks[late.rank].late_s.push_back(late.behind_s);
        s.ranks[late.rank].late_share.push_back(late.last_share);
        s.ranks[late.rank].device = late.device;
      }
    }
    if (c->training && c->key.ranks > 1) {
      ++s.trainings;
      for (const SlowRank& slow : c->training->slow_ranks)
        if (slow.others_compute_s > 0) s.ranks[slow.rank].compute.push_back(slow.compute_s / slow.others_compute_s);
    }
    add_medians(*c, s);
  }
  return s;
}

/// True for at least a quarter of the cases, and at least three or half of them.
bool often(std::size_t some, std::size_t all) { return some > 0 && some * 4 >= all && (some >= 3 || some * 2 >= all); }

bool late(const Suspect& s, const Suspects& all) { return often(s.late_s.size(), all.arrivals); }
bool computes_slowly(const Suspect& s, const Suspects& all) { return often(s.compute.size(), all.trainings); }
/// True for at least three cases and half of them: an algorithm may give one rank more work at some sizes.
bool takes_longer(const Suspect& s, const Suspects& all) {
  return s.own.size() >= 3 && s.own.size() * 2 >= all.medians;
}

std::string slow_ranks_sentence(const Run& run, int rank, const Suspect& s, const Suspects& all) {
  std::string text = rank_name(run, rank) + (s.device ? ", " + report::shortened(*s.device) : "") + ":";
  if (late(s, all))
    text +=
        fmt::format(" it arrives last more often than by chance in {} ({} of the samples), {} behind the first rank;",
                    of_cases(s.late_s.size(), all.arrivals), percent(median_of(s.late_share)),
                    format_duration(median_of(s.late_s)));
  if (computes_slowly(s, all))
    text += fmt::format(" in {} of training its compute time is {:.2f}x that of the median rank;",
                        of_cases(s.compute.size(), all.trainings), median_of(s.compute));
  if (takes_longer(s, all))
    text += fmt::format(" in {} its own median time is {:.2f}x that of the median rank;",
                        of_cases(s.own.size(), all.medians), median_of(s.own));
  text.back() = '.';
  return text;
}

/// Median SM clock of a rank's GPU over cases; empty if not read.
std::optional<double> sm_clock_MHz(const Run& run, std::size_t rank) {
  std::vector<double> clocks;
  for (const CaseRecord& c : run.cases)
    if (const auto row = report::row_of_rank(c, c.telemetry.size(), static_cast<int>(rank));
        row < c.telemetry.size() && c.telemetry[row].sm_clock_MHz)
      clocks.push_back(c.telemetry[row].sm_clock_MHz->median);
  return clocks.empty() ? std::nullopt : std::optional(median_of(clocks));
}

/// Further evidence against a rank: a low GPU clock, or CPU time lost to OS noise.
std::string corroboration(const Run& run, int rank) {
  const auto row = static_cast<std::size_t>(rank);
  std::string text;
  std::vector<double> clocks, noise;
  for (std::size_t r = 0; r < run.head.placement.size(); ++r)
    if (const auto clock = sm_clock_MHz(run, r)) clocks.push_back(*clock);
  const auto own = sm_clock_MHz(run, row);
  if (own && clocks.size() > 2 && *own < 0.95 * median_of(clocks))
    text += fmt::format("Its GPU has an SM clock of {:.0f} MHz, the median rank {:.0f} MHz (medians over cases). ",
                        *own, median_of(clocks));
  for (const Noise& n : run.head.noise) noise.push_back(n.stolen_share);
  if (row < noise.size() && noise.size() > 2 && noise[row] > 0.02 && noise[row] > 3 * median_of(noise))
    text += fmt::format("Before the first case it lost {} of its CPU time to OS noise, the median rank {}. ",
                        percent(noise[row]), percent(median_of(noise)));
  if (!text.empty()) text.pop_back();
  return text;
}

/// Hosts with several ranks, all in `ranks` (ascending); empty if every host has a rank there.
std::vector<std::string> slow_hosts(const Run& run, const std::vector<int>& ranks) {
  std::map<std::string, std::pair<int, int>> of;  // per host: its ranks, and those in `ranks`
  for (const RankPlace& place : run.head.placement) {
    ++of[place.host].first;
    if (std::ranges::binary_search(ranks, place.rank)) ++of[place.host].second;
  }
  std::vector<std::string> hosts;
  const bool some_are_well = std::ranges::any_of(of, [](const auto& h) { return h.second.second == 0; });
  for (const auto& [host, count] : of)
    if (some_are_well && count.first > 1 && count.first == count.second) hosts.push_back(host);
  return hosts;
}

std::string slow_ranks_title(const std::vector<int>& ranks, const std::vector<std::string>& hosts, const Run& run) {
  if (!hosts.empty()) return fmt::format("all ranks of {} lag behind the others", report::list(hosts));
  if (ranks.size() == 1) return rank_name(run, ranks.front()) + " lags behind the others";
  return rank_names(ranks) + " lag behind the others";
}

std::vector<std::string> slow_ranks_tries(const Run& run) {
  const bool gpus = std::ranges::any_of(run.head.placement, [](const RankPlace& p) { return p.device.has_value(); });
  const std::string looks =
      fmt::format("There, check {}the governor, other processes (top) and the binding of ranks ({}).",
                  gpus ? "nvidia-smi -q -d CLOCK,PERFORMANCE, " : "",
                  find_mpi_library(run.head.mpi ? run.head.mpi->library : "").show_bind_hint);
  if (run.head.nodes.value_or(1) > 1)
    return {
        "Swap its host with another one in the hostfile and measure again. If the slowness moves with the host, it is "
        "the host (clocks, other processes, link); if it stays with the rank, it is the rank's role in the algorithm.",
        looks};
  return {fmt::format("Swap its {} with another rank's and measure again: does the slowness move with it?",
                      gpus ? "GPU" : "CPU"),
          looks};
}

std::vector<Finding> find_slow_ranks(const Run& run) {
  const Suspects all = suspects(run);
  Finding f{.certainty = Certainty::likely};
  for (const auto& [rank, s] : all.ranks) {
    const bool measured = late(s, all) || computes_slowly(s, all);
    if (!measured && !takes_longer(s, all)) continue;
    if (measured) f.certainty = Certainty::known;
    f.where.ranks.push_back(rank);
    if (f.evidence.size() >= 6) continue;
    f.evidence.push_back(slow_ranks_sentence(run, rank, s, all));
    if (auto more = corroboration(run, rank); !more.empty()) f.evidence.push_back(std::move(more));
  }
  if (f.where.ranks.empty()) return {};
  f.where.hosts = slow_hosts(run, f.where.ranks);
  f.title = slow_ranks_title(f.where.ranks, f.where.hosts, run);
  f.tries = slow_ranks_tries(run);
  return {f};
}

bool has_data_for_slow_ranks(const Run& run) {
  const Suspects s = suspects(run);
  return s.arrivals + s.trainings + s.medians > 0;
}

}  // namespace

extern const Rule slow_ranks{
    .name = "slow_ranks",
    .about = "a rank, or all ranks of a host, are late or slow in many cases",
    .order = 50,
    .suspicious = true,
    .has_data = has_data_for_slow_ranks,
    .look = find_slow_ranks,
};

}  // namespace busbar::explain
