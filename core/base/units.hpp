// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace busbar {

/// Bytes behind "8", "64K", "1.5M", "1GiB": suffixes are binary (K = 1024), as in nccl-tests.
/// Throws UsageError "<flag>: '<text>' is not a size; ..." for anything else, negative or above 2^62.
[[nodiscard]] std::uint64_t parse_size(std::string_view flag, std::string_view text);

/// A size as people write it: "8 B", "1 KiB", "1.5 MiB"; exact, so "1000 B" stays bytes.
[[nodiscard]] std::string format_size(std::uint64_t bytes);

/// Seconds to three digits, in the unit that leaves less than 1,000 of it: "1.23 us", "45.6 ms", "7.89 s", "1234 s".
[[nodiscard]] std::string format_duration(double seconds);

/// GB/s for a column of a table: two digits behind the point, four below 1 GB/s; "-" where there is none.
[[nodiscard]] std::string bandwidth_cell(std::optional<double> GBps);

/// "1 rank", "2 ranks".
template <std::integral N>
[[nodiscard]] std::string plural(N n, std::string_view word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

/// "once", "3 times".
[[nodiscard]] std::string how_often(int times);

}  // namespace busbar
