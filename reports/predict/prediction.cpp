// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/prediction.hpp"

#include "reports/runs/collective_facts.hpp"

namespace busbar::predict {
namespace {

double bandwidth(const Series& s, const fit::Scale& scale, std::uint64_t bytes, double time_s) {
  return 1e-9 * static_cast<double>(bytes) / time_s * bus_factor_of(s.collective, scale.ranks);
}

}  // namespace

std::string_view origin_of(const Series& s) { return s.simulated ? "simulated" : "measured"; }
std::string_view origin_of(const TrainingSeries& s) { return s.simulated ? "simulated" : "measured"; }

Span busbw_GBps(const Series& s, const Predicted& p) {
  const auto of = [&](double time_s) { return bandwidth(s, p.scale, p.bytes, time_s); };
  return {.value = of(p.time_s.value), .low = of(p.time_s.high), .high = of(p.time_s.low)};
}

double busbw_GBps(const Series& s, const Measured& m) { return bandwidth(s, m.scale, m.bytes, m.time_s); }

double efficiency(const TrainingSeries& t, const fit::Scale& scale, double samples_per_s) {
  return samples_per_s / (t.baseline_samples_per_s * scale.ranks / t.baseline.ranks);
}

}  // namespace busbar::predict
