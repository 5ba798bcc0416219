// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/case_run.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "core/base/rank_list.hpp"
#include "core/job/usage.hpp"
#include "core/record/arrival.hpp"
#include "core/record/method.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/status.hpp"
#include "core/statistics/remarks.hpp"
#include "core/statistics/stepped_median.hpp"

namespace busbar {
namespace {

/// Median of the first quarter of a batch; empty if that is fewer than two samples.
std::optional<double> early(std::span<const double> samples, double step) {
  if (samples.size() < 8) return std::nullopt;
  return stepped_median(samples.first(samples.size() / 4), step);
}

/// The first samples of each round, equally many per round and at most `most` in total. Sets Round::kept.
std::vector<double> cut(const std::vector<std::vector<double>>& rounds, std::vector<Round>& told, std::size_t most) {
  std::vector<double> kept;
  const std::size_t each = std::max<std::size_t>(1, most / std::max<std::size_t>(1, rounds.size()));
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const std::size_t n = std::min({each, rounds[i].size(), most - kept.size()});
    kept.insert(kept.end(), rounds[i].begin(), rounds[i].begin() + static_cast<std::ptrdiff_t>(n));
    told[i].kept = n;
  }
  return kept;
}

GatedTimes median_of_parts(const std::vector<GatedTimes>& all) {
  const auto of = [&](double GatedTimes::* part) {
    std::vector<double> values;
    for (const GatedTimes& g : all) values.push_back(g.*part);
    return median(std::move(values));
  };
  return {.launch_s = of(&GatedTimes::launch_s),
          .device_s = of(&GatedTimes::device_s),
          .notice_s = of(&GatedTimes::notice_s)};
}

/// Of two calls per sample. Counts are sums; the share is a mean; the wrong element is the first call's if it has one.
Check both_checks(Check first, Check second) {
  const bool first_failed = first.state == CheckState::failed;
  Check both = first_failed ? std::move(first) : std::move(second);
  const Check& other = first_failed ? second : first;
  both.calls_made = both.calls_made.value_or(0) + other.calls_made.value_or(0);
  both.calls_checked = both.calls_checked.value_or(0) + other.calls_checked.value_or(0);
  both.calls_whole = both.calls_whole.value_or(0) + other.calls_whole.value_or(0);
  if (both.element_share && other.element_share)
    both.element_share = 0.5 * (*both.element_share + *other.element_share);
  return both;
}

/// Rows are teams, columns rounds.
using TeamRounds = std::vector<std::vector<double>>;

/// Each team's time divided by the median of the other teams, by round.
TeamRounds over_others(const TeamRounds& teams_s) {
  TeamRounds ratios(teams_s.size());
  for (std::size_t round = 0; round < teams_s[0].size(); ++round) {
    std::vector<double> sorted_s;
    for (const auto& team_s : teams_s) sorted_s.push_back(team_s[round]);
    std::ranges::sort(sorted_s);
    for (std::size_t t = 0; t < teams_s.size(); ++t) {
      const auto own =
          static_cast<std::size_t>(std::ranges::lower_bound(sorted_s, teams_s[t][round]) - sorted_s.begin());
      const auto other = [&](std::size_t i) { return sorted_s[i < own ? i : i + 1]; };
      const std::size_t n = sorted_s.size() - 1;
      const double usual_s = 0.5 * (other((n - 1) / 2) + other(n / 2));
      ratios[t].push_back(usual_s > 0 ? teams_s[t][round] / usual_s : 1);
    }
  }
  return ratios;
}

double bus_factor_of(const Case& spec, int ranks) {
  if (!spec.shares) return spec.collective->bus_factor(ranks);
  return spec.collective->uneven_bus_factor(spec.geometry(0, ranks));
}

std::vector<double> joined(const std::vector<std::vector<double>>& rounds) {
  std::vector<double> all;
  for (const auto& samples : rounds) all.insert(all.end(), samples.begin(), samples.end());
  return all;
}

}  // namespace

CaseRun::CaseRun(const Case& the_spec, CaseRecord its_record, Layout its_layout, Checker its_checker,
                 double timer_step_s)
    : spec(the_spec),
      record(std::move(its_record)),
      layout(its_layout),
      checker(std::move(its_checker)),
      step_s_(timer_step_s) {}

