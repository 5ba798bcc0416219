// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/predict/what_if/change.hpp"
#include "reports/predict/what_if/moved_terms.hpp"
#include "reports/predict/what_if/network_change.hpp"

namespace busbar::predict {

/// What a variant assumes in sentences, and what its interval has beside that of the machine as it is.
class Account {
 public:
  /// `confidence`: of the intervals.
  Account(const Change& change, double confidence) : name_(change.name), confidence_(confidence) {}

  void assume(const std::string& sentence) { assumed_ += " " + sentence; }
  void bandwidth(const NetworkChange&, const std::optional<KnownNetwork>& now);
  /// `what` takes `to_s` in place of `from_s`, both above 0.
  void latency(double from_s, double to_s, std::string_view what);
  /// Another number of ranks on a node than in the prediction of the machine as it is.
  void ranks_on_a_node(int per_node, const Prediction& as_it_is);
  void algorithm(std::string_view name);

  [[nodiscard]] const std::vector<Doubt>& doubts() const { return doubts_; }
  /// "What if latency=1us: A step ... takes 1 us in place of 2 us. At 95 %: ...".
  [[nodiscard]] std::string text() const;

 private:
  /// `deviation`: of the logarithm of `of`; nothing is added where it is 0.
  void add(const Doubt&, double deviation, std::string_view of);

  std::string name_, assumed_;
  double confidence_;
  std::vector<Doubt> doubts_;
  std::vector<std::string> wider_;
};

}  // namespace busbar::predict
