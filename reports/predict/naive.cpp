// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/naive.hpp"

#include <cmath>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/predict/rising_line.hpp"

namespace busbar::predict {

std::string not_described(const fit::Region& region) {
  return fmt::format("the model does not describe {} to {}: measured times are off by a factor of {:.2f} (rms)",
                     format_size(region.first), format_size(region.last), std::exp(region.rms));
}

Naive naive_time(const fit::SweepFit& f, const fit::Scale& scale, std::uint64_t bytes) {
  RisingLine line;
  fit::Scale largest;
  double sum_s = 0, launches = 0;                     // at the largest scale
  for (const fit::Observation& o : f.sweep.points) {  // by size, then scale
    if (o.bytes != bytes) continue;
    line.add(std::log2(o.scale.nodes), o.time_s);
    if (o.scale != largest) largest = o.scale, sum_s = launches = 0;
    sum_s += o.time_s, ++launches;
  }
  Naive naive{.scale = scale,
              .bytes = bytes,
              .time_s = sum_s / launches,
              .rule = fmt::format("as on {}", plural(largest.nodes, "node"))};
  if (const auto time_s = line.value(std::log2(scale.nodes)); time_s && *time_s > naive.time_s) {
    naive.time_s = *time_s;
    naive.rule = "a line over log2(nodes)";
  }
  return naive;
}

}  // namespace busbar::predict
