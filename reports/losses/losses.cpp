// SPDX-License-Identifier: Apache-2.0
#include "reports/losses/losses.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/runs/experiments.hpp"
#include "reports/text/text.hpp"

namespace busbar::losses {
namespace {

using explain::Certainty, predict::Span, report::Experiment;

constexpr double noted = 0.002;       ///< of a step: what is unexplained is divided further from here on
constexpr double slower_pace = 1.02;  ///< pace over the baseline's from which CPUs count as slower
constexpr double much_longer = 1.25;  ///< a measured exchange over the predicted one

constexpr auto of_the_rest = "the loss minus all other parts";

using Seconds = std::array<double, causes>;
double& of(Seconds& s, Cause c) { return s[static_cast<std::size_t>(c)]; }
double of(const Seconds& s, Cause c) { return s[static_cast<std::size_t>(c)]; }

/// What ranks that compute longer than others cost a step.
struct Stragglers {
  double waiting_s = 0;   ///< a mean rank waits for the slowest one: part of the exposed time
  double excess_s = 0;    ///< what slow ranks add to the mean computing time
  bool recorded = false;  ///< of each step; else at most of ranks that are slow in most rounds
};

Stragglers stragglers_of(const CaseRecord& c) {
  const Training& t = *c.training;
  const double mean_s = t.split->forward_s + t.split->backward_s;
  Stragglers s{.recorded = t.split->slowest_compute_s.has_value()};
  double slowest_s = t.split->slowest_compute_s.value_or(mean_s);
  for (const SlowRank& slow : t.slow_ranks) {
    s.excess_s += std::max(0.0, slow.compute_s - slow.others_compute_s) / c.key.ranks;
    if (!s.recorded) slowest_s = std::max(slowest_s, slow.compute_s);
  }
  s.excess_s = std::min(s.excess_s, mean_s);
  s.waiting_s = std::clamp(slowest_s - mean_s, 0.0, t.split->exposed_s);
  return s;
}

/// A case whose step is divided.
struct Step {
  const CaseRecord& at;
  Stragglers stragglers;
  Exchange exchange;

  [[nodiscard]] const StepSplit& split() const { return *at.training->split; }
  [[nodiscard]] bool network_known() const { return exchange.problem.empty(); }
};

Step step_of(const std::vector<Run>& runs, const Experiment& e, const CaseRecord& c) {
  Step step{.at = c, .stragglers = stragglers_of(c)};
  step.exchange = exchange_of(runs, e, c, step.stragglers.waiting_s);
  return step;
}

/// Divides a step by causes; all but `unexplained` and what exceeds the predicted exchange, which is left there.
/// `limit`: which limit of the predicted exchange.
Seconds divided(const Step& step, bool network, double Span::* limit) {
  const StepSplit& split = step.split();
  Seconds all{};
  of(all, Cause::stragglers) = step.stragglers.waiting_s + step.stragglers.excess_s;
  of(all, Cause::host) = split.forward_s + split.backward_s - step.stragglers.excess_s;
  of(all, Cause::optimiser) = split.optimiser_s;
  of(all, Cause::other) = split.other_s;
  const auto& predicted = step.exchange.predicted;
  if (!network || !predicted) {
    of(all, Cause::exchange) = step.exchange.exposed_s;
    return all;
  }
  const double best_s = predicted->exposed_s.*limit, free_s = predicted->exposed_free_s.*limit;
  of(all, Cause::latency) = best_s - free_s;
  of(all, Cause::bandwidth) = free_s;
  of(all, Cause::overlap) = std::max(0.0, std::min(step.exchange.exposed_s, predicted->total_s.*limit) - best_s);
  of(all, Cause::unexplained) = step.exchange.exposed_s - best_s - of(all, Cause::overlap);
  return all;
}

/// The step of a case against that of its baseline.
struct Pair {
  const Step& here;
  const Step& base;
  double share = 1;  ///< of the baseline's work per rank that a rank has here

