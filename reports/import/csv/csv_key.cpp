// SPDX-License-Identifier: Apache-2.0
#include "reports/import/csv/csv_key.hpp"

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/import/collective_names.hpp"

namespace busbar {
namespace {

std::optional<std::string> optional_word(const CsvValues& row, std::string_view name) {
  const std::string* word = row.word(name);
  return word == nullptr ? std::nullopt : std::optional(*word);
}

std::optional<std::string> csv_key_memory(const CsvValues& row) {
  const std::string* told = row.word("memory");
  if (told == nullptr) return std::nullopt;
  if (*told == "host" || *told == "cpu") return "host";
  if (*told == "device" || *told == "gpu") return "device";
  throw Error(fmt::format("memory: unknown '{}'; known: host, device", *told));
}

/// A count that must not be 0.
std::optional<int> at_least_one(const CsvValues& row, std::string_view name) {
  const auto n = row.count(name);
  if (n && *n < 1) throw Error(fmt::format("{}: 0 is below 1", name));
  return n;
}

}  // namespace

CaseKey csv_key(const CsvValues& row, const CsvDefaults& defaults) {
  CaseKey k{.backend = optional_word(row, "backend").value_or("unknown"),
            .memory = csv_key_memory(row),
            .op = optional_word(row, "op"),
            .root = row.count("root"),
            .nodes = at_least_one(row, "nodes"),
            .ranks_per_node = at_least_one(row, "ranks_per_node"),
            .algorithm = optional_word(row, "algorithm")};
  if (const std::string* type = row.word("type")) k.type = type_named(*type);
  const auto ranks = at_least_one(row, "ranks");
  if (!ranks && !defaults.ranks)
    throw Error("the number of ranks is not known; fill the column ranks, or add --ranks N");
  k.ranks = ranks.value_or(defaults.ranks.value_or(0));
  if (k.nodes == 1 && !k.ranks_per_node) k.ranks_per_node = k.ranks;
  return k;
}

std::optional<Interval> csv_interval(double low, double high, const CsvValues& row, const CsvDefaults& defaults,
                                     CsvTally& tally) {
  if (low > high) throw Error(fmt::format("an interval from {:g} to {:g}", low, high));
  std::optional<double> confidence = defaults.confidence;
  if (const auto told = row.figure("confidence")) confidence = told->value > 1 ? told->value / 100 : told->value;
  if (confidence && !(*confidence < 1)) throw Error("confidence: give a share below 1, or per cent below 100");
  if (!confidence) {
    ++tally.intervals_unused;
    return std::nullopt;
  }
  return Interval{.low = low, .high = high, .confidence = *confidence};
}

}  // namespace busbar
