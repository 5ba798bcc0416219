// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/fwd.hpp"
#include "reports/explain/places.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::explain {
namespace {

constexpr double low_share = 0.5;       ///< of the highest bandwidth, at the largest size
constexpr std::size_t most_curves = 3;  ///< described one by one

/// A curve whose bandwidth is highest at a middle size.
struct Fall {
  const Curve* curve = nullptr;
  std::size_t peak = 0;  ///< place of the highest bandwidth
  Certainty certainty = Certainty::possible;

  [[nodiscard]] const CurvePoint& highest() const { return curve->points[peak]; }
  [[nodiscard]] const CurvePoint& largest() const { return curve->points.back(); }
  /// Bandwidth at the largest size divided by the highest.
  [[nodiscard]] double share() const { return algbw_GBps(largest()) / algbw_GBps(highest()); }
};

/// Known if the intervals exclude more than the low share; likely if the two largest sizes are both below it.
Certainty certainty_of(const Fall& fall) {
  const CurvePoint &top = fall.highest(), &end = fall.largest();
  if (top.interval && end.interval) {
    const double most = algbw_GBps({.bytes = end.bytes, .time_s = end.interval->low});
    const double least = algbw_GBps({.bytes = top.bytes, .time_s = top.interval->high});
    return most < low_share * least ? Certainty::known : Certainty::possible;
  }
  const auto& points = fall.curve->points;
  const bool twice =
      fall.peak + 2 < points.size() && algbw_GBps(points[points.size() - 2]) < low_share * algbw_GBps(fall.highest());
  return twice ? Certainty::likely : Certainty::possible;
}

/// Lowest share first.
std::vector<Fall> falls_of(const std::vector<Curve>& curves) {
  std::vector<Fall> all;
  for (const Curve& curve : curves) {
    const auto peak = std::ranges::max_element(curve.points, {}, algbw_GBps);
    Fall fall{.curve = &curve, .peak = static_cast<std::size_t>(peak - curve.points.begin())};
    if (fall.share() >= low_share) continue;
    fall.certainty = certainty_of(fall);
    all.push_back(fall);
  }
  std::ranges::stable_sort(all, {}, &Fall::share);
  return all;
}

std::string bandwidth_text(const CurvePoint& p) {
  return fmt::format("{} GB/s at {}", report::bandwidth(algbw_GBps(p)), format_size(p.bytes));
}

std::string falling_bandwidth_title(const Fall& fall) {
  return fmt::format("{}: algbw falls from {} to {}", fall.curve->label, bandwidth_text(fall.highest()),
                     bandwidth_text(fall.largest()));
}

/// Every size from the highest bandwidth on.
std::string falling_bandwidth_sentence(const Fall& fall) {
  std::string text = fall.curve->label + ":";
  for (std::size_t i = fall.peak; i < fall.curve->points.size(); ++i)
    text += (i == fall.peak ? " " : ", ") + bandwidth_text(fall.curve->points[i]);
  return text + ".";
}

std::vector<std::string> falling_bandwidth_tries(const Fall& fall) {
  if (fall.curve->key().memory == "host") return {about_caches()};
  return {"Compare the library's algorithms and protocols at the largest size (--algorithm, --protocol)."};
}

std::vector<Finding> find_falling_bandwidth(const Run& run) {
  std::vector<Curve> curves = unlabelled_curves(run);
  const std::vector<Fall> all = falls_of(curves);
  if (all.empty()) return {};
  label_curves(curves);  // of most runs needless, and labels take long
  std::vector<Finding> findings;
  for (const Certainty certainty : {Certainty::known, Certainty::likely, Certainty::possible}) {
    std::vector<const Fall*> falls;
    std::vector<const CaseRecord*> cases;
    for (const Fall& fall : all) {
      if (fall.certainty != certainty) continue;
      falls.push_back(&fall);
      cases.push_back(fall.largest().record);
    }
    if (falls.empty()) continue;
    const Fall& worst = *falls.front();
    Finding f{.certainty = certainty,
              .title = falling_bandwidth_title(worst),
              .tries = falling_bandwidth_tries(worst),
              .where = where(cases)};
    if (falls.size() > 1) f.title += fmt::format("; {} more series fall", falls.size() - 1);
    for (std::size_t i = 0; i < std::min(most_curves, falls.size()); ++i)
      f.evidence.push_back(falling_bandwidth_sentence(*falls[i]));
    findings.push_back(std::move(f));
  }
  return findings;
}

}  // namespace

extern const Rule falling_bandwidth{
    .name = "falling_bandwidth",
    .about = "the largest size moves less than half of what a smaller one does",
    .order = 105,
    .has_data = has_curves,
    .look = find_falling_bandwidth,
};

}  // namespace busbar::explain
