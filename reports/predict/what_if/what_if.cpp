// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "core/record/run.hpp"
#include "reports/predict/what_if/account.hpp"
#include "reports/predict/what_if/changed_fit.hpp"
#include "reports/predict/what_if/moved_terms.hpp"

namespace busbar::predict {
namespace {

using expected::LineRate, fit::Fit, fit::SweepFit;

std::string spoken(std::string_view algorithm) { return lower_case(algorithm, " -_"); }

/// Key in the table; empty if the collective has no such algorithm, or this library has not.
std::string algorithm_key(const SweepFit& f, const std::string& typed) {
  for (const fit::Algorithm* a : fit::algorithms_of(f.sweep.collective, f.sweep.backend))
    if (spoken(a->name) == spoken(typed)) return std::string(a->name);
  return "";
}

std::string why_no_algorithm(const SweepFit& f, const std::string& typed) {
  std::vector<std::string> names;
  for (const fit::Algorithm* a : fit::algorithms_of(f.sweep.collective, f.sweep.backend)) names.emplace_back(a->name);
  if (names.empty()) return fmt::format("no algorithm of {} has a model", f.sweep.collective);
  return fmt::format("algorithm={}: not in the model of {} by {}; known: {}", typed, f.sweep.collective,
                     f.sweep.backend, fmt::join(names, ", "));
}

/// Why a change cannot apply to a fit; empty if it can.
std::string why_not_changed(const SweepFit& f, const Change& c) {
  if (!c.algorithm.empty() && algorithm_key(f, c.algorithm).empty()) return why_no_algorithm(f, c.algorithm);
  if (c.latency_s && !smallest_step(f))
    return "latency: measurements on one number of nodes do not tell the latency of a step";
  return "";
}

SweepFit changed_sweep(const SweepFit& f, const Change& c, const NetworkChange& n, const Move& move) {
  return changed(f, {.bandwidth = n.factor * move.bandwidth,
                     .latency_s = c.latency_s,
                     .step = move.step,
                     .per_node = c.gpus_per_node,
                     .algorithm = c.algorithm.empty() ? "" : algorithm_key(f, c.algorithm)});
}

/// Without the sweeps that the change cannot apply to.
Fit changed_fit(const Fit& fit, const Change& c, const NetworkChange& n, const Move& move) {
  Fit to{.assumed_spread = fit.assumed_spread};
  for (const SweepFit& f : fit.sweeps)
    if (why_not(f, std::nullopt).empty() && why_not_changed(f, c).empty())
      to.sweeps.push_back(changed_sweep(f, c, n, move));
  return to;
}

/// Says which sweeps a change cannot apply to. Throws UsageError if these are all.
void leave_out(Prediction& p, const Fit& fit, const Change& c) {
  bool any = false;
  std::string first;
  for (const SweepFit& f : fit.sweeps) {
    if (!why_not(f, std::nullopt).empty()) continue;
    const std::string why = why_not_changed(f, c);
    any = any || why.empty();
    if (why.empty()) continue;
    p.left_out.push_back(fmt::format("what if {}, {}: {}", c.name, f.sweep.name(), why));
    if (first.empty()) first = why;
  }
  if (!any && !first.empty()) throw UsageError("--what-if " + first);
}

/// The step of the sweep whose step changes most.
double base_step(const Fit& fit, double latency_s) {
  double found = latency_s, most = -1;
  for (const SweepFit& f : fit.sweeps) {
    const auto step = smallest_step(f);
    if (!step || !why_not(f, std::nullopt).empty()) continue;
    if (const double change = std::abs(std::log(latency_s / *step)); change > most) most = change, found = *step;
  }
  return found;
}

void forget_measured(Variant& v) {
  for (Series& s : v.series) s.measured.clear(), s.fitted.clear();
  for (TrainingSeries& t : v.trainings)
    for (PredictedTraining& p : t.predicted) p.measured_samples_per_s.reset();
}

void add_variant(Prediction& p, const Change& c, Account account,
                 const std::function<Prediction(const Move&)>& predict) {
  if (c.gpus_per_node) account.ranks_on_a_node(*c.gpus_per_node, p);
  if (!c.algorithm.empty()) account.algorithm(c.algorithm);
  Variant v = widened(predict, p, account.doubts());
  v.name = c.name;
  forget_measured(v);
  p.assumptions.push_back(account.text());
  p.variants.push_back(std::move(v));
}

void assume_once(Prediction& p, const std::vector<Change>& changes) {
  if (changes.empty()) return;
  p.assumptions.emplace_back(
      "\"What if\" is about machines that were not measured. An interval there is that of the machine as it is, wider "
      "by how far the figure moves if each changed term is off by the factors below (root of the sum of squares). All "
      "other errors are common to both machines, so the interval of their ratio has only what was added.");
}

// Trainings

/// Throws UsageError if a change does not apply to an exchange over a line rate.
void check_over_rate(const Change& c, const TrainingOptions& o) {
  if (!c.algorithm.empty())
    throw UsageError(
        fmt::format("--what-if: algorithm={} needs a fitted allreduce (--network FIT); over --line-rate "
                    "gradients are exchanged by a ring",
                    c.algorithm));
  if (c.latency_s && !(o.network.latency_s > 0))
    throw UsageError("--what-if: latency needs the latency as it is; give it with --latency 2us");
}

double latency_of(const Network& n) { return n.fitted == nullptr ? n.latency_s : *smallest_step(*n.fitted); }

/// A network, and the fit that it refers to.
struct OwnedNetwork {
  Network network;
  std::optional<SweepFit> fitted;
};

OwnedNetwork changed_network(const Network& from, const Change& c, const NetworkChange& n, const Move& move) {
  OwnedNetwork to{.network = from};
  if (from.fitted != nullptr) {
    to.fitted = changed_sweep(*from.fitted, c, n, move);
    return to;
  }
  if (n.GBps > 0) to.network.rate = LineRate{.GBps = n.GBps, .text = n.text};
  to.network.rate->GBps *= move.bandwidth;
  to.network.latency_s = c.latency_s.value_or(from.latency_s) * move.step;
  return to;
}

Prediction predict_changed(const std::vector<Run>& runs, const TrainingOptions& o, const Change& c,
                           const NetworkChange& n, const Move& move) {
  const OwnedNetwork network = changed_network(o.network, c, n, move);
  TrainingOptions changed = o;
  changed.measured_over = o.network;
  changed.network = network.network;
  if (network.fitted) changed.network.fitted = &*network.fitted;
  if (c.gpus_per_node) changed.per_node = c.gpus_per_node;
  return predict_trainings(runs, changed);
}

}  // namespace

void add_variants(Prediction& p, const std::vector<Change>& changes, const Fit& fit, const FromFitOptions& o,
                  const std::optional<KnownNetwork>& network) {
  assume_once(p, changes);
  for (const Change& c : changes) {
    const NetworkChange n = network_change(c, network);
    leave_out(p, fit, c);
    Account account(c, p.confidence);
    account.bandwidth(n, network);
    if (n.GBps > 0) account.assume("In small messages, no more than twice the byte time of large messages scales.");
    if (c.latency_s)
      account.latency(base_step(fit, *c.latency_s), *c.latency_s,
                      "A step of small messages between nodes (others change by the same time)");
    FromFitOptions options = o;
    options.fixed_algorithm = !c.algorithm.empty();
    add_variant(p, c, account, [&](const Move& move) { return predict_from(changed_fit(fit, c, n, move), options); });
  }
}

void add_variants(Prediction& p, const std::vector<Change>& changes, const std::vector<Run>& runs,
                  const TrainingOptions& o, const std::optional<KnownNetwork>& network) {
  assume_once(p, changes);
  for (const Change& c : changes) {
    const NetworkChange n = network_change(c, network);
    if (o.network.fitted == nullptr) check_over_rate(c, o);
    if (o.network.fitted != nullptr)
      if (const std::string why = why_not_changed(*o.network.fitted, c); !why.empty())
        throw UsageError("--what-if " + why);
    Account account(c, p.confidence);
    account.bandwidth(n, network);
    if (c.latency_s) account.latency(latency_of(o.network), *c.latency_s, "A step between nodes");
    add_variant(p, c, account, [&](const Move& move) { return predict_changed(runs, o, c, n, move); });
  }
}

void set_prices(Prediction& p, const std::optional<Price>& price, const std::vector<Change>& changes) {
  std::set<std::string> currencies;
  const auto keep = [&currencies](const std::optional<Price>& one) -> std::optional<double> {
    if (!one) return std::nullopt;
    if (!one->currency.empty()) currencies.insert(one->currency);
    return one->amount;
  };
  p.price = keep(price);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto own = keep(changes[i].price);
    p.variants[i].price = own ? own : p.price;
  }
  if (currencies.size() > 1)
    throw UsageError(fmt::format("--price and --what-if price: give all prices in one currency, not {}",
                                 fmt::join(currencies, " and ")));
  if (!currencies.empty()) p.currency = *currencies.begin();
}

}  // namespace busbar::predict
