// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/what_if/account.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/statistics/distributions.hpp"

namespace busbar::predict {
namespace {

/// End of the range of a factor whose logarithm has this standard deviation.
double range_of(double deviation, double confidence) {
  return std::exp(upper_quantile((1 - confidence) / 2, normal_degrees) * deviation);
}

/// The largest change of the ranks on a node, as a logarithm of the ratio.
double log_of_ranks(int per_node, const Prediction& p) {
  double most = 0;
  const auto compare = [&](const fit::Scale& s) { most = std::max(most, std::abs(std::log(per_node / s.per_node()))); };
  for (const Series& s : p.series) compare(s.measured.front().scale);
  for (const TrainingSeries& t : p.trainings) compare(t.baseline);
  return most;
}

}  // namespace

void Account::add(const Doubt& doubt, double deviation, std::string_view of) {
  if (!(deviation > 0)) return;
  doubts_.push_back(doubt);
  wider_.push_back(fmt::format("{} within a factor of {:.3g}", of, range_of(deviation, confidence_)));
}

void Account::bandwidth(const NetworkChange& n, const std::optional<KnownNetwork>& now) {
  if (!(n.GBps > 0)) return;
  assume(
      fmt::format("{:g} GB/s out of each node ({}) in place of {:g} ({}): the time of a byte is multiplied by "
                  "{:.3g}.",
                  n.GBps, n.text, now->GBps, now->text, 1 / n.factor));
  add({.bandwidth = n.doubt}, n.doubt, "bandwidth");
}

void Account::latency(double from_s, double to_s, std::string_view what) {
  assume(fmt::format("{} takes {} in place of {}.", what, format_duration(to_s), format_duration(from_s)));
  const double doubt = doubt_of_ratio * std::abs(std::log(to_s / from_s));
  add({.step = doubt}, doubt, "steps by latency");
}

void Account::ranks_on_a_node(int per_node, const Prediction& as_it_is) {
  assume(
      fmt::format("{} on a node: steps and volumes are those of as many ranks on each node. The step of a fitted ring "
                  "changes by the square root of the ratio, since it holds the steps inside a node.",
                  plural(per_node, "rank")));
  const double log_ratio = log_of_ranks(per_node, as_it_is);
  add({.step = doubt_of_node * log_ratio}, doubt_of_node * log_ratio, "steps by ranks on a node");
  add({.bandwidth = doubt_of_ratio * log_ratio}, doubt_of_ratio * log_ratio, "bandwidth by ranks on a node");
}

void Account::algorithm(std::string_view name) {
  assume(
      fmt::format("Every size uses {}: its curve where the times do not rule it out, else its steps and volumes at "
                  "the costs that were fitted.",
                  name));
  add({.bandwidth = doubt_of_algorithm, .step = doubt_of_algorithm}, doubt_of_algorithm,
      "steps and bytes of this algorithm");
}

std::string Account::text() const {
  const std::string wider =
      wider_.empty() ? "" : fmt::format(" At {:g} %: {}, by convention.", 100 * confidence_, fmt::join(wider_, "; "));
  return fmt::format("What if {}:{}{}", name_, assumed_, wider);
}

}  // namespace busbar::predict
