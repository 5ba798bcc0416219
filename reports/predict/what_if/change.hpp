// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "reports/expected/line_rate.hpp"

namespace busbar::predict {

/// Price of a node for an hour.
struct Price {
  double amount = 0;     ///< > 0
  std::string currency;  ///< as given: "EUR"; may be empty
};

/// What differs from the measured machine: the value of one --what-if. Without a value, nothing changes.
struct Change {
  std::string name;                             ///< "nics=2, line-rate=400Gb/s", as typed
  std::optional<int> nics;                      ///< per node
  std::optional<expected::LineRate> line_rate;  ///< of a node; with `nics`, of each of them
  std::optional<double> latency_s;              ///< of a step between nodes
  std::optional<int> gpus_per_node;             ///< ranks on a node
  std::string algorithm;                        ///< of the collective, as typed
  std::optional<Price> price;
};

/// Parses "nics=2,line-rate=400Gb/s,latency=1us,gpus-per-node=4,algorithm=tree,price=12.5". Throws UsageError
/// "--what-if: ..." for an unknown key or value, or a key given twice.
[[nodiscard]] Change parse_change(std::string_view text);

/// Parses "12.5" or "12.5 EUR". Throws UsageError "<flag>: ..." otherwise, and for a price that is not positive.
[[nodiscard]] Price parse_price(std::string_view flag, std::string_view text);

}  // namespace busbar::predict
