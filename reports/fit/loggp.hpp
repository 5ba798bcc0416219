// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/fit/fit.hpp"

namespace busbar::fit {

/// LogGP parameters that times between two ranks determine. A message of k bytes arrives L + 2o + (k - 1) G after it is
/// sent; the next one can be sent g later. Sources: A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman: LogGP, SPAA
/// 1995; measurement of each as in T. Kielmann, H. Bal, K. Verstoep: Fast Measurement of LogP Parameters for Message
/// Passing Platforms, 2000.
struct LogGp {
  std::string name;                              ///< environment: "setting=3, mpi, host memory"
  std::string level;                             ///< in_node or between_nodes
  std::optional<Estimate> latency_and_overhead;  ///< L + 2o, s: from single messages of the smallest sizes
  std::optional<Estimate> gap;                   ///< g, s: time per message in a stream of the smallest sizes
  std::optional<Estimate> gap_per_byte;          ///< G, s per byte: from the region of the largest sizes
  std::vector<std::string> from;                 ///< source of each parameter: "L + 2o: pingpong"
  std::vector<std::string> unknown;              ///< unknown parameters, and the measurements that would provide them
};

/// True if a time is that of one message: half a round trip, or both directions at once.
[[nodiscard]] bool is_one_message(const Sweep&);
/// True if a time is the interval between messages of a stream.
[[nodiscard]] bool is_stream(const Sweep&);

/// LogGP from all pairs and sendrecvs of a fit, one row per environment and level.
[[nodiscard]] std::vector<LogGp> loggp_of(const Fit&);

}  // namespace busbar::fit
