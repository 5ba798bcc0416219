// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/measurements.hpp"

#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/journal/earlier_launches.hpp"
#include "core/journal/journal.hpp"
#include "core/record/run.hpp"
#include "core/statistics/log_ratio.hpp"
#include "core/statistics/summary.hpp"

namespace busbar::repeat {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_measurements = 3;

/// All launches of a record; empty if it is unreadable.
std::vector<Run> launches_in(const fs::path& record) {
  try {
    return read_journals(record, Detail::without_samples);
  } catch (const Error&) {
    return {};  // not a record, or a newer one
  }
}

bool is_like(const Run& run, const Tally& of) {
  return run.launch && ended_well(run) && command_of(run) == of.command && are_alike(run.head, of.good[0]->head);
}

/// The earlier measurements of a command, and this one. `earlier`: the launches of each record.
std::vector<std::vector<PooledCase>> measurements_of(const Tally& of, const std::vector<std::vector<Run>>& earlier) {
  std::vector<std::vector<PooledCase>> all{pool_cases(of.good)};
  for (const std::vector<Run>& launches : earlier) {
    std::vector<const Run*> alike;
    for (const Run& run : launches)
      if (is_like(run, of)) alike.push_back(&run);
    if (!alike.empty()) all.push_back(pool_cases(alike));
  }
  return all;
}

}  // namespace

std::optional<MeasurementSpread> spread_of(const std::vector<std::vector<PooledCase>>& measurements) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> times_s;
  for (const auto& cases : measurements)
    for (const PooledCase& one : cases) times_s[{one.series, one.name}].push_back(one.time_s);
  std::vector<double> spreads;
  for (const auto& [id, its] : times_s)
    if (its.size() >= least_measurements) spreads.push_back(spread_of_logs(its));
  if (spreads.empty()) return std::nullopt;
  return MeasurementSpread{.measurements = measurements.size(), .cases = spreads.size(), .spread = median(spreads)};
}

std::string text_of_measurements(const std::vector<Tally>& commands, const fs::path& out) {
  std::vector<std::vector<Run>> earlier;
  for (const fs::path& record : records_over_ages(out.parent_path(), bytes_worth_reading({})))
    if (record.filename() != out.filename()) earlier.push_back(launches_in(record));
  std::string s;
  for (const Tally& of : commands) {
    if (of.good.empty()) continue;
    const auto found = spread_of(measurements_of(of, earlier));
    if (!found) continue;
    s += fmt::format(
        "# {} measurements of {} in this folder differ by {:.1f} % (standard\n"
        "#   deviation, median over {}); +-% knows only the launches of this one\n",
        found->measurements, commands.size() == 1 ? "this command" : of.command, 100 * found->spread,
        plural(found->cases, "case"));
  }
  return s;
}

}  // namespace busbar::repeat