void CaseRun::add(const Batch& mine, const Combined& all, const Usage& usage, double at_s, double wall_s,
                  bool keep_samples) {
  spent_s_ += wall_s;
  visit_s_ = wall_s;
  cycle_s = all.contended && cycle_s > 0 ? std::min(cycle_s, all.cycle_s) : all.cycle_s;
  invalid_ += all.invalid;
  wrong_ = all.wrong;
  usage_ += usage;
  costs_.inside_s += mine.costs.inside_s;
  costs_.start_s += mine.costs.start_s;
  costs_.data_s += mine.costs.data_s;
  missed_ = all.slowest_s.empty() ? missed_ + 1 : 0;
  if (all.slowest_s.empty()) return;
  const double step = step_s_ / (repeat * spec.parts());
  taken_ += all.slowest_s.size();
  medians_s_.push_back(stepped_median(all.slowest_s, step));
  rounds_.push_back({.at_s = at_s,
                     .samples = all.slowest_s.size(),
                     .median_s = medians_s_.back(),
                     .early_s = early(all.slowest_s, step),
                     .pace_s = all.pace_s > 0 ? std::optional(all.pace_s) : std::nullopt,
                     .barrier_s = all.barrier_s,
                     .contended = all.contended});
  const auto [least, most] = std::ranges::minmax(all.own_s);
  own_min_s_.push_back(least);
  own_max_s_.push_back(most);
  own_median_s_.push_back(stepped_median(all.own_s, step));
  arrivals_.last_share.push_back(all.last);
  arrivals_.behind_s.push_back(median(all.behind_s));
  skew_s_.push_back(median(all.skew_s));
  transfer_s_.push_back(median(all.transfer_s));
  if (!all.other_s.empty()) other_medians_s_.push_back(median(all.other_s));
  if (!all.gated.empty()) gated_medians_.push_back(median_of_parts(all.gated));
  if (const auto overlap = overlap_round(all.overlap)) {
    overlap_.push_back(*overlap);
    note_alone(all);
  }
  if (keep_samples) samples_s_.push_back(all.slowest_s);
  kinds_.resize(all.kinds.size());
  for (std::size_t k = 0; k < all.kinds.size(); ++k) {
    kinds_[k].slowest_s.push_back(stepped_median(all.kinds[k].slowest_s, step));
    kinds_[k].team_s.push_back(stepped_median(all.kinds[k].team_s, step));
  }
}

/// If ranks shared CPUs, most samples may have waited for one: then the shortest counts.
void CaseRun::note_alone(const Combined& all) {
  const double shortest_s = std::ranges::min(all.overlap, {}, &OverlapTimes::alone_s).alone_s;
  alone_s = all.contended ? std::min(alone_s, shortest_s) : overlap_.back().times.alone_s;
}

Sampling CaseRun::sampling(double now_s, double left_s) const {
  return {.round_medians_s = medians_s_,
          .samples = taken_,
          .spent_s = spent_s_,
          .span_s = rounds_.empty() ? 0 : now_s - rounds_.front().at_s,
          .left_s = left_s};
}

void CaseRun::set_check(Group& group, const Conclusion& with) {
  if (!with.check || record.key.bytes == 0) return;
  record.check = checker.agree_on_check(group);
  if (second) record.check = both_checks(record.check, second->checker.agree_on_check(group));
  if (record.check.state != CheckState::failed) return;
  for (int& rank : record.check.wrong_ranks) rank = with.ranks.in_job(static_cast<std::size_t>(rank));
  record.check.first->rank = record.check.wrong_ranks[0];
  record.status = Status::failed;
  record.reason = describe(record.check, group.size());
}

/// Bandwidths only if the time is that of one call.
void CaseRun::summarise_times() {
  if (spec.advance || second)
    record.time_s = median(medians_s_);
  else
    set_bandwidth(record, median(medians_s_), bus_factor_of(spec, record.key.ranks));
}

void CaseRun::summarise_ranks(Group& group, const Conclusion& with) {
  const std::array own{std::ranges::min(own_min_s_), median(own_median_s_), std::ranges::max(own_max_s_)};
  const auto all = group.all_gather(own);
  for (std::size_t r = 0; r * own.size() < all.size(); ++r)
    record.ranks.push_back({.rank = with.ranks.in_job(r),
                            .min_s = all[r * own.size()],
                            .median_s = all[r * own.size() + 1],
                            .max_s = all[r * own.size() + 2]});
}

void CaseRun::summarise_samples(const Conclusion& with) {
  record.interval_s = stated_interval(with.rules, medians_s_, with.confidence);
  record.paced = paced_time(rounds_);
  record.modes = two_modes(medians_s_);
  record.remarks = remarks(rounds_);
  record.samples_taken = taken_;
  if (!samples_s_.empty()) {
    record.statistics = summarise(joined(samples_s_));
    record.samples_s = cut(samples_s_, rounds_, with.keep);
  }
  record.rounds = rounds_;
}

/// Times of each team, on rank 0. Gathers those of all ranks; a team's first rank speaks for it.
void CaseRun::summarise_teams(Group& group, const Conclusion& with) {
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const Team& kind = *with.kinds[k];
    if (kind.teams.size() < 2) continue;
    const auto of_ranks = group.all_gather(kinds_[k].team_s);
    if (group.rank() != 0) continue;
    const auto n = static_cast<std::ptrdiff_t>(rounds_.size());
    TeamRounds teams_s;
    for (const auto& team : kind.teams) {
      const auto from = of_ranks.begin() + n * team[0];
      teams_s.emplace_back(from, from + n);
    }
    const TeamRounds ratios = over_others(teams_s);
    const double each = 1 - (1 - with.confidence) / static_cast<double>(teams_s.size());
    for (std::size_t t = 0; t < teams_s.size(); ++t) {
      std::vector<int> ranks;
      for (const int r : kind.teams[t]) ranks.push_back(with.ranks.in_job(static_cast<std::size_t>(r)));
      CaseRecord own{.key = record.key};
      set_bandwidth(own, median(teams_s[t]), spec.collective->bus_factor(kind.world.ranks));
      record.groups.push_back({.kind = kind.level,
                               .group = static_cast<int>(t),
                               .ranks = rank_list(ranks),
                               .time_s = *own.time_s,
                               .interval_s = stated_interval(with.rules, teams_s[t], with.confidence),
                               .busbw_GBps = own.busbw_GBps,
                               .over_others = median(ratios[t]),
                               .over_others_interval = stated_interval(with.rules, ratios[t], each)});
    }
  }
}

