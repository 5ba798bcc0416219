// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/fit/scale.hpp"

namespace busbar::fit {

/// The labels of runs that may be fitted together, with the scales that each of their values was measured on.
class ScaleLabels {
 public:
  /// Adds a run's labels at one of its scales.
  void add(const std::map<std::string, std::string>& labels, const Scale&);

  /// Labels that have other values at each scale and name the scale or the run (nodes=2 and nodes=8, jobid=17 and
  /// jobid=18): by these, every fit would have one scale. Names of systems and versions are not among them, as runs of
  /// different systems do not belong in one fit. With the reason, as a remark for the user.
  [[nodiscard]] std::map<std::string, std::string> to_pool() const;

  /// A remark for each other label that has other values at each scale.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  using Values = std::map<std::string, std::set<Scale>>;
  [[nodiscard]] bool differs_at_each_scale(const Values&) const;

  std::map<std::string, Values> labels_;
  std::map<std::string, std::set<Scale>> without_;  ///< scales of runs that lack the label
  std::set<Scale> scales_;
};

}  // namespace busbar::fit
