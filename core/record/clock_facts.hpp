// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace busbar {

/// One rank's clock relative to the reference rank's, and its accuracy. The error of a global time was at most
/// residual_s + uncertainty_s when these were measured.
struct RankClock {
  int rank = 0;
  double offset_s = 0;       ///< reference rank's clock minus this rank's, at synchronisation
  double drift_ppm = 0;      ///< growth of that offset: microseconds per second
  double residual_s = 0;     ///< absolute offset left after correction, from ping-pongs not used for the model
  double uncertainty_s = 0;  ///< undetectable by ping-pongs: half of the smallest round trip
};

/// Clock synchronisation of the ranks. Residuals and uncertainties are summed along a rank's path to the reference
/// rank.
struct ClockFacts {
  std::string method;  ///< "HCA3", or "shared clock" if all ranks read one host's clock
  int reference_rank = 0;
  double residual_s = 0;     ///< largest over ranks
  double uncertainty_s = 0;  ///< largest over ranks
  double took_s = 0;         ///< last synchronisation including its residuals, on the reference rank
  std::vector<RankClock> ranks;
};

/// A check of the residual during the run.
struct ClockCheck {
  double at_s = 0;           ///< since the start of the run
  double residual_s = 0;     ///< largest over ranks, before any resynchronisation
  double uncertainty_s = 0;  ///< largest over ranks; far above the value at synchronisation if ranks were disturbed
};

struct ClockChecks {
  std::vector<ClockCheck> checks;
  std::optional<double> worst_residual_s;  ///< over the checks; empty without checks
  int resynchronised = 0;                  ///< number of checks that triggered a resynchronisation
};

}  // namespace busbar
