// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/line_rate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::expected {
namespace {

using namespace std::string_view_literals;

/// GB/s of one unit: a lower-case b means bits, a capital B bytes. "gb/s" is ambiguous and rejected.
std::optional<double> unit(std::string_view text) {
  static constexpr std::array bits{"Gb/s"sv, "Gbps"sv, "gbps"sv, "Gbit/s"sv, "GbE"sv, "gbe"sv, "GBE"sv};
  if (std::ranges::find(bits, text) != bits.end()) return 0.125;
  return text == "GB/s" || text == "GBps" ? std::optional(1.0) : std::nullopt;
}

/// Parses the leading number of `text` and removes it.
std::optional<double> parse_leading_number(std::string_view& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (problem != std::errc{} || !(value > 0) || value > 1e6) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// GB/s from a parsed number and the unit that follows it.
std::optional<double> rate_GBps(std::optional<double> number, std::string_view rest) {
  if (number && rest.starts_with(' ')) rest.remove_prefix(1);
  const auto GBps = unit(rest);
  if (!number || !GBps) return std::nullopt;
  return *number * *GBps;
}

}  // namespace

double parse_rate(std::string_view flag, std::string_view text) {
  std::string_view rest = text;
  const auto number = parse_leading_number(rest);
  if (const auto GBps = rate_GBps(number, rest)) return *GBps * 1e9;
  throw UsageError(
      fmt::format("{}: '{}' is not a rate; use 200Gb/s, 400Gbps or 100gbe (bits) or 25GB/s (bytes)", flag, text));
}

LineRate parse_line_rate(std::string_view text) {
  std::string_view rest = text;
  double nics = 1;
  auto number = parse_leading_number(rest);
  if (number && rest.starts_with('x')) {
    nics = *number;
    rest.remove_prefix(1);
    number = parse_leading_number(rest);
  }
  const auto GBps = rate_GBps(number, rest);
  if (!GBps)
    throw UsageError(
        fmt::format("--line-rate: '{}' is not the rate of a node in one direction; use 200Gb/s, 400Gbps or 100gbe "
                    "(bits), 25GB/s (bytes) or 8x200Gb/s (8 NICs per node)",
                    text));
  return {.GBps = nics * *GBps, .text = std::string(text)};
}

std::string meaning(const LineRate& rate) {
  return fmt::format("{} given: {:g} GB/s out of each node and {:g} GB/s into it, summed over its NICs", rate.text,
                     rate.GBps, rate.GBps);
}

}  // namespace busbar::expected
