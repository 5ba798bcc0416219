// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/change.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"

namespace busbar::predict {
namespace {

constexpr int most_nics = 64, most_gpus = 1024;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    all.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return all;
}

/// A rate as --line-rate has it; messages name --what-if.
expected::LineRate parse_changed_rate(std::string_view text) {
  try {
    return expected::parse_line_rate(text);
  } catch (const UsageError&) {
    throw UsageError(fmt::format(
        "--what-if line-rate: '{}' is not the rate of a node in one direction; use 400Gb/s or 100gbe (bits), 50GB/s "
        "(bytes) or 2x400Gb/s (2 NICs per node)",
        text));
  }
}

double parse_changed_latency(std::string_view text) {
  const double s = parse_duration("--what-if latency", text);
  if (!(s > 0)) throw UsageError(fmt::format("--what-if latency: '{}' is not above 0; use 1.5us", text));
  return s;
}

struct Key {
  std::string_view name;
  void (*set)(Change&, std::string_view value);
};

constexpr std::array keys{
    Key{"nics",
        [](Change& c, std::string_view v) { c.nics = parse_count("--what-if nics", std::string(v), 1, most_nics); }},
    Key{"line-rate", [](Change& c, std::string_view v) { c.line_rate = parse_changed_rate(v); }},
    Key{"latency", [](Change& c, std::string_view v) { c.latency_s = parse_changed_latency(v); }},
    Key{"gpus-per-node",
        [](Change& c, std::string_view v) {
          c.gpus_per_node = parse_count("--what-if gpus-per-node", std::string(v), 1, most_gpus);
        }},
    Key{"algorithm", [](Change& c, std::string_view v) { c.algorithm = std::string(v); }},
    Key{"price", [](Change& c, std::string_view v) { c.price = parse_price("--what-if price", v); }},
};

const Key& key_of(std::string_view part) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  const std::size_t equals = part.find('=');
  const std::string_view name = trimmed(part.substr(0, equals));
  const auto at = std::ranges::find(keys, name, &Key::name);
  if (at == keys.end()) throw UsageError("--what-if: " + unknown_word("key", name, names));
  if (equals == std::string_view::npos || trimmed(part.substr(equals + 1)).empty())
    throw UsageError(fmt::format("--what-if: '{}' has no value; write {}=VALUE", part, name));
  return *at;
}

}  // namespace

Change parse_change(std::string_view text) {
  Change change;
  std::vector<const Key*> seen;
  for (const std::string_view part : parts_of(text)) {
    const Key& key = key_of(part);
    if (std::ranges::find(seen, &key) != seen.end())
      throw UsageError(fmt::format("--what-if: '{}' is given twice; repeat --what-if for another machine", key.name));
    seen.push_back(&key);
    key.set(change, trimmed(part.substr(part.find('=') + 1)));
    change.name += fmt::format("{}{}", change.name.empty() ? "" : ", ", part);
  }
  if (change.nics && change.line_rate && change.line_rate->text.find('x') != std::string::npos)
    throw UsageError(fmt::format("--what-if: nics={} and line-rate={} both say how many NICs; give one of them",
                                 *change.nics, change.line_rate->text));
  return change;
}

Price parse_price(std::string_view flag, std::string_view text) {
  constexpr double most = 1e9;
  constexpr std::size_t longest_currency = 8;
  double amount = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), amount, std::chars_format::fixed);
  const std::string_view currency = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  const bool a_word = std::ranges::none_of(currency, [](char c) {
    return std::string_view("0123456789.,;:+-*/=<>&\"'\\").find(c) != std::string_view::npos;
  });
  if (problem != std::errc{} || !(amount > 0 && amount <= most) || currency.size() > longest_currency || !a_word)
    throw UsageError(
        fmt::format("{}: '{}' is not the price of a node for an hour; use 12.5 or '12.5 EUR'", flag, text));
  return {.amount = amount, .currency = std::string(currency)};
}

}  // namespace busbar::predict
