// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace busbar::expected {

/// The user's figure for a node's network: GB/s in each direction, summed over its NICs.
struct LineRate {
  double GBps = 0;
  std::string text;  ///< as given
};

/// Parses "200Gb/s", "400Gbps", "100gbe" (bits), "25GB/s", "25GBps" (bytes) or "8x200Gb/s" (8 NICs per node). Throws
/// UsageError "--line-rate: ..." for anything else and for rates that are not positive.
[[nodiscard]] LineRate parse_line_rate(std::string_view text);

/// Parses "200Gb/s" or "25GB/s", without a NIC count, into bytes per second. Throws UsageError "<flag>: ...".
[[nodiscard]] double parse_rate(std::string_view flag, std::string_view text);

/// "200Gb/s given: 25 GB/s out of each node and 25 GB/s into it, summed over its NICs".
[[nodiscard]] std::string meaning(const LineRate&);

}  // namespace busbar::expected
