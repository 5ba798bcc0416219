// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace busbar {

/// Bytes of "8", "64K", "1.5M" or "1GiB". Suffixes are binary (K = 1024), as in nccl-tests.
/// Throws UsageError "<flag>: '<text>' is not a size; ..." for anything else, and for sizes below 0 or above 2^62.
[[nodiscard]] std::uint64_t parse_size(std::string_view flag, std::string_view text);

/// A size for people: "8 B", "1 KiB", "1.5 MiB". Exact: 1000 bytes print as "1000 B".
[[nodiscard]] std::string format_size(std::uint64_t bytes);

/// `seconds` to three digits, in the unit that keeps the number below 1,000: "1.23 us", "45.6 ms", "7.89 s", "1234 s".
[[nodiscard]] std::string format_duration(double seconds);

/// GB/s for a table column: two decimals, four below 1 GB/s; "-" if empty.
[[nodiscard]] std::string bandwidth_cell(std::optional<double> GBps);

/// "1 rank", "2 ranks".
template <std::integral N>
[[nodiscard]] std::string plural(N n, std::string_view word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

/// "once", "3 times".
[[nodiscard]] std::string how_often(int times);

}  // namespace busbar
