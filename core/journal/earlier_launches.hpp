// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/record/fwd.hpp"
#include "core/record/method.hpp"
#include "core/statistics/interval.hpp"

/// How far launches differ, which the interval of one launch cannot know: memory lies elsewhere, processes start on
/// other cores, and the machine is in another state. Most of the variance of a short benchmark lies there (S. Hunold,
/// A. Carpen-Amarie, IEEE TPDS 27(12), 2016).
namespace busbar {

/// Assumed while ranks share their CPUs with other processes, unless `enough_on_shared_cpus` earlier launches are
/// known: then the state that the machine is in lasts for minutes, so successive launches agree and say little about
/// later ones. States 2.2x to 2.6x apart were seen (docs/method.md, "Does it repeat?").
inline constexpr LaunchSpread spread_on_shared_cpus{.relative = 0.5};
inline constexpr int enough_on_shared_cpus = 10;

/// What earlier launches say of one case.
struct EarlierCase {
  double median_s = 0;
  LaunchSpread spread;  ///< by spread_of_logs()
  Interval seen;        ///< 10th to 90th percentile of the launches

  /// The median and its probable error: by this the median over all launches lies within as often as not.
  [[nodiscard]] Interval about_median() const;
};

struct EarlierLaunches {
  LaunchSpread spread;                       ///< of the cases the median
  std::map<std::string, EarlierCase> cases;  ///< by to_string(CaseKey), those that 3 launches have
  /// What a barrier of all ranks usually takes between rounds: the lower quartile over settled launches. Empty: none is
  /// known.
  std::optional<double> barrier_s;
};

/// From the records in `folder` of earlier launches like `run`: same hosts, ranks, MPI library, cadence and settling;
/// the 20 newest, less those that would make it more than `most_bytes`: a launch does not wait for a folder of large
/// records (10 ms per MB). The spread is assumed where fewer than 3 have a case in common. Unreadable files are left
/// out.
[[nodiscard]] EarlierLaunches earlier_launches(const std::filesystem::path& folder, const RunRecord& run,
                                               std::uintmax_t most_bytes = 16 << 20);

/// Interval for the median over later launches, from one launch: its own interval, or the spread between launches where
/// that is wider (Student's t for an estimated spread), since the spread includes the error of each launch. It
/// includes `earlier`, the median of earlier launches with its probable error, if that is known: this launch may be the
/// unusual one. Without an interval of its own (`own`), the spread alone at 95 %. Empty for times that are not
/// positive.
[[nodiscard]] std::optional<Interval> interval_of_launches(double time_s, const std::optional<Interval>& own,
                                                           const LaunchSpread& spread,
                                                           const std::optional<Interval>& earlier = {});

/// The same for a case of this launch. On shared CPUs, and with enough earlier launches, it includes `seen` of these:
/// a state that some of them met will come back, whatever this launch and most others met. Empty also where nothing is
/// known: no interval of its own, no earlier launch of the case, and no contention.
[[nodiscard]] std::optional<Interval> interval_of_launches(const CaseRecord&, const EarlierLaunches&);

}  // namespace busbar
