// SPDX-License-Identifier: Apache-2.0
#include "core/journal/earlier_launches.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/software.hpp"
#include "core/record/status.hpp"
#include "core/statistics/distributions.hpp"
#include "core/statistics/log_ratio.hpp"
#include "core/statistics/summary.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_records = 20, least_launches = 3;

using Written = std::pair<fs::file_time_type, fs::path>;

/// Half of them the newest, the others spread evenly over all older ones.
std::vector<Written> spread_over_ages(const std::vector<Written>& newest_first) {
  if (newest_first.size() <= most_records) return newest_first;
  constexpr std::size_t newest = most_records / 2, older = most_records - newest;
  std::vector<Written> chosen(newest_first.begin(), newest_first.begin() + newest);
  for (std::size_t i = 0; i < older; ++i)
    chosen.push_back(newest_first[newest + (2 * i + 1) * (newest_first.size() - newest) / (2 * older)]);
  return chosen;
}

std::multiset<std::string> hosts_of(const RunRecord& run) {
  std::multiset<std::string> hosts;
  for (const RankPlace& place : run.placement) hosts.insert(place.host);
  return hosts;
}

/// The pace is that of a piece of this program's code.
bool is_compiled_alike(const Tool& a, const Tool& b) {
  return a.name == b.name && a.compiler == b.compiler && a.build_type == b.build_type;
}

/// Data from earlier launches.
struct Seen {
  std::map<std::string, std::vector<double>> times_s;  ///< by case
  std::vector<double> barriers_s, paces_s;
};

bool is_of_all_ranks(const CaseRecord& c) { return c.key.group == "world"; }

void look_into(const fs::path& file, const RunRecord& like, Seen& seen) {
  try {
    for (const Run& run : read_journals(file, Detail::figures)) {
      if (!are_alike(run.head, like)) continue;
      for (const CaseRecord& c : run.cases)
        if (is_measured(c.status) && c.time_s && *c.time_s > 0) seen.times_s[to_string(c.key)].push_back(*c.time_s);
      const bool all_ranks = std::ranges::all_of(run.cases, is_of_all_ranks);
      if (all_ranks && run.end && run.end->settling && run.end->settling->usual_barrier_s)
        seen.barriers_s.push_back(*run.end->settling->usual_barrier_s);
      if (run.end && run.end->pace && is_compiled_alike(run.head.tool, like.tool))
        seen.paces_s.push_back(run.end->pace->full_s);
    }
  } catch (const Error&) {
    return;  // not a record, or a newer one
  }
}

/// The second shortest time, or the shortest of fewer than five; empty if there is none.
std::optional<double> short_time(std::vector<double> times_s) {
  constexpr std::size_t tolerates_one = 5;
  if (times_s.empty()) return std::nullopt;
  std::ranges::sort(times_s);
  return times_s[times_s.size() < tolerates_one ? 0 : 1];
}

/// Applies a lower bound: successive launches agreed to 1 % while later ones differed by more.
LaunchSpread on_shared_cpus(LaunchSpread spread) {
  constexpr double least = 0.02;
  if (spread.launches < enough_on_shared_cpus)
    return spread.relative < spread_on_shared_cpus.relative ? spread_on_shared_cpus : spread;
  spread.relative = std::max(spread.relative, least);
  return spread;
}

/// The smallest interval that contains both.
Interval joined(const Interval& a, const Interval& b) {
  return {.low = std::min(a.low, b.low), .high = std::max(a.high, b.high), .confidence = a.confidence};
}

/// Interval of a launch by its rounds (`own`) or by the launch-to-launch spread with `confidence`, whichever is wider.
Interval of_one_launch(double time_s, const std::optional<Interval>& own, const LaunchSpread& spread,
                       double confidence) {
  const double assumed_degrees = 1e9;
  const double degrees = spread.launches > 0 ? spread.launches - 1 : assumed_degrees;
  const double between = upper_quantile((1 - confidence) / 2, degrees) * spread.relative;
  const double below = own ? std::log(time_s / own->low) : 0, above = own ? std::log(own->high / time_s) : 0;
  return {.low = time_s * std::exp(-std::max(below, between)),
          .high = time_s * std::exp(std::max(above, between)),
          .confidence = confidence};
}

/// The earlier launches met different states of the machine.
bool has_states(const Interval& seen) {
  constexpr double alike = 1.1;
  return seen.high > alike * seen.low;
}

