// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/summary.hpp"
#include "reports/compare/document.hpp"

namespace busbar::compare {
namespace {

/// A launch that is left out at some points of a pair of sides.
struct LaunchLeftOut {
  std::string side, name;
  std::vector<double> factors;  ///< one per point
};

std::vector<LaunchLeftOut> left_out_of(const Set& set, const Pair& pair) {
  std::map<std::pair<bool, std::string>, LaunchLeftOut> by_launch;
  for (const ComparedCase& point : pair.points) {
    for (const OutlyingLaunch& one : point.outlying) {
      LaunchLeftOut& launch = by_launch[{one.of_b, one.name}];
      launch.side = set.sides[one.of_b ? pair.b : pair.a];
      launch.name = one.name;
      launch.factors.push_back(one.factor);
    }
  }
  std::vector<LaunchLeftOut> all;
  for (auto& [key, launch] : by_launch) all.push_back(std::move(launch));
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const LaunchLeftOut& l) { return l.factors.size(); });
  return all;
}

}  // namespace

std::vector<std::string> outlying_sentences(const Told& told) {
  constexpr std::size_t points_per_accident = 4;  // a launch is named where it is left out at a quarter of the points
  std::vector<std::string> sentences;
  std::size_t others = 0;
  for (const Set& set : told.comparison.sets) {
    for (const Pair& pair : set.pairs) {
      for (const LaunchLeftOut& launch : left_out_of(set, pair)) {
        if (points_per_accident * launch.factors.size() < pair.points.size()) {
          others += launch.factors.size();
          continue;
        }
        sentences.push_back(fmt::format(
            "{} of {} is left out at {} of {}: its {} is {:.2f} times that of the others (median over points).",
            launch.name, launch.side, launch.factors.size(), plural(pair.points.size(), "point"),
            pair.points.front().quantity->name, median(launch.factors)));
      }
    }
  }
  if (others > 0)
    sentences.push_back(fmt::format("{} of other launches {} left out at single points.", plural(others, "figure"),
                                    others == 1 ? "is" : "are"));
  return sentences;
}

}  // namespace busbar::compare
