// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace busbar {

/// One rank's clock against the reference rank's, and how well that is known. The error of a global time is at most
/// residual_s + uncertainty_s at the moment at which they were measured.
struct RankClock {
  int rank = 0;
  double offset_s = 0;       ///< reference rank's clock minus this rank's, when they were synchronised
  double drift_ppm = 0;      ///< by how much that offset grows: microseconds a second
  double residual_s = 0;     ///< offset left after the model, absolute, by ping-pongs that the model does not know
  double uncertainty_s = 0;  ///< what no ping-pong can know: half of the smallest round trip
};

/// How the ranks came to one clock. Residuals and uncertainties are summed along a rank's way to the reference rank.
struct ClockFacts {
  std::string method;  ///< "HCA3", or "shared clock" where all ranks read one host's clock
  int reference_rank = 0;
  double residual_s = 0;     ///< largest over ranks
  double uncertainty_s = 0;  ///< largest over ranks
  double took_s = 0;         ///< the last synchronisation with the measurement of its residuals, on the reference rank
  std::vector<RankClock> ranks;
};

/// A look at the residual during the run.
struct ClockCheck {
  double at_s = 0;           ///< since the start of the run
  double residual_s = 0;     ///< largest over ranks, before any new synchronisation
  double uncertainty_s = 0;  ///< largest over ranks; far above that of the synchronisation: the ranks were disturbed
};

struct ClockChecks {
  std::vector<ClockCheck> checks;
  std::optional<double> worst_residual_s;  ///< over the checks; empty without checks
  int resynchronised = 0;                  ///< how many checks found too much and synchronised anew
};

}  // namespace busbar
