// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_words.hpp"
#include "core/record/fwd.hpp"
#include "reports/explain/rule.hpp"
#include "reports/fleet/model.hpp"
#include "reports/fleet/observations.hpp"

/// What a fleet's runs say together: which hosts, links, rails and launches are slow.
namespace busbar::fleet {

using busbar::name;

/// Something slow, over all views. Members as in Effect.
struct Slow {
  Level level = Level::host;
  explain::Certainty certainty = explain::Certainty::likely;
  std::vector<std::size_t> hosts;
  std::optional<std::size_t> rail;
  std::vector<std::size_t> views;     ///< in which it is slow, the slowest first
  std::size_t measured_in = 0;        ///< number of views in which it was measured
  std::vector<std::size_t> launches;  ///< in which it is slow, ascending
  std::size_t all_launches = 0;       ///< number of launches in which it took part
  double ratio = 1;                   ///< time over usual time in its slowest view
  bool one_stretch = false;           ///< Effect::one_stretch in every view
  /// Launches with a message of trouble (timeouts, retries, link errors): among the slow ones, and among all others.
  std::size_t troubled = 0, others_troubled = 0, others = 0;
  std::string trouble;  ///< the first such message
};

/// A host whose launches fail more often than others': binomial test against the share of the launches without it.
struct Failing {
  std::size_t host = 0;
  std::size_t failed = 0, launches = 0;       ///< launches with it
  std::size_t others_failed = 0, others = 0;  ///< launches with neither it nor a host named before
};

enum class Advice {
  fine,   ///< measured and not slow
  check,  ///< an end of a slow link, or perhaps slow
  drain,  ///< slow, or its launches fail, with whichever partner
};
[[nodiscard]] constexpr auto words_of(Advice) { return std::to_array<std::string_view>({"fine", "check", "drain"}); }

struct HostVerdict {
  std::size_t host = 0;
  Advice advice = Advice::fine;
  double ratio = 1;                  ///< the largest of `because`
  std::vector<std::size_t> because;  ///< indices into Fleet::slow, the host's own before its links
};

struct Fleet {
  DataSet data;
  std::vector<Fit> fits;              ///< of each view
  std::vector<Slow> slow;             ///< by level, then certain ones first, then the slowest
  std::vector<Failing> failing;       ///< the one with most failures first
  std::size_t failed = 0;             ///< number of launches that failed
  std::vector<HostVerdict> verdicts;  ///< of each host that a view has; drain before check, most reasons first
  std::size_t runs = 0;               ///< number of runs in the launches
};

/// True if a run of the launch was aborted or failed.
[[nodiscard]] bool failed(const Launch&);

/// `by_chance`: probability that a fleet in which all hosts fail alike has one that is named.
[[nodiscard]] std::vector<Failing> find_failing(const DataSet&, double by_chance);

/// Empty unless at least 5 launches measured the same, on 3 sets of hosts or more or with one that is slow. Of healthy
/// fleets of normal noise, 2 % at most have anything slow. The runs must outlive the result.
[[nodiscard]] std::optional<Fleet> examine_fleet(const std::vector<Run>& runs);

}  // namespace busbar::fleet
