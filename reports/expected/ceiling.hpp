// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/table.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "reports/expected/gpus_used.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/expected/node_network.hpp"
#include "reports/expected/traffic.hpp"

namespace busbar::expected {

/// The most busbw that one place on the way of the data lets through.
struct Ceiling {
  double busbw_GBps = 0;
  std::string what;      ///< the place: "network between nodes"
  std::string overhead;  ///< what of the raw rate is no data
  std::string source;    ///< the facts that it was made from
  bool given_by_user = false;
  std::optional<double> any_algorithm_GBps;  ///< busbw that this place lets no algorithm go beyond; empty: not known
  friend bool operator==(const Ceiling&, const Ceiling&) = default;
};

/// A place that data passes, of which the record does not tell enough.
struct Missing {
  std::string what;
  std::string why;
  friend bool operator==(const Missing&, const Missing&) = default;
};

using Finding = std::variant<Ceiling, Missing>;

/// What a run's facts come to, worked out once for all cases of NCCL and once for all others. Texts: why it is not
/// known.
struct Machine {
  std::variant<std::vector<GpuSet>, std::string> gpus;
  std::variant<NodeNetwork, std::string> network;
};

/// One measured case and all that its ceilings are made from.
struct Point {
  const RunRecord& run;
  const CaseRecord& record;  ///< with a bus_factor above 0, on two ranks or more
  const Machine& machine;
  const Traffic& traffic;
  const std::optional<LineRate>& line_rate;  ///< the user's word on the network between nodes
};

/// A kind of place: one file NAME.cpp beside this one.
struct Place {
  std::string_view name;
  /// Nothing where the data of the case does not pass such a place.
  std::vector<Finding> (*findings)(const Point&);
};

/// True where buffers are in GPUs' memory and each rank has a GPU of its own.
[[nodiscard]] bool on_own_gpus(const Point&);

/// The busbw at which a place that carries `share` x size, at most at `GBps`, is full.
[[nodiscard]] inline double busbw_at(double GBps, double share, const CaseRecord& c) {
  return GBps * *c.bus_factor / share;
}

}  // namespace busbar::expected
