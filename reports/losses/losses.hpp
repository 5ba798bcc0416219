// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"
#include "reports/document/document.hpp"
#include "reports/explain/rule.hpp"
#include "reports/losses/exchange.hpp"

/// What the missing efficiency of data-parallel trainings consists of: the time of a step beyond that of the smallest
/// group, divided by the recorded breakdown of the step and by measured allreduces.
namespace busbar::losses {

using busbar::name;

/// A part of the loss.
enum class Cause {
  latency,      ///< calls of the exchange, that no schedule of its buckets hides
  bandwidth,    ///< bytes of the exchange, likewise
  overlap,      ///< exchange that the best schedule of its buckets hides, but this one did not
  exchange,     ///< all of these, where no collective says how long the exchange takes
  stragglers,   ///< waiting for ranks that compute longer
  host,         ///< a usual rank computes longer than in the baseline
  optimiser,    ///< weight updates
  other,        ///< the rest of the recorded breakdown
  unexplained,  ///< the rest of the loss
};
inline constexpr std::size_t causes = 9;
[[nodiscard]] constexpr auto words_of(Cause) {
  return std::to_array<std::string_view>({"latency", "bandwidth", "missed overlap", "exchange", "slower ranks", "host",
                                          "optimiser", "other", "unexplained"});
}

struct Part {
  Cause cause = Cause::unexplained;
  double loss_s = 0;                   ///< per step, beyond the baseline's; negative: less than there
  std::optional<Interval> interval_s;  ///< from the intervals of the allreduces, or of the loss
  explain::Certainty certainty = explain::Certainty::known;
  std::string from;  ///< what it was computed from, one sentence or two
};

/// The loss of one group of ranks.
struct ScaleLosses {
  const CaseRecord* at = nullptr;
  const CaseRecord* baseline = nullptr;
  double step_s = 0;      ///< median over rounds
  double efficiency = 0;  ///< as recorded
  std::optional<Interval> efficiency_interval;
  double loss_s = 0;        ///< per step: step_s * (1 - efficiency)
  std::vector<Part> parts;  ///< they add up to loss_s; the last one is unexplained
  Exchange exchange;
  std::vector<std::string> notes;  ///< on what is unexplained

  /// From the interval of the efficiency.
  [[nodiscard]] std::optional<Interval> loss_interval_s() const;
  /// A time of a step as a share of efficiency: 0.01 is a per cent point.
  [[nodiscard]] double points(double seconds) const { return seconds / step_s; }
};

/// The losses of one training over its scales.
struct TrainingLosses {
  std::string name;
  std::vector<ScaleLosses> scales;  ///< fewest ranks first, without the baseline
  std::string problem;              ///< why there are none; empty if there are
};

/// Divides the losses of all trainings of these runs that have a baseline. The runs must outlive the result.
[[nodiscard]] std::vector<TrainingLosses> losses_of(const std::vector<Run>&);

/// For each training: a table of causes per scale, what each was computed from, and the exchange, predicted beside
/// measured. Trainings that are not divided are named with the reason.
[[nodiscard]] std::vector<report::Block> blocks_of(const std::vector<TrainingLosses>&);

[[nodiscard]] nlohmann::json json_of(const std::vector<TrainingLosses>&);

}  // namespace busbar::losses
