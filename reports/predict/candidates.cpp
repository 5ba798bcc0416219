// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/core.h>

#include "core/base/units.hpp"

namespace busbar::predict {
namespace {

using fit::Scale, fit::SweepFit;

struct MoreSizes {
  std::vector<std::uint64_t> sizes;
  std::uint64_t first = 0, last = 0;  ///< measured sizes around them
};

/// Sizes halfway between those of regions with few. Empty if all regions have more.
MoreSizes more_sizes(const SweepFit& f) {
  constexpr std::ptrdiff_t few = 5;
  const std::vector<std::uint64_t> measured = f.sweep.sizes();
  MoreSizes more;
  for (const fit::Region& region : f.regions) {
    const auto first = std::ranges::lower_bound(measured, region.first);
    const auto end = std::ranges::upper_bound(measured, region.last);
    if (std::distance(first, end) >= few) continue;
    for (auto low = first, high = std::next(low); high != end; ++low, ++high) {
      const auto middle = *low + (*high - *low) / 2;
      if (middle == *low) continue;
      if (more.sizes.empty()) more.first = *low;
      more.sizes.push_back(middle);
      more.last = *high;
    }
  }
  return more;
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

std::vector<int> node_counts(const std::vector<Scale>& measured, int target, const std::vector<int>& predicted) {
  constexpr double near = 0.75;  // from there on the target can be measured itself
  constexpr std::size_t most = 7;
  std::set<int> known, all(predicted.begin(), predicted.end());
  for (const Scale& s : measured) known.insert(s.nodes);
  for (int nodes = 2 * *known.rbegin(); nodes <= near * target; nodes *= 2) all.insert(nodes);
  all.insert(*known.begin() / 2);
  for (auto low = known.begin(), high = std::next(low); high != known.end(); ++low, ++high)
    if (*high >= 4 * *low)
      all.insert(static_cast<int>(std::exp2(std::round(std::log2(std::sqrt(1.0 * *low * *high))))));
  std::erase_if(all, [&](int nodes) { return nodes < 2 || nodes > near * target || known.contains(nodes); });
  std::vector<int> some(all.begin(), all.end());
  while (some.size() > most) some.erase(some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2));
  return some;
}

double Candidate::node_launches() const {
  double nodes = 0;
  for (const NewLaunch& l : launches) nodes += l.scale.nodes;
  return nodes;
}

std::vector<Candidate> candidates_of(const SweepFit& f, const std::vector<SweepFit>& others, int target,
                                     const std::vector<int>& predicted) {
  const std::vector<Scale> measured = f.sweep.scales();
  std::vector<Candidate> all;
  for (const int nodes : node_counts(measured, target, predicted))
    all.push_back(
        {.what = plural(nodes, "node"), .launches = {{.scale = measured.front().on(nodes)}}, .separates = true});
  for (const Scale& scale : std::set{measured.front(), measured.back()})
    all.push_back({.what = "one more launch on " + plural(scale.nodes, "node"), .launches = {{.scale = scale}}});
  if (const MoreSizes more = more_sizes(f); !more.sizes.empty())
    all.push_back(
        {.what = fmt::format("{} between {} and {} on {}", plural(static_cast<int>(more.sizes.size()), "size"),
                             format_size(more.first), format_size(more.last), measured_counts(f)),
         .launches = at_all_scales(f, more.sizes)});
  if (lacks_a_ring(f, others))
    all.push_back({.what = "allgather on " + measured_counts(f),
                   .launches = at_all_scales(f, {}),
                   .separates = true,
                   .allgather = true});
  return all;
}

}  // namespace busbar::predict
