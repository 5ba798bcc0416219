// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

/// Studies: runs that differ in several labels at once, such as algorithm, topology and interconnect.
namespace busbar::report {

/// A value of the contested label, and the time of a case with it.
struct Contender {
  std::string value;
  double time_s = 0;
};

/// One case in runs that differ only in the contested label.
struct Contest {
  CaseKey key;
  bool simulated = false;             ///< all contenders are; simulated and measured times are never compared
  std::vector<std::string> others;    ///< values of Study::others, in that order
  std::vector<Contender> contenders;  ///< the fastest first; each value once, by its fastest run
};

struct Study {
  std::string label;                ///< the contested label
  std::vector<std::string> others;  ///< other labels in which runs differ, the one with most values first
  std::vector<Contest> contests;    ///< in the order of the runs and of their cases
};

/// The contests of all ok cases with a time and at least two ranks. Throws UsageError, naming --fastest, if no two runs
/// differ in `label`.
[[nodiscard]] Study study_of(const std::string& label, const std::vector<Run>&);

/// Effect of a label on a case: time of its slowest over its fastest value, all else being equal; 1 without effect. For
/// a label that is not contested, each value counts by its fastest contender.
struct Effect {
  double median = 1, least = 1, greatest = 1;  ///< over the values of all other labels
};

/// Empty if no two values have all else equal. `label`: Study::label or one of Study::others. `contests`: of one case.
[[nodiscard]] std::optional<Effect> effect_of(const Study&, const std::vector<const Contest*>& contests,
                                              const std::string& label);

}  // namespace busbar::report
