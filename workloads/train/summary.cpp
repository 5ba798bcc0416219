// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/summary.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/training.hpp"
#include "core/statistics/modes.hpp"
#include "core/statistics/remarks.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

std::vector<double> column(std::span<const TrainRound> rounds, const auto& value) {
  std::vector<double> all;
  for (const TrainRound& r : rounds) all.push_back(value(r));
  return all;
}

std::vector<double> quotients(std::span<const double> above, std::span<const double> below) {
  std::vector<double> all(std::min(above.size(), below.size()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = above[i] / below[i];
  return all;
}

StepSplit split_of(std::span<const TrainRound> rounds) {
  StepTimes sum;
  double steps = 0, slowest_compute_s = 0;
  for (const TrainRound& r : rounds) {
    const auto n = static_cast<double>(r.samples_s.size());
    steps += n;
    for (const auto part : parts_of_step) sum.*part += n * r.mean.*part;
    slowest_compute_s += n * r.slowest_compute_s;
  }
  StepSplit s{.step_s = sum.step_s / steps,
              .forward_s = sum.forward_s / steps,
              .backward_s = sum.backward_s / steps,
              .exposed_s = sum.exposed_s / steps,
              .optimiser_s = sum.optimiser_s / steps};
  s.other_s = std::max(0.0, s.step_s - s.forward_s - s.backward_s - s.exposed_s - s.optimiser_s);
  s.hidden_s = std::max(0.0, sum.communicating_s / steps - s.exposed_s);
  s.slowest_compute_s = slowest_compute_s / steps;
  return s;
}

void summarise_time(CaseRecord& record, std::span<const TrainRound> rounds, std::span<const StopRule> rules,
                    double confidence) {
  const auto step_s = column(rounds, [](const TrainRound& r) { return r.step_s; });
  record.time_s = median(step_s);
  record.interval_s = stated_interval(rules, step_s, confidence);
  record.modes = two_modes(step_s);
  for (const TrainRound& r : rounds) {
    record.rounds.push_back({.at_s = r.at_s,
                             .samples = r.samples_s.size(),
                             .kept = r.samples_s.size(),
                             .median_s = median(r.samples_s),
                             .mean_s = r.step_s});
    record.samples_s.insert(record.samples_s.end(), r.samples_s.begin(), r.samples_s.end());
  }
  record.samples_taken = record.samples_s.size();
  record.statistics = summarise(record.samples_s);
  record.remarks = remarks(record.rounds);
}

void summarise_scaling(CaseRecord& record, const Measured& m, std::span<const StopRule> rules, double confidence) {
  if (&m.plan == &m.baseline || m.baseline_rounds.empty()) return;
  const auto base = rates(m.baseline, m.baseline_rounds);
  const double more_ranks = static_cast<double>(m.plan.key.ranks) / m.baseline.key.ranks;
  std::vector<double> efficiency = quotients(rates(m.plan, m.rounds), base);
  for (double& e : efficiency) e /= more_ranks;
  Scaling s{.baseline_ranks = m.baseline.key.ranks,
            .baseline_samples_per_s = median(base),
            .efficiency = median(efficiency),
            .efficiency_interval = stated_interval(rules, efficiency, confidence)};
  s.speed_up = s.efficiency * more_ranks;
  if (s.efficiency_interval && s.efficiency_interval->low > 1)
    record.remarks.push_back(fmt::format(
        "efficiency is above 100 %: {} shared the machine with other work, or had a slower part of the work; "
        "do not use it as a baseline",
        s.baseline_ranks == 1 ? "1 rank" : fmt::format("{} ranks", s.baseline_ranks)));
  record.training->scaling = s;
}

void summarise_jobs(Training& training, const Measured& m, std::span<const StopRule> rules, double confidence) {
  if (m.plan.jobs.size() < 2) return;
  const double samples = m.plan.samples;
  const auto alone_s = column(m.alone_rounds, [](const TrainRound& r) { return r.job_step_s.front(); });
  for (std::size_t job = 0; job < m.plan.jobs.size(); ++job) {
    const auto step_s = column(m.rounds, [job](const TrainRound& r) { return r.job_step_s[job]; });
    std::vector<double> rate = step_s;
    for (double& r : rate) r = samples / r;
    TrainingJob j{.ranks = m.plan.jobs[job],
                  .samples_per_s = median(rate),
                  .samples_per_s_interval = stated_interval(rules, rate, confidence)};
    if (!alone_s.empty()) j.slow_down = median(quotients(step_s, alone_s));
    training.jobs.push_back(std::move(j));
  }
}

void summarise_slow_ranks(Training& training, const Measured& m, const std::vector<RankPlace>& places) {
  if (places.empty()) return;  // this rank does not write the record
  std::vector<std::vector<double>> compute_s;
  for (const TrainRound& r : m.rounds) compute_s.push_back(r.compute_s);
  std::vector<int> ranks;
  for (const auto& job : m.plan.jobs) ranks.insert(ranks.end(), job.begin(), job.end());
  for (const std::size_t at : slow_ranks(compute_s)) {
    const RankPlace& place = places[static_cast<std::size_t>(ranks[at])];
    training.slow_ranks.push_back(
        {.rank = ranks[at],
         .host = place.host,
         .cpus = place.cpus,
         .compute_s = median(column(m.rounds, [at](const TrainRound& r) { return r.compute_s[at]; })),
         .others_compute_s = median(column(m.rounds, [](const TrainRound& r) { return median(r.compute_s); }))});
  }
}

void summarise_layers(Training& training, std::span<const TrainRound> rounds) {
  if (!training.arithmetic) return;
  LayerSums sum;
  for (const TrainRound& r : rounds) sum += r.layers;
  const auto n = static_cast<double>(rounds.size());
  for (LayerCost& cost : training.arithmetic->layers)
    for (std::size_t k = 0; k < layer_kinds; ++k)
      if (name(static_cast<LayerKind>(k)) == cost.kind) {
        cost.forward_s = sum.forward_s[k] / n;
        cost.backward_s = sum.backward_s[k] / n;
      }
  training.arithmetic->reorder_s = sum.reorder_s / n;
}

/// A stage is idle while it waits for a message, or after its update for the other stages.
void summarise_pipeline(Training& training, const Measured& m, std::span<const StopRule> rules, double confidence) {
  if (!training.pipeline) return;
  Pipeline& p = *training.pipeline;
  const auto bubble =
      column(m.rounds, [](const TrainRound& r) { return r.mean.exposed_s / (r.mean.step_s - r.mean.optimiser_s); });
  p.bubble = median(bubble);
  p.bubble_interval = stated_interval(rules, bubble, confidence);
  p.stage_compute_s.clear();
  for (std::size_t stage = 0; stage < m.plan.jobs.front().size(); ++stage)
    p.stage_compute_s.push_back(median(column(m.rounds, [stage](const TrainRound& r) { return r.compute_s[stage]; })));
}

}  // namespace

std::vector<double> rates(const TrainCase& plan, std::span<const TrainRound> rounds) {
  return column(rounds, [&](const TrainRound& r) {
    double rate = 0;
    for (const double s : r.job_step_s) rate += plan.samples / s;
    return rate;
  });
}

std::vector<std::size_t> slow_ranks(std::span<const std::vector<double>> compute_s) {
  constexpr double longer = 1.1, share_of_rounds = 0.75;
  std::vector<std::size_t> slow;
  if (compute_s.empty()) return slow;
  for (std::size_t rank = 0; rank < compute_s.front().size(); ++rank) {
    std::vector<double> ratio;
    for (const auto& round : compute_s) ratio.push_back(round[rank] / median(round));
    const auto above = std::ranges::count_if(ratio, [](double r) { return r > 1; });
    if (median(ratio) >= longer && static_cast<double>(above) >= share_of_rounds * static_cast<double>(ratio.size()))
      slow.push_back(rank);
  }
  return slow;
}

std::optional<std::string> difference(const TrainCase& plan, const TrainRound& round) {
  auto state = round.states.begin();
  for (const auto& job : plan.jobs) {
    const auto first = *state;
    for (const int rank : job)
      if (*state++ != first)
        return fmt::format("the weights of rank {} differ from those of rank {} after the same steps", rank,
                           job.front());
  }
  return std::nullopt;
}

void summarise(CaseRecord& record, const Measured& m, std::span<const StopRule> rules, double confidence,
               const std::vector<RankPlace>& places) {
  Training& t = *record.training;
  summarise_time(record, m.rounds, rules, confidence);
  const auto rate = rates(m.plan, m.rounds);
  t.samples_per_s = median(rate);
  t.samples_per_s_interval = stated_interval(rules, rate, confidence);
  t.split = split_of(m.rounds);
  if (const double loss = m.rounds.back().loss; std::isfinite(loss)) t.loss_last = loss;
  summarise_scaling(record, m, rules, confidence);
  summarise_jobs(t, m, rules, confidence);
  summarise_pipeline(t, m, rules, confidence);
  summarise_slow_ranks(t, m, places);
  summarise_layers(t, m.rounds);
}

}  // namespace busbar
