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

/// Latency and bandwidth per level (in a node, between nodes), fitted to times over sizes and scales. `busbar fit`
/// prints the result; `busbar predict` uses it.
namespace busbar::fit {

/// A sweep and its fitted curves.
struct SweepFit {
  Sweep sweep;
  std::vector<Region> regions;  ///< by ascending size; if empty, `problem` gives the reason
  std::vector<ByMessage> by_message;
  std::string problem;
  std::vector<NcclSetup> setups;  ///< setups_of(sweep); not part of a fit file, which has what they follow from
};

struct Fit {
  std::vector<SweepFit> sweeps;
  std::vector<std::string> left_out;  ///< one sentence per reason
  std::vector<std::string> remarks;   ///< on labels, one sentence each
  double assumed_spread = 0.1;        ///< launch-to-launch variation where too few launches determine it
};

/// Fits the cases of these runs. A ring is refuted if its steps are faster than those of a collective of the same
/// library and setup that can only be a ring.
[[nodiscard]] Fit fit_runs(const std::vector<Run>&, const SweepOptions&, double assumed_spread);

/// Fits one sweep as fit_runs() fits it beside `others`, whose rings may refute its own.
[[nodiscard]] SweepFit fit_beside(Sweep, const std::vector<SweepFit>& others, double assumed_spread);

/// A coefficient with its 95 % interval by Student's t, with the smaller degrees of freedom of sizes and launches;
/// `low` is at least 0.
struct Estimate {
  double value = 0, low = 0, high = 0;
};
[[nodiscard]] Estimate estimate(const Curve&, const LaunchSpread&, std::size_t term);

[[nodiscard]] nlohmann::json json_of(const Fit&);

/// Reads a fit file. Throws UsageError naming the file if it is invalid.
[[nodiscard]] Fit read_fit(const std::filesystem::path&);
/// Parses `text` like read_fit; `file` is for messages.
[[nodiscard]] Fit parse_fit(std::string_view text, std::string_view file);

}  // namespace busbar::fit
