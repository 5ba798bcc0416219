// SPDX-License-Identifier: Apache-2.0
#include "core/record/calls/overlap.hpp"

#include <algorithm>
#include <vector>

#include "core/statistics/summary.hpp"

namespace busbar {

std::optional<double> hidden_share(const OverlapTimes& t) {
  const double shorter_s = std::min(t.alone_s, t.work_s);
  if (!(shorter_s > 0)) return std::nullopt;
  return (t.alone_s + t.work_s - t.total_s) / shorter_s;
}

std::optional<OverlapRound> overlap_round(std::span<const OverlapTimes> samples) {
  std::vector<double> shares;
  for (const OverlapTimes& sample : samples)
    if (const auto share = hidden_share(sample)) shares.push_back(*share);
  if (shares.empty()) return std::nullopt;
  OverlapRound round{.hidden = median(shares)};
  for (const auto part : {&OverlapTimes::alone_s, &OverlapTimes::work_s, &OverlapTimes::total_s, &OverlapTimes::start_s,
                          &OverlapTimes::work_beside_s, &OverlapTimes::wait_s}) {
    std::vector<double> values;
    for (const OverlapTimes& sample : samples) values.push_back(sample.*part);
    round.times.*part = median(values);
  }
  return round;
}

std::optional<Overlap> overlap_of(std::span<const OverlapRound> rounds, double confidence) {
  if (rounds.empty()) return std::nullopt;
  std::vector<double> shares;
  for (const OverlapRound& round : rounds) shares.push_back(round.hidden);
  const auto of = [&](double OverlapTimes::* part) {
    std::vector<double> values;
    for (const OverlapRound& round : rounds) values.push_back(round.times.*part);
    return median(values);
  };
  return Overlap{.hidden = median(shares),
                 .hidden_interval = series_median_interval(shares, confidence),
                 .alone_s = of(&OverlapTimes::alone_s),
                 .work_s = of(&OverlapTimes::work_s),
                 .start_s = of(&OverlapTimes::start_s),
                 .work_beside_s = of(&OverlapTimes::work_beside_s),
                 .wait_s = of(&OverlapTimes::wait_s)};
}

}  // namespace busbar
