// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

/// Studies: runs that differ in several labels at once, as of algorithms on topologies with interconnects.
namespace busbar::report {

/// A value of the contested label and what a case took with it.
struct Contender {
  std::string value;
  double time_s = 0;
};

/// One case in runs that differ in the contested label alone.
struct Contest {
  CaseKey key;
  bool simulated = false;             ///< all of it: what was simulated is never held against what was measured
  std::vector<std::string> others;    ///< values of Study::others, in that order
  std::vector<Contender> contenders;  ///< the fastest first; each value once, by its fastest run
};

struct Study {
  std::string label;                ///< the contested one
  std::vector<std::string> others;  ///< labels in which runs differ as well, the one with the most values first
  std::vector<Contest> contests;    ///< in the order of the runs and of their cases
};

/// The contests of all ok cases of two ranks and more that have a time. Throws UsageError, naming --fastest, where no
/// two runs differ in `label`.
[[nodiscard]] Study study_of(const std::string& label, const std::vector<Run>&);

/// How much a label matters to a case: the slowest over the fastest of its values where all else is alike, 1 where it
/// does not matter. Of a label that is not contested: each value by its fastest contender.
struct Effect {
  double median = 1, least = 1, greatest = 1;  ///< over what else differs
};

/// Empty where there are no two values with all else alike. `label`: of Study::label and Study::others. `contests`: of
/// one case.
[[nodiscard]] std::optional<Effect> effect_of(const Study&, const std::vector<const Contest*>& contests,
                                              const std::string& label);

}  // namespace busbar::report
