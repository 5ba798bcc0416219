// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/readings.hpp"

#include <algorithm>
#include <cmath>

namespace busbar::predict {

Span together(const std::vector<Reading>& readings, double allowance) {
  Span all = readings.front().time_s;
  double log_mean = 0, weights = 0;
  for (const Reading& r : readings) {
    all.low = std::min(all.low, r.time_s.low);
    all.high = std::max(all.high, r.time_s.high);
    log_mean += r.weight * std::log(r.time_s.value), weights += r.weight;
  }
  all.value = std::exp(log_mean / weights);
  all.high *= 1 + allowance;
  return all;
}

Series series_of(const fit::Sweep& sweep) {
  Series s{.name = sweep.name(), .collective = sweep.collective, .measured = {}, .predicted = {}, .fitted = {}};
  for (const fit::Observation& o : sweep.points)
    s.measured.push_back({.scale = o.scale, .bytes = o.bytes, .time_s = o.time_s, .launch = sweep.launches[o.launch]});
  return s;
}

}  // namespace busbar::predict
