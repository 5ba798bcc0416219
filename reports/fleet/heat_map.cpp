// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "core/statistics/summary.hpp"
#include "reports/fleet/show.hpp"

/// Matrices of the speed between pairs of hosts, relative to what is usual.
namespace busbar::fleet {
namespace {

constexpr std::size_t most_matrices = 4;
constexpr std::size_t most_hosts = 64;
constexpr std::size_t fewest_pairs = 3;
constexpr report::Range shaded{50, 100};  ///< per cent of the usual speed

using PairExcess = std::map<std::pair<std::size_t, std::size_t>, std::vector<double>>;

PairExcess pairs_of(const View& view, const Fit& fit) {
  PairExcess all;
  for (std::size_t i = 0; i < view.seen.size(); ++i)
    if (const auto& hosts = view.seen[i].hosts; hosts.size() == 2) all[{hosts[0], hosts[1]}].push_back(fit.excess[i]);
  return all;
}

std::set<std::size_t> ends_of(const PairExcess& pairs) {
  std::set<std::size_t> hosts;
  for (const auto& [pair, excess] : pairs) hosts.insert({pair.first, pair.second});
  return hosts;
}

/// The views to draw, by the number of observations that are slow.
std::vector<std::size_t> views_to_draw(const Fleet& f) {
  std::vector<std::pair<std::size_t, std::size_t>> by_slow;  // slow observations, view
  for (std::size_t v = 0; v < f.fits.size(); ++v) {
    const PairExcess pairs = pairs_of(f.data.views[v], f.fits[v]);
    if (pairs.size() < fewest_pairs || ends_of(pairs).size() > most_hosts) continue;
    std::size_t slow = 0;
    for (const Effect& e : f.fits[v].effects) slow += e.seen.size();
    by_slow.emplace_back(slow, v);
  }
  std::ranges::stable_sort(by_slow, std::ranges::greater{}, [](const auto& v) { return v.first; });
  std::vector<std::size_t> views;
  for (const auto& [slow, view] : by_slow)
    if (views.size() < most_matrices && (slow > 0 || views.empty())) views.push_back(view);
  return views;
}

report::Mark mark_of(const std::string& row, const std::string& column, double excess) {
  const double speed = 100 * std::exp(-excess);
  return {.group = column,
          .row = row,
          .value = speed,
          .shade = report::shade_of(std::clamp(speed, shaded.low, shaded.high), shaded),
          .label = fmt::format("{:.0f}", speed),
          .facts = {{"pair", row + " and " + column}, {"time over usual", fmt::format("{:.2f}x", std::exp(excess))}}};
}

report::Plot matrix_of(const View& view, const Fit& fit, const std::vector<std::string>& names) {
  report::Plot plot{.kind = report::PlotKind::cells, .title = view.name + " (% of the usual speed)"};
  const PairExcess pairs = pairs_of(view, fit);
  for (const std::size_t host : ends_of(pairs)) plot.x.names.push_back(names[host]);
  plot.y.names = plot.x.names;
  for (const auto& [pair, excess] : pairs) {
    plot.marks.push_back(mark_of(names[pair.first], names[pair.second], median(excess)));
    plot.marks.push_back(mark_of(names[pair.second], names[pair.first], median(excess)));
  }
  return plot;
}

}  // namespace

report::Figure heat_map(const Fleet& f) {
  report::Figure figure{.title = "Pairs of hosts",
                        .caption =
                            "Speed relative to the usual one of the test, and of the groups that the hosts are in. "
                            "Paler is slower; 50 % and below look alike."};
  for (const std::size_t v : views_to_draw(f))
    figure.plots.push_back(matrix_of(f.data.views[v], f.fits[v], f.data.hosts));
  return figure;
}

}  // namespace busbar::fleet
