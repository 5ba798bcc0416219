// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "reports/compare/document.hpp"
#include "reports/compare/pooled.hpp"
#include "reports/document/charts.hpp"
#include "reports/document/plot.hpp"

namespace busbar::compare {

/// Ratio of the times of two runs over size, drawn below their curves.
class RatioBands {
 public:
  /// `told`: the comparison that was asked for; null: none. `pooled`: the runs of the charts, where they combine
  /// launches; null: they do not. Both must outlive this object. Without both, ratios have no intervals.
  explicit RatioBands(const Told* told, const report::Pooled* pooled = nullptr);

  /// The second run's time over the first's at each common size, a line per series. Of two launches with the
  /// comparison's interval, where it compares just these; of combined ones with a 95 % interval from their launches, as
  /// measured, where they are enough to estimate their variation. Null unless the charts have exactly two runs with a
  /// common size.
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
  [[nodiscard]] std::optional<report::Range> interval_of_launches(const CaseRecord* a, const CaseRecord* b) const;
  [[nodiscard]] const ComparedCase* compared(const CaseRecord* a, const CaseRecord* b) const;

  const report::Pooled* pooled_;
  std::unordered_map<const CaseRecord*, Place> places_;
  std::map<std::pair<std::string, std::pair<std::size_t, std::size_t>>, const ComparedCase*> points_;
};

}  // namespace busbar::compare
