// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/fit/fit.hpp"

namespace busbar::fit {

/// The parameters of LogGP that times between two ranks show: a message of k bytes is there L + 2o + (k - 1) G after it
/// was sent, and g after it the next one can be sent.
/// Source: A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman: LogGP, SPAA 1995; how each is measured follows T.
/// Kielmann, H. Bal, K. Verstoep: Fast Measurement of LogP Parameters for Message Passing Platforms, 2000.
struct LogGp {
  std::string name;                              ///< of the environment: "setting=3, mpi, host memory"
  std::string level;                             ///< in_node or between_nodes
  std::optional<Estimate> latency_and_overhead;  ///< L + 2o, s: of messages there and back, the smallest sizes' region
  std::optional<Estimate> gap;                   ///< g, s: time a message of a stream of the smallest ones
  std::optional<Estimate> gap_per_byte;          ///< G, s a byte: of the largest sizes' region
  std::vector<std::string> from;                 ///< what each is from: "L + 2o: pingpong"
  std::vector<std::string> unknown;              ///< what is not known, and what would tell
};

/// Its time is that of one message: half of there and back, or both ways at once.
[[nodiscard]] bool is_one_message(const Sweep&);
/// Its time is the distance between messages of a stream.
[[nodiscard]] bool is_stream(const Sweep&);

/// Of all pairs and sendrecvs of a fit, those of one environment and level together.
[[nodiscard]] std::vector<LogGp> loggp_of(const Fit&);

}  // namespace busbar::fit
