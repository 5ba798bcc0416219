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

/// The highest busbw that one link or device on the data path allows.
struct Ceiling {
  double busbw_GBps = 0;
  std::string what;      ///< name of the place: "network between nodes"
  std::string overhead;  ///< protocol overhead deducted from the raw rate
  std::string source;    ///< hardware facts behind the figure
  bool given_by_user = false;
  std::optional<double> any_algorithm_GBps;  ///< busbw that no algorithm can exceed here; empty: unknown
  friend bool operator==(const Ceiling&, const Ceiling&) = default;
};

/// A place on the data path without a ceiling because the record lacks facts.
struct Missing {
  std::string what;
  std::string why;
  friend bool operator==(const Missing&, const Missing&) = default;
};

using CeilingResult = std::variant<Ceiling, Missing>;

/// Hardware facts of a run, computed once for NCCL cases and once for all others. A string says why a fact is unknown.
struct Machine {
  std::variant<std::vector<GpuSet>, std::string> gpus;
  std::variant<NodeNetwork, std::string> network;
};

/// One measured case and the inputs of its ceilings.
struct CeilingInput {
  const RunRecord& run;
  const CaseRecord& record;  ///< bus_factor > 0, at least two ranks
  const Machine& machine;
  const Traffic& traffic;
  const std::optional<LineRate>& line_rate;  ///< rate between nodes as given by the user
};

/// A kind of place on the data path: one file NAME.cpp in this folder.
struct Place {
  std::string_view name;
  /// Returns nothing if the case's data does not pass such a place.
  std::vector<CeilingResult> (*findings)(const CeilingInput&);
};

/// True if buffers are in GPU memory and each rank has its own GPU.
[[nodiscard]] bool on_own_gpus(const CeilingInput&);

/// The busbw that saturates a place which carries `share` x size at no more than `GBps`.
[[nodiscard]] inline double busbw_at(double GBps, double share, const CaseRecord& c) {
  return GBps * *c.bus_factor / share;
}

}  // namespace busbar::expected
