// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/compare/document.hpp"
#include "reports/document/charts.hpp"
#include "reports/document/plot.hpp"

namespace busbar::compare {

/// Ratio of the times of two runs over size, drawn below their curves.
class RatioBands {
 public:
  /// `told`: the comparison that was asked for; null: ratios have no intervals. It must outlive this object.
  explicit RatioBands(const Told* told);

  /// The second run's time over the first's at each common size, a line per series; with the comparison's interval
  /// where it compares just these two launches. Null unless the charts have exactly two runs with a common size.
  [[nodiscard]] std::shared_ptr<const report::Plot> of(const report::Charts&) const;

 private:
  /// Side and point of a case in the comparison.
  struct Place {
    std::size_t side = 0;
    std::string point;
  };
  /// Ratio of the time of `b` over that of `a`.
  struct Ratio {
    double value = 1;
    std::optional<report::Range> interval;
  };

  [[nodiscard]] Ratio ratio(const report::ChartPoint& a, const report::ChartPoint& b) const;
  [[nodiscard]] const ComparedCase* compared(const CaseRecord* a, const CaseRecord* b) const;

  std::unordered_map<const CaseRecord*, Place> places_;
  std::map<std::pair<std::string, std::pair<std::size_t, std::size_t>>, const ComparedCase*> points_;
};

}  // namespace busbar::compare
