// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/losses/allreduce_times.hpp"
#include "reports/predict/gradients.hpp"
#include "reports/predict/prediction.hpp"
#include "reports/runs/experiments.hpp"

namespace busbar::losses {

/// The exchange of a step's gradients, from measured allreduces. Seconds per step.
struct PredictedExchange {
  std::size_t buckets = 0;
  predict::Span total_s;    ///< of all buckets, one after the other
  double latency_s = 0;     ///< the part of total_s that does not grow with the bytes
  predict::Span exposed_s;  ///< what a step waits for if each bucket starts as soon as it is ready: the best schedule
                            ///< of these buckets
  predict::Span exposed_free_s;  ///< the same if calls had no latency
  double confidence = 0.95;      ///< of the limits
  std::string source;            ///< of the times, as text
  std::string buckets_from;      ///< of the buckets and of when they are ready, as text
  bool sure = true;              ///< sizes were measured at the very ranks and hosts, and buckets are known
};

/// A training's exchange, from the record and the collectives.
struct Exchange {
  double exposed_s = 0, hidden_s = 0;  ///< recorded: exposed without waiting for slower ranks
  std::optional<PredictedExchange> predicted;
  std::string problem;              ///< why it is not predicted; empty if it is, or if nothing is exchanged
  std::string to_run;               ///< a command that measures what is missing; empty if nothing helps
  std::vector<std::string> others;  ///< collectives left out, one sentence per reason

  [[nodiscard]] double communicating_s() const { return exposed_s + hidden_s; }
};

/// Predicts the exchange of a case. `waiting_s`: the part of its exposed time in which it waits for slower ranks.
[[nodiscard]] Exchange exchange_of(const std::vector<Run>&, const report::Experiment&, const CaseRecord&,
                                   double waiting_s);

}  // namespace busbar::losses
