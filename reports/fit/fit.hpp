// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"
#include "reports/fit/region.hpp"
#include "reports/fit/sweep.hpp"

/// Latency and bandwidth of each level (in a node, between nodes), from times over sizes and scales: what
/// `busbar fit` says and `busbar predict` goes on with.
namespace busbar::fit {

/// A sweep and its curves.
struct SweepFit {
  Sweep sweep;
  std::vector<Region> regions;  ///< sizes ascending; empty: `problem` says why
  std::vector<ByMessage> by_message;
  std::string problem;
};

struct Fit {
  std::vector<SweepFit> sweeps;
  std::vector<std::string> left_out;  ///< a sentence each
  double assumed_spread = 0.1;        ///< of launches, where too few tell it
};

/// Of the cases of these runs. Where several collectives of one library were measured alike, a ring whose steps take
/// less time than those of a collective that can only be a ring is refuted.
[[nodiscard]] Fit fit_runs(const std::vector<Run>&, const SweepOptions&, double assumed_spread);

/// What a coefficient is, with its interval at 95 % by Student's t; `low` is at least 0.
struct Estimate {
  double value = 0, low = 0, high = 0;
};
[[nodiscard]] Estimate estimate(const Curve&, const LaunchSpread&, std::size_t term);

/// Quantile of Student's t that leaves (1 - confidence) / 2 above it, with the fewer of the degrees of the sizes and of
/// the launches.
[[nodiscard]] double t_of(const Curve&, const LaunchSpread&, double confidence);

[[nodiscard]] nlohmann::json json_of(const Fit&);

/// Reads it back. Throws UsageError, naming the file, for anything that is no such fit.
[[nodiscard]] Fit read_fit(const std::filesystem::path&);
/// The same from `text`; `file` is for messages.
[[nodiscard]] Fit parse_fit(std::string_view text, std::string_view file);

}  // namespace busbar::fit
