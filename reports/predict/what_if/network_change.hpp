// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/predict/what_if/change.hpp"

namespace busbar::predict {

/// Network of a node of the measured machine.
struct KnownNetwork {
  double GBps = 0;             ///< in each direction
  std::optional<double> nics;  ///< empty: unknown
  std::string text;            ///< as given, or where the record has it from
};

/// The given rate, else that of the records; empty if neither, or if the records differ.
[[nodiscard]] std::optional<KnownNetwork> known_network(const std::optional<expected::LineRate>& given,
                                                        const std::vector<Run>&);

/// A change of the bandwidth of a node.
struct NetworkChange {
  double GBps = 0;    ///< afterwards; 0: unchanged
  double factor = 1;  ///< of the bandwidth
  double doubt = 0;   ///< standard deviation of the logarithm of `factor`
  std::string text;   ///< of the new rate
};

/// The bandwidth of a node after a change, in which `line_rate` is that of a node, or with `nics` that of each NIC.
/// Throws UsageError if it depends on the network as it is and that is unknown.
[[nodiscard]] NetworkChange network_change(const Change&, const std::optional<KnownNetwork>& now);

}  // namespace busbar::predict