/// The same of a case that earlier launches measured. The interval also contains the states that they met, or, of a
/// launch that is unusual beside them, their median with `confidence`. This finds most misses of the spread alone,
/// which is therefore taken so that it misses four times as often as `confidence` allows.
Interval of_known_case(const CaseRecord& c, const EarlierCase& earlier, const LaunchSpread& spread, double confidence) {
  const bool estimated = spread.launches > 0;
  const Interval alone =
      of_one_launch(*c.time_s, c.interval_s, spread, estimated ? std::max(4 * confidence - 3, 0.0) : confidence);
  if (has_states(earlier.seen)) return joined(alone, earlier.seen);
  const bool unusual = earlier.median_s < alone.low || earlier.median_s > alone.high;
  return unusual ? joined(alone, earlier.median_interval(confidence)) : alone;
}

Interval seen_in(std::vector<double> times_s) {
  constexpr double share = 0.8;
  std::ranges::sort(times_s);
  return {
      .low = percentile(times_s, 50 * (1 - share)), .high = percentile(times_s, 50 * (1 + share)), .confidence = share};
}

}  // namespace

Interval EarlierCase::median_interval(double confidence) const {
  return interval_of_median(median_s, spread.relative, spread.launches, confidence);
}

std::vector<fs::path> records_over_ages(const fs::path& folder, std::uintmax_t most_bytes) {
  std::vector<Written> found;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, problem))
    if (entry.path().extension() == ".jsonl") found.emplace_back(entry.last_write_time(problem), entry.path());
  std::ranges::sort(found, std::greater());
  std::vector<fs::path> files;
  std::uintmax_t left = most_bytes;
  for (const auto& [written, file] : spread_over_ages(found)) {
    const std::uintmax_t bytes = fs::file_size(file, problem);
    if (problem || bytes > left) continue;
    left -= bytes;
    files.push_back(file);
  }
  return files;
}

bool are_alike(const RunRecord& a, const RunRecord& b) {
  return a.id != b.id && a.origin == Origin::measured && a.ranks == b.ranks && a.mpi && b.mpi &&
         a.mpi->library == b.mpi->library && a.method.cadence == b.method.cadence &&
         a.method.settled == b.method.settled && hosts_of(a) == hosts_of(b);
}

std::uintmax_t bytes_worth_reading(std::optional<double> budget_s) {
  constexpr double MiB = 1 << 20, MiB_in_a_second = 100, share = 0.02, least = 1, most = 16;
  const double worth = budget_s ? share * *budget_s * MiB_in_a_second : most;
  return static_cast<std::uintmax_t>(std::clamp(worth, least, most) * MiB);
}

EarlierLaunches earlier_launches(const fs::path& folder, const RunRecord& run, std::uintmax_t most_bytes) {
  Seen seen;
  for (const fs::path& file : records_over_ages(folder, most_bytes)) look_into(file, run, seen);
  EarlierLaunches all;
  std::vector<double> spreads;
  for (const auto& [key, times_s] : seen.times_s) {
    if (times_s.size() < least_launches) continue;
    const LaunchSpread spread{.relative = spread_of_logs(times_s), .launches = static_cast<int>(times_s.size())};
    all.cases[key] = {.median_s = median(times_s), .spread = spread, .seen = seen_in(times_s)};
    all.spread.launches = std::max(all.spread.launches, spread.launches);
    spreads.push_back(spread.relative);
  }
  if (!spreads.empty()) all.spread.relative = median(spreads);
  all.barrier_s = short_time(seen.barriers_s);
  all.pace_s = short_time(seen.paces_s);
  return all;
}

std::optional<Interval> interval_of_launches(const CaseRecord& c, const EarlierLaunches& earlier) {
  if (!c.time_s || !(*c.time_s > 0) || (c.interval_s && !(c.interval_s->low > 0))) return std::nullopt;
  const auto found = earlier.cases.find(to_string(c.key));
  const EarlierCase* known = found != earlier.cases.end() ? &found->second : nullptr;
  const bool shares_cpus = c.contention && c.contention->contended();
  if (!c.interval_s && !known && !shares_cpus) return std::nullopt;
  const double usual_confidence = 0.95, confidence = c.interval_s ? c.interval_s->confidence : usual_confidence;
  const LaunchSpread usual = known ? known->spread : earlier.spread;
  const LaunchSpread spread = shares_cpus ? on_shared_cpus(usual) : usual;
  Interval interval =
      known ? of_known_case(c, *known, spread, confidence) : of_one_launch(*c.time_s, c.interval_s, spread, confidence);
  interval.confidence = confidence;
  return interval;
}

}  // namespace busbar
