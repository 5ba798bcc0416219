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

/// The launches of `record` that are of the same command as `of` and alike; empty if the record is unreadable.
std::vector<Run> launches_like(const Tally& of, const fs::path& record) {
  std::vector<Run> alike;
  try {
    for (Run& run : read_journals(record, Detail::without_samples))
      if (run.launch && ended_well(run) && command_of(run) == of.command && are_alike(run.head, of.good[0]->head))
        alike.push_back(std::move(run));
  } catch (const Error&) {
    return {};  // not a record, or a newer one
  }
  return alike;
}

std::vector<PooledCase> pool(const std::vector<Run>& launches) {
  std::vector<const Run*> all;
  for (const Run& run : launches) all.push_back(&run);
  return pool_cases(all);
}

/// The earlier measurements of a command, and this one.
std::vector<std::vector<PooledCase>> measurements_of(const Tally& of, const std::vector<fs::path>& records) {
  std::vector<std::vector<PooledCase>> all{pool_cases(of.good)};
  for (const fs::path& record : records)
    if (const std::vector<Run> launches = launches_like(of, record); !launches.empty()) all.push_back(pool(launches));
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
  std::vector<fs::path> records = records_over_ages(out.parent_path(), bytes_worth_reading({}));
  std::erase_if(records, [&](const fs::path& record) { return record.filename() == out.filename(); });
  std::string s;
  for (const Tally& of : commands) {
    if (of.good.empty()) continue;
    const auto found = spread_of(measurements_of(of, records));
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
