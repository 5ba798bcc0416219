// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "reports/fleet/observations.hpp"

/// Which hosts, rails, links and launches of a view are slow.
///
/// ln(time) = usual + groups of hosts + host + rail + port + period + link + launch. An effect is a delay that its
/// other side cannot make up for: a message is as slow as its slower end. So the levels are searched from the widest to
/// the narrowest, and what a wider one explains is not looked at again. A member of a level is slow if even the faster
/// quarter of its observations does not belong to those of the other members (outliers(): generalized ESD), and takes
/// `Level::least` times as long. Up to two in five members may be slow.
namespace busbar::fleet {

enum class Level {
  host,    ///< all that a host takes part in
  rail,    ///< a rail, on all hosts
  port,    ///< a host on one rail
  period,  ///< a stretch of time, whichever hosts
  link,    ///< hosts that are slow together and not with others
  launch,  ///< one launch on hosts that are fast in other launches
};
[[nodiscard]] constexpr auto words_of(Level) {
  return std::to_array<std::string_view>({"host", "rail", "port", "period", "link", "launch"});
}

/// Something slow in a view.
struct Effect {
  Level level = Level::host;
  std::vector<std::size_t> hosts;   ///< indices into DataSet::hosts; empty for a rail and a period
  std::optional<std::size_t> rail;  ///< of a rail and a port
  std::vector<std::size_t> seen;    ///< its observations, as indices into View::seen
  double ratio = 1;                 ///< its time over the usual time, median
  /// All its launches ran one after the other while others ran before or after: it may have been the time.
  bool one_stretch = false;
};

/// Robust standard deviations of logarithms, without what is slow; empty if there are too few.
struct Spreads {
  std::optional<double> hosts, links, launches;
};

/// Hosts whose pairs are faster within their group than between groups, such as hosts below one switch.
struct Groups {
  std::vector<std::vector<std::size_t>> hosts;  ///< two groups or more of at least 3; empty: no groups
  double between_over_within = 1;               ///< time, ratio of medians
};

struct Fit {
  std::vector<double> excess;  ///< of each observation, over the usual time of its groups
  Groups groups;
  Spreads spreads;
  std::vector<Effect> effects;  ///< in the order of levels, the slowest first
};

/// `by_chance`: share of healthy views of normal noise in which something is called slow.
[[nodiscard]] Fit fit_view(const View&, const DataSet&, double by_chance);

/// What links of 6 hosts or more tell about groups. `excess`: of each observation.
[[nodiscard]] Groups find_groups(const std::vector<Observation>&, const std::vector<double>& excess);

}  // namespace busbar::fleet
