// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace busbar::expected {

/// What a user says that the network carries out of each node, and as much into it, over all of its NICs together.
struct LineRate {
  double GBps = 0;
  std::string text;  ///< as it was given
};

/// "200Gb/s", "400Gbps", "100gbe" (bits), "25GB/s", "25GBps" (bytes), "8x200Gb/s" (8 NICs a node). Throws UsageError
/// "--line-rate: ..." for anything else, and for what is not above 0.
[[nodiscard]] LineRate parse_line_rate(std::string_view text);

/// The same without a number of NICs: bytes a second of "200Gb/s" or "25GB/s". Throws UsageError "<flag>: ...".
[[nodiscard]] double parse_rate(std::string_view flag, std::string_view text);

/// "200Gb/s given: 25 GB/s out of each node and 25 GB/s into it, summed over its NICs".
[[nodiscard]] std::string meaning(const LineRate&);

}  // namespace busbar::expected
