// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::predict {
namespace {

using fit::Scale, fit::Sweep, fit::SweepFit;

/// Numbers of nodes that were not measured and are fewer than the target, ascending.
std::set<int> new_counts(const std::vector<Scale>& measured, int target, const std::vector<int>& predicted) {
  constexpr double close = 0.75;  // so near to the target that it is as well measured itself
  std::set<int> all, known;
  for (const Scale& s : measured) known.insert(s.nodes);
  const auto enough = [&](int nodes) { return nodes >= 2 && nodes <= close * target && !known.contains(nodes); };
  for (int nodes = 2 * *known.rbegin(); nodes <= close * target; nodes *= 2) all.insert(nodes);
  for (const int nodes : predicted) all.insert(nodes);
  all.insert(*known.begin() / 2);
  for (auto low = known.begin(), high = std::next(low); high != known.end(); ++low, ++high)
    if (*high >= 4 * *low)
      all.insert(static_cast<int>(std::exp2(std::round(std::log2(std::sqrt(*low * 1.0 * *high))))));
  std::erase_if(all, [&](int nodes) { return !enough(nodes); });
  return all;
}

/// At most `most` of them: the first two, and others evenly up to the last.
std::vector<int> some_counts(const std::set<int>& all, std::size_t most) {
  std::vector<int> some(all.begin(), all.end());
  while (some.size() > most) some.erase(some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2));
  return some;
}

Scale on(const Sweep& sweep, int nodes) {
  return {.ranks = static_cast<int>(std::lround(nodes * sweep.points.front().scale.per_node())), .nodes = nodes};
}

/// Sizes halfway between those of regions with few. Empty if all have more.
std::vector<std::uint64_t> sizes_between(const SweepFit& f) {
  constexpr std::size_t few = 5;
  std::set<std::uint64_t> measured;
  for (const fit::Observation& o : f.sweep.points) measured.insert(o.bytes);
  std::vector<std::uint64_t> all;
  for (const fit::Region& region : f.regions) {
    const auto first = measured.lower_bound(region.first), last = measured.upper_bound(region.last);
    if (std::distance(first, last) >= static_cast<std::ptrdiff_t>(few)) continue;
    for (auto low = first, high = std::next(low); high != last; ++low, ++high) {
      const auto middle =
          static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(*low) * static_cast<double>(*high))));
      if (middle > *low && middle < *high) all.push_back(middle);
    }
  }
  return all;
}

/// True if readings are open between a ring and others, and no collective beside can only be a ring.
bool lacks_a_ring(const SweepFit& f, const std::vector<SweepFit>& others) {
  constexpr std::string_view witness = "allgather";
  const bool open = std::ranges::any_of(
      f.regions, [](const fit::Region& r) { return r.curves.size() > 1 && has_curve(r, "ring") && !r.best().told; });
  return open && f.sweep.backend == "nccl" && f.sweep.scales().size() > 1 &&
         std::ranges::none_of(others, [&](const SweepFit& other) {
           return other.sweep.collective == witness && other.sweep.label == f.sweep.label &&
                  other.sweep.level == f.sweep.level;
         });
}

std::vector<NewLaunch> at_all_scales(const SweepFit& f, const std::vector<std::uint64_t>& sizes) {
  std::vector<NewLaunch> all;
  for (const Scale& scale : f.sweep.scales()) all.push_back({.scale = scale, .sizes = sizes});
  return all;
}

std::string measured_counts(const SweepFit& f) {
  std::string text;
  for (const Scale& s : f.sweep.scales()) text += (text.empty() ? "" : ", ") + std::to_string(s.nodes);
  return text + " nodes";
}

}  // namespace

double Candidate::node_launches() const {
  double nodes = 0;
  for (const NewLaunch& l : launches) nodes += l.scale.nodes;
  return nodes;
}

std::vector<Candidate> candidates_of(const SweepFit& f, const std::vector<SweepFit>& others, int target,
                                     const std::vector<int>& predicted) {
  constexpr std::size_t most_counts = 7;
  const std::vector<Scale> measured = f.sweep.scales();
  std::vector<Candidate> all;
  for (const int nodes : some_counts(new_counts(measured, target, predicted), most_counts))
    all.push_back(
        {.what = plural(nodes, "node"), .launches = {{.scale = on(f.sweep, nodes), .sizes = {}}}, .separates = true});
  for (const Scale& scale : std::set{measured.front(), measured.back()})
    all.push_back(
        {.what = "one more launch on " + plural(scale.nodes, "node"), .launches = {{.scale = scale, .sizes = {}}}});
  if (const auto sizes = sizes_between(f); !sizes.empty())
    all.push_back({.what = fmt::format("{} between those measured, {} to {}, on {}",
                                       plural(static_cast<int>(sizes.size()), "size"), format_size(sizes.front()),
                                       format_size(sizes.back()), measured_counts(f)),
                   .launches = at_all_scales(f, sizes)});
  if (lacks_a_ring(f, others))
    all.push_back({.what = "allgather on " + measured_counts(f),
                   .launches = at_all_scales(f, {}),
                   .separates = true,
                   .allgather = true});
  return all;
}

}  // namespace busbar::predict
