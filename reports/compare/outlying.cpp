// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/statistics/summary.hpp"
#include "reports/compare/document.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

/// A launch that is left out at some points of a set.
struct LaunchLeftOut {
  std::string side, name, subject;
  std::string_view quantity;
  std::map<std::string, double> factors;  ///< by key of the point
  std::size_t points = 0;                 ///< of its side

  [[nodiscard]] double factor() const {
    std::vector<double> all;
    for (const auto& [key, value] : factors) all.push_back(value);
    return median(all);
  }
};

/// Launches by how many points they are left out at. A point counts once, though several pairs have it.
std::vector<LaunchLeftOut> left_out_of(const Set& set) {
  std::map<std::pair<std::size_t, std::string>, LaunchLeftOut> by_launch;
  std::map<std::size_t, std::set<std::string>> points;
  for (const Pair& pair : set.pairs) {
    for (const ComparedCase& point : pair.points) {
      const std::string key = to_string(point.key);
      for (const std::size_t side : {pair.a, pair.b}) points[side].insert(key);
      for (const OutlyingLaunch& one : point.outlying) {
        const std::size_t side = one.of_b ? pair.b : pair.a;
        LaunchLeftOut& launch = by_launch[{side, one.name}];
        launch.side = set.sides[side];
        launch.name = one.name;
        launch.subject = report::subject(point.key);
        launch.quantity = point.quantity->name;
        launch.factors.emplace(key, one.factor);
      }
    }
  }
  std::vector<LaunchLeftOut> all;
  for (auto& [key, launch] : by_launch) {
    launch.points = points[key.first].size();
    all.push_back(std::move(launch));
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const LaunchLeftOut& l) { return l.factors.size(); });
  return all;
}

/// Keeps the `most` launches that are farthest from 1, in their order. Returns the others.
std::vector<LaunchLeftOut> take_nearest(std::vector<LaunchLeftOut>& all, std::size_t most) {
  std::vector<std::size_t> farthest(all.size());
  std::iota(farthest.begin(), farthest.end(), std::size_t{0});
  std::ranges::stable_sort(farthest, std::ranges::greater{},
                           [&](std::size_t i) { return std::abs(std::log(all[i].factor())); });
  std::vector<std::size_t> position(all.size());
  for (std::size_t i = 0; i < farthest.size(); ++i) position[farthest[i]] = i;
  std::vector<LaunchLeftOut> named, others;
  for (std::size_t i = 0; i < all.size(); ++i) (position[i] < most ? named : others).push_back(std::move(all[i]));
  all = std::move(named);
  return others;
}

std::string sentence_of(const std::vector<LaunchLeftOut>& others) {
  std::vector<double> factors;
  std::ranges::transform(others, std::back_inserter(factors), &LaunchLeftOut::factor);
  const auto [least, most] = std::ranges::minmax(factors);
  return fmt::format("{} left out at a quarter of the points or more: {:.2f} to {:.2f} times the others.",
                     others.size() == 1 ? "1 more launch is" : fmt::format("{} more launches are", others.size()),
                     least, most);
}

}  // namespace

std::vector<std::string> outlying_sentences(const Told& told) {
  constexpr std::size_t points_per_accident = 4;  // a launch is named where it is left out at a quarter of the points
  constexpr std::size_t most_named = 10;
  std::vector<LaunchLeftOut> named;
  std::size_t figures = 0;
  for (const Set& set : told.comparison.sets)
    for (LaunchLeftOut& launch : left_out_of(set)) {
      if (points_per_accident * launch.factors.size() >= launch.points)
        named.push_back(std::move(launch));
      else
        figures += launch.factors.size();
    }
  const std::vector<LaunchLeftOut> others = take_nearest(named, most_named);
  std::vector<std::string> sentences;
  const bool several = told.comparison.sets.size() > 1;
  for (const LaunchLeftOut& launch : named)
    sentences.push_back(fmt::format(
        "{} of {} is left out at {} of {}{}: its {} is {:.2f} times that of the others (median over points).",
        launch.name, launch.side, launch.factors.size(), plural(launch.points, "point"),
        several ? " of " + launch.subject : "", launch.quantity, launch.factor()));
  if (!others.empty()) sentences.push_back(sentence_of(others));
  if (figures > 0)
    sentences.push_back(fmt::format("{} of other launches {} left out at single points.", plural(figures, "figure"),
                                    figures == 1 ? "is" : "are"));
  return sentences;
}

}  // namespace busbar::compare