/// Alternating: the calls of each kind. They have no common bandwidth.
void CaseRun::summarise_kinds(const Conclusion& with) {
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    record.calls.push_back({.kind = with.kinds[k]->level,
                            .time_s = median(kinds_[k].slowest_s),
                            .interval_s = stated_interval(with.rules, kinds_[k].slowest_s, with.confidence)});
}

void CaseRun::summarise_arrival(Group& group, const Conclusion& with) {
  if (group.size() < 2) return;
  std::vector<double> mine = arrivals_.last_share;
  mine.insert(mine.end(), arrivals_.behind_s.begin(), arrivals_.behind_s.end());
  const auto all = group.all_gather(mine);
  const auto n = static_cast<std::ptrdiff_t>(rounds_.size());
  std::vector<Arrivals> ranks;
  for (auto at = all.begin(); at != all.end(); at += 2 * n)
    ranks.push_back({.last_share = {at, at + n}, .behind_s = {at + n, at + 2 * n}});
  record.arrival = Arrival{.skew_s = median(skew_s_), .transfer_s = median(transfer_s_)};
  // At least 10 % of the time, 1 us, and three clock errors: smaller delays are normal after any barrier.
  const double least_s = std::max({0.1 * *record.time_s, 1e-6, 3 * with.clock_error_s});
  record.arrival->late = late_ranks(ranks, least_s);
  if (with.ranks.places.empty()) return;  // only the rank that writes the record knows the places
  for (LateRank& late : record.arrival->late) {
    const RankPlace& place = with.ranks.places[static_cast<std::size_t>(late.rank)];
    late.rank = with.ranks.in_job(static_cast<std::size_t>(late.rank));
    late.host = place.host;
    late.cpus = place.cpus;
    late.device = place.device;
  }
}

CaseRecord CaseRun::conclude(Group& group, const Conclusion& with) {
  CaseRecord before = record;
  fill(group, with);
  return std::exchange(record, std::move(before));
}

std::string CaseRun::why_no_sample(EndedBy by) const {
  if (missed_ > 0) return fmt::format("in {} rounds no sample had all ranks ready when its window opened", missed_);
  if (by == EndedBy::wrong_data) return "not timed: another call of the replay had wrong data";
  if (by != EndedBy::run_budget) return "interrupted before the first sample";
  if (only_waits_) return "its samples waited for CPUs: give ranks CPUs of their own, or a longer --run-budget";
  return "no time was left for it: give a longer --run-budget";
}

void CaseRun::fill(Group& group, const Conclusion& with) {
  set_check(group, with);
  record.wall_s = spent_s_;
  if (!rounds_.empty()) record.started_s = rounds_.front().at_s;
  record.ended_by = with.ended_by;
  if (invalid_ > 0 || record.key.cadence == "synchronised") record.invalid_samples = invalid_;
  if (rounds_.empty()) {
    if (record.status != Status::ok) return;
    record.status = missed_ > 0 ? Status::failed : Status::skipped;
    record.reason = why_no_sample(with.ended_by);
    return;
  }
  if (record.status == Status::ok && is_cut_off(with.ended_by) && rounds_.size() < least_rounds) {
    record.status = Status::partial;
    record.reason = fmt::format("{} of the {} rounds that an interval needs", rounds_.size(), least_rounds);
  }
  record.calls_per_sample = repeat;
  summarise_times();
  record.overlap = overlap_of(overlap_, with.confidence);
  if (!other_medians_s_.empty()) {
    const bool by_device = with.clock == SampleClock::device;
    record.time_by_clock_s = {{by_device ? device_clock : host_clock, *record.time_s},
                              {by_device ? host_clock : device_clock, median(other_medians_s_)}};
  }
  if (!gated_medians_.empty()) record.gated = median_of_parts(gated_medians_);
  summarise_ranks(group, with);
  summarise_samples(with);
  if (second) summarise_kinds(with);
  if (with.ended_by != EndedBy::unfinished) summarise_teams(group, with);
  summarise_arrival(group, with);
  add_usage(group, usage_, with.ranks, record);
  add_telemetry(group, telemetry.summary(), record);
  if (with.costs)
    record.overhead = Overhead{.inside_s = costs_.inside_s,
                               .start_s = costs_.start_s,
                               .data_s = costs_.data_s,
                               .other_s = spent_s_ - costs_.inside_s - costs_.start_s - costs_.data_s};
}

}  // namespace busbar