  [[nodiscard]] bool network() const { return here.network_known() && base.network_known(); }
  [[nodiscard]] Seconds losses(double Span::* limit) const {
    Seconds all = divided(here, network(), limit);
    const Seconds before = divided(base, network(), limit);
    for (std::size_t i = 0; i < causes; ++i) all[i] -= share * before[i];
    return all;
  }
};

std::string here_and_there(std::string_view what, double here_s, double there_s) {
  return fmt::format("{}: {} here, {} in the baseline", what, format_duration(here_s), format_duration(there_s));
}

std::string work_text(const Pair& p) {
  return p.share == 1 ? "" : fmt::format(", of which a rank has {:.3g} of the work here", p.share);
}

std::string overlap_from(const CaseKey& key) {
  const std::string overlap = key.training->overlap.value_or(std::string(report::unknown));
  return fmt::format(
      "exposed exchange, up to the predicted one, minus what the best schedule leaves exposed; this training has {}",
      overlap == "none" ? "no overlap" : "overlap " + overlap);
}

std::string stragglers_from(const Step& here) {
  const StepSplit& split = here.split();
  if (!here.stragglers.recorded)
    return "ranks that are slow in most rounds; the record does not have the slowest rank of each step";
  return fmt::format("the slowest rank of each step computes {}, a mean rank {}",
                     format_duration(*split.slowest_compute_s), format_duration(split.forward_s + split.backward_s));
}

/// A cause for computing that takes longer than in the baseline.
struct HostCause {
  explain::Certainty certainty = explain::Certainty::possible;
  std::string text;  ///< a sentence; empty: the record names none
};

/// How much slower the CPUs were than in the baseline, by loops that do no communication; empty if unknown.
std::optional<double> pace_ratio(const CaseRecord& c, const CaseRecord& baseline) {
  if (!c.paced || !baseline.paced || !(baseline.paced->pace_s > 0)) return std::nullopt;
  return c.paced->pace_s / baseline.paced->pace_s;
}

std::optional<double> ranks_of_a_node(const CaseRecord& c) {
  if (!c.key.nodes || *c.key.nodes < 1) return std::nullopt;
  return static_cast<double>(c.key.ranks) / *c.key.nodes;
}

bool newly_contended(const CaseRecord& c) { return c.contention && c.contention->contended(); }

/// What the record says of the CPUs and GPUs of a case and of its baseline: contention, pace, throttling, shared hosts.
HostCause cause_of_computing(const CaseRecord& c, const CaseRecord& baseline) {
  if (newly_contended(c))
    return {.certainty = Certainty::likely,
            .text = fmt::format("CPU contention: {}{}.", fmt::join(c.contention->reasons, ", "),
                                newly_contended(baseline) ? fmt::format("; in the baseline: {}",
                                                                        fmt::join(baseline.contention->reasons, ", "))
                                                          : "")};
  if (c.throttled.value_or(false) && !baseline.throttled.value_or(false))
    return {.certainty = Certainty::likely, .text = "A GPU was throttled, in the baseline none."};
  if (const auto ratio = pace_ratio(c, baseline); ratio && *ratio > slower_pace)
    return {.certainty = Certainty::likely,
            .text = fmt::format("The CPUs were {:.2f}x slower than in the baseline (pace).", *ratio)};
  const auto here = ranks_of_a_node(c), there = ranks_of_a_node(baseline);
  if (here && there && *here > *there)
    return {.text = fmt::format("{:.3g} ranks share a node, {:.3g} in the baseline: memory bandwidth, caches, clock.",
                                *here, *there)};
  return {};
}

std::string host_from(const Pair& p) {
  const auto usual = [](const Step& s) { return of(divided(s, false, &Span::value), Cause::host); };
  const HostCause host = cause_of_computing(p.here.at, p.base.at);
  std::string text =
      here_and_there("forward and backward of a usual rank", usual(p.here), usual(p.base)) + work_text(p);
  if (!host.text.empty()) text += fmt::format(". Cause, {}: {}", name(host.certainty), host.text);
  return text;
}

/// What a cause was computed from.
std::string from_text(Cause cause, const Pair& p) {
  const Exchange& x = p.here.exchange;
  switch (cause) {
    case Cause::latency:
      return "calls, by the part that does not grow with the size: what the best schedule of the same buckets leaves "
             "exposed because of it";
    case Cause::bandwidth:
      return "what the best schedule of the same buckets would leave exposed if calls had no latency";
    case Cause::overlap:
      return overlap_from(p.here.at.key);
    case Cause::exchange:
      return "exposed exchange without waiting for slower ranks, not divided into latency, bandwidth and missed "
             "overlap: " +
             (x.problem.empty() ? p.base.exchange.problem : x.problem);
    case Cause::stragglers:
      return stragglers_from(p.here);
    case Cause::host:
      return host_from(p);
    case Cause::optimiser:
      return here_and_there("weight updates", p.here.split().optimiser_s, p.base.split().optimiser_s) + work_text(p);
    case Cause::other:
      return here_and_there("the rest of the recorded breakdown", p.here.split().other_s, p.base.split().other_s) +
             work_text(p);
    case Cause::unexplained:
      return of_the_rest;
  }
  return {};
}

Certainty certainty_of(Cause cause, const Pair& p) {
  const auto& x = p.here.exchange;
  const auto sure = [](const Exchange& e) { return !e.predicted || e.predicted->sure; };
  const Certainty predicted = sure(x) && sure(p.base.exchange) ? Certainty::likely : Certainty::possible;
  switch (cause) {
    case Cause::latency:
    case Cause::bandwidth:
      return predicted;
    case Cause::overlap: {  // or the exchange is slower while the ranks compute
      const bool slower = x.predicted && x.communicating_s() > much_longer * x.predicted->total_s.value;
      return slower && x.hidden_s > 0 ? Certainty::possible : predicted;
    }
    case Cause::stragglers:
      return p.here.stragglers.recorded ? Certainty::known : Certainty::likely;
    case Cause::exchange:
    case Cause::host:
    case Cause::optimiser:
    case Cause::other:
    case Cause::unexplained:
      return Certainty::known;
  }
  return Certainty::possible;
}

/// The interval of a part whose values at the limits of the exchange are these; empty if they do not differ.
std::optional<Interval> interval_of(double value, double low, double high, const Pair& p) {
  const auto& x = p.here.exchange.predicted;
  if (low == high || !x) return std::nullopt;
  return Interval{
      .low = std::min({value, low, high}), .high = std::max({value, low, high}), .confidence = x->confidence};
}

bool of_network(Cause c) { return c == Cause::latency || c == Cause::bandwidth || c == Cause::overlap; }

std::vector<Part> parts_of(const Pair& p) {
  const Seconds value = p.losses(&Span::value), low = p.losses(&Span::low), high = p.losses(&Span::high);
  std::vector<Part> parts;
  for (std::size_t i = 0; i + 1 < causes; ++i) {
    const auto cause = static_cast<Cause>(i);
    if ((of_network(cause) || cause == Cause::exchange) && of_network(cause) != p.network()) continue;
    parts.push_back({.cause = cause,
                     .loss_s = value[i],
                     .interval_s = interval_of(value[i], low[i], high[i], p),
                     .certainty = certainty_of(cause, p),
                     .from = from_text(cause, p)});
  }
  return parts;
}

/// What remains of the loss. Its interval is the widest by those of the loss and of the parts.
Part rest_of(const ScaleLosses& s) {
  Part rest{.loss_s = s.loss_s, .from = of_the_rest};
  rest.interval_s = s.loss_interval_s();
  for (const Part& part : s.parts) {
    rest.loss_s -= part.loss_s;
    if (!rest.interval_s) continue;
    rest.interval_s->low -= part.interval_s ? part.interval_s->high : part.loss_s;
    rest.interval_s->high -= part.interval_s ? part.interval_s->low : part.loss_s;
  }
  return rest;
}

/// "adds 7 ms to what is unexplained".
std::string change_text(double seconds) {
  return fmt::format("{} {} {} what is unexplained", seconds < 0 ? "takes" : "adds", format_duration(std::abs(seconds)),
                     seconds < 0 ? "from" : "to");
}

/// Divides what is unexplained, where it counts.
std::vector<std::string> notes_of(const ScaleLosses& s, const Pair& p) {
  std::vector<std::string> notes;
  const double beyond_s = of(p.losses(&Span::value), Cause::unexplained);
  if (std::abs(beyond_s) > noted * s.step_s)
    notes.push_back(fmt::format("The exchange leaves {} exposed than the allreduces say, which {}.",
                                beyond_s > 0 ? "more" : "less", change_text(beyond_s)));
  const double means_s = s.loss_s - (p.here.split().step_s - p.share * p.base.split().step_s);
  if (std::abs(means_s) > noted * s.step_s)
    notes.push_back(
        fmt::format("The loss is a median over rounds and its parts are means over steps and ranks, which {}.",
                    change_text(means_s)));
  if (s.parts.back().loss_s < -noted * s.step_s)
    notes.emplace_back("What is unexplained is negative: the other parts add up to more than the loss.");
  if (!p.here.stragglers.recorded)
    notes.emplace_back(
        "The record does not have the slowest rank of each step: waiting for ranks that are slow at times counts as "
        "exchange.");
  for (const std::string& other : p.here.exchange.others) notes.push_back(other);
  return notes;
}

ScaleLosses losses_at(const Experiment& e, const Step& here, const Step& base) {
  const Scaling scaling = *report::scaling_of(e, here.at);
  ScaleLosses s{.at = &here.at,
                .baseline = &base.at,
                .step_s = *here.at.time_s,
                .efficiency = scaling.efficiency,
                .efficiency_interval = scaling.efficiency_interval,
                .loss_s = *here.at.time_s * (1 - scaling.efficiency),
                .exchange = here.exchange};
  const bool strong = here.at.key.training->scaling == strong_scaling;
  const Pair pair{
      .here = here, .base = base, .share = strong ? static_cast<double>(base.at.key.ranks) / here.at.key.ranks : 1};
  s.parts = parts_of(pair);
  s.parts.push_back(rest_of(s));
  s.notes = notes_of(s, pair);
  if (s.exchange.problem.empty() && !base.network_known()) {
    s.exchange.problem = base.exchange.problem;
    s.exchange.to_run = base.exchange.to_run;
  }
  return s;
}

bool divisible(const CaseRecord& c) {
  return c.training->split && c.training->split->step_s > 0 && c.time_s.value_or(0) > 0;
}

/// Why the losses of a training are not divided; empty if they are.
std::string problem_of(const Experiment& e) {
  const TrainingKey& key = *e.key().training;
  if (key.parallel != by_data) return "only data-parallel training is divided";
  if (key.scaling != weak_scaling && key.scaling != strong_scaling) return "weak or strong scaling is unknown";
  if (!report::without_neighbours(e)) return "several trainings shared the ranks";
  const CaseRecord* baseline = report::baseline_of(e);
  if (baseline == nullptr) return "one group of ranks only: measure several in one launch (--scale 1,2)";
  if (!divisible(*baseline)) return "the record does not break down its steps";
  return {};
}

TrainingLosses losses_of_training(const std::vector<Run>& runs, const std::string& model, const Experiment& e) {
  TrainingLosses t{.name = fmt::format("{}, {}", model, e.label()), .problem = problem_of(e)};
  if (!t.problem.empty()) return t;
  const CaseRecord& baseline = *report::baseline_of(e);
  const Step base = step_of(runs, e, baseline);
  for (const CaseRecord* c : e.cases)
    if (c != &baseline && divisible(*c) && c->training->scaling)
      t.scales.push_back(losses_at(e, step_of(runs, e, *c), base));
  if (t.scales.empty()) t.problem = "the record does not break down its steps";
  return t;
}

}  // namespace

std::optional<Interval> ScaleLosses::loss_interval_s() const {
  if (!efficiency_interval) return std::nullopt;
  return Interval{.low = step_s * (1 - efficiency_interval->high),
                  .high = step_s * (1 - efficiency_interval->low),
                  .confidence = efficiency_interval->confidence};
}

std::vector<TrainingLosses> losses_of(const std::vector<Run>& runs) {
  std::vector<TrainingLosses> all;
  for (const report::Model& model : report::models(runs))
    for (const Experiment& e : model.experiments) all.push_back(losses_of_training(runs, model.name, e));
  return all;
}

}  // namespace busbar::losses
