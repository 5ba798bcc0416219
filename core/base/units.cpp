// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

constexpr std::string_view prefixes = "KMGT";

/// Factor of a suffix: 1 for "" and "B", powers of 1024 for "K" and "KiB" etc.; 0 if unknown.
std::uint64_t factor_of(std::string_view suffix) {
  if (suffix.empty() || suffix == "B" || suffix == "b") return 1;
  const char first = static_cast<char>(suffix[0] >= 'a' ? suffix[0] - 'a' + 'A' : suffix[0]);
  const auto power = prefixes.find(first);
  const std::string_view rest = suffix.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "iB" && rest != "ib")) return 0;
  return std::uint64_t{1} << (10 * (power + 1));
}

}  // namespace

std::uint64_t parse_size(std::string_view flag, std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::uint64_t factor = problem == std::errc{} ? factor_of({stop, static_cast<std::size_t>(end - stop)}) : 0;
  const double bytes = number * static_cast<double>(factor);
  if (factor == 0 || !(bytes >= 0) || bytes > 0x1p62 || bytes != std::floor(bytes))
    throw UsageError(fmt::format(
        "{}: '{}' is not a size; give whole bytes, with K, M, G or T for powers of 1024: 8, 64K, 1.5M", flag, text));
  return static_cast<std::uint64_t>(bytes);
}

std::string format_size(std::uint64_t bytes) {
  std::size_t power = 0;
  std::uint64_t unit = 1;
  while (power < prefixes.size() && bytes >= unit * 1024 && bytes % (unit * 256) == 0) {
    unit *= 1024;
    ++power;
  }
  if (power == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.6g} {}iB", static_cast<double>(bytes) / static_cast<double>(unit), prefixes[power - 1]);
}

std::string format_duration(double seconds) {
  struct Unit {
    double scale;
    std::string_view name;
  };
  static constexpr std::array<Unit, 4> units{{{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1.0, "s"}}};
  for (const auto& unit : units)
    if (std::abs(seconds) < 999.5 * unit.scale) return fmt::format("{:.3g} {}", seconds / unit.scale, unit.name);
  return fmt::format("{:.0f} s", seconds);
}

std::string bandwidth_cell(std::optional<double> GBps) {
  return GBps ? fmt::format("{:.{}f}", *GBps, *GBps < 1 ? 4 : 2) : "-";
}

std::string how_often(int times) { return times == 1 ? "once" : fmt::format("{} times", times); }

}  // namespace busbar
