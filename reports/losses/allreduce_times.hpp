// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/fit/fit.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::losses {

/// One measured size.
struct MeasuredCall {
  double bytes = 0;
  predict::Span time_s;  ///< median over launches; limits: the widest of their intervals, or the value without any
};

/// Time of one allreduce.
struct CallTime {
  predict::Span time_s;
  double latency_s = 0;  ///< the part that does not grow with the size
  bool between = true;   ///< from measured sizes near it, at the very ranks
};

/// Allreduces that do what the exchange of a training does: on the same hosts, by the same library, of the same type.
struct AllreduceTimes {
  std::string problem;               ///< why there are none; empty if there are some
  std::string source;                ///< what was measured, as text
  std::vector<std::string> others;   ///< what was left out, and why: one sentence per reason
  fit::Scale scale;                  ///< of the training
  std::vector<MeasuredCall> calls;   ///< by size, at this scale; empty: measured at other scales only
  std::optional<fit::SweepFit> fit;  ///< of this scale, or if `calls` is empty, of the others
  double confidence = 0.95;          ///< of the limits of all times
  bool hosts_known = true;           ///< both records name their hosts

  /// Empty if the size is too far from those measured.
  [[nodiscard]] std::optional<CallTime> of(double bytes) const;
};

/// The measured allreduces among `runs` for the training `at` of the run `training`.
[[nodiscard]] AllreduceTimes allreduce_times(const std::vector<Run>& runs, const Run& training, const CaseRecord& at);

}  // namespace busbar::losses
