// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/record/method.hpp"
#include "core/statistics/interval.hpp"

/// Launch-to-launch variation, which the interval of one launch cannot include: memory and processes are placed
/// differently, and the machine is in another state. It causes most of the variance of a short benchmark (S. Hunold, A.
/// Carpen-Amarie, IEEE TPDS 27(12), 2016).
namespace busbar {

/// Assumed while ranks share their CPUs with other processes, unless `enough_on_shared_cpus` earlier launches are
/// known. The machine's state then lasts for minutes, so successive launches agree and do not predict later ones.
/// States 2.2x to 2.6x apart were observed (docs/method.md, "Does it repeat?").
inline constexpr LaunchSpread spread_on_shared_cpus{.relative = 0.5};
inline constexpr int enough_on_shared_cpus = 10;

/// One case in earlier launches.
struct EarlierCase {
  double median_s = 0;
  LaunchSpread spread;  ///< from spread_of_logs()
  Interval seen;        ///< 10th to 90th percentile of the launches

  /// Interval for the median over all launches (interval_of_median), 0 < `confidence` < 1. Needs two launches.
  [[nodiscard]] Interval median_interval(double confidence) const;
};

struct EarlierLaunches {
  LaunchSpread spread;                       ///< median over the cases
  std::map<std::string, EarlierCase> cases;  ///< by to_string(CaseKey); those in at least 3 launches
  /// Usual time of a barrier of all ranks on near CPUs: of settled launches, the second shortest of what was usual in
  /// each, or the shortest of fewer than five. Most launches can be on distant CPUs. Empty if unknown.
  std::optional<double> barrier_s;
  /// Full pace of the CPUs (LaunchPace::full_s), chosen in the same way; of programs that were compiled alike.
  std::optional<double> pace_s;
};

/// Bytes of earlier records to read, which takes 10 ms per MB: 2 % of the time of a launch (--run-budget; empty: no
/// limit), between 1 and 16 MiB.
[[nodiscard]] std::uintmax_t bytes_worth_reading(std::optional<double> budget_s);

/// Records (*.jsonl) in `folder` to learn from, newest first, at most `most_bytes` in total: the 10 newest, and 10
/// spread evenly over all older ones, for the machine's states last for minutes to hours, and the newest can all be of
/// one.
[[nodiscard]] std::vector<std::filesystem::path> records_over_ages(const std::filesystem::path& folder,
                                                                   std::uintmax_t most_bytes);

/// True if the times of two launches can be compared: both measured, with the same hosts, ranks, MPI library, cadence
/// and settling. False for a launch and itself.
[[nodiscard]] bool are_alike(const RunRecord&, const RunRecord&);

/// Reads earlier launches that are alike from the records_over_ages() of `folder`. The spread is assumed if fewer than
/// 3 have a case in common. Skips unreadable files.
[[nodiscard]] EarlierLaunches earlier_launches(const std::filesystem::path& folder, const RunRecord& run,
                                               std::uintmax_t most_bytes = bytes_worth_reading({}));

/// Interval for the median over later launches, from one launch, with the confidence of its own interval (95 % without
/// one). It is the own interval, or the launch-to-launch spread (Student's t if it is estimated) if that is wider,
/// because the spread includes the error of each launch. If earlier launches of the case are known, the spread is taken
/// at 80 % for 95 %, and the interval also contains their `seen` if that spans more than 10 %: a state that some of
/// them met will recur. Else, if their median lies outside, this launch is unusual, and the interval also contains that
/// median with its confidence (docs/method.md, "Later launches").
/// Empty if there is no positive time, or nothing is known: no own interval, no earlier launch of the case, and no
/// contention.
[[nodiscard]] std::optional<Interval> interval_of_launches(const CaseRecord&, const EarlierLaunches&);

}  // namespace busbar
