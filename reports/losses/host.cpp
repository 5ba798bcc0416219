// SPDX-License-Identifier: Apache-2.0
#include "reports/losses/host.hpp"

#include <optional>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"

namespace busbar::losses {
namespace {

using explain::Certainty;

constexpr double slower_pace = 1.02;

/// How much slower the CPUs were than in the baseline, by loops that do no communication; empty if unknown.
std::optional<double> pace_ratio(const CaseRecord& c, const CaseRecord& baseline) {
  if (!c.paced || !baseline.paced || !(baseline.paced->pace_s > 0)) return std::nullopt;
  return c.paced->pace_s / baseline.paced->pace_s;
}

std::optional<double> ranks_of_a_node(const CaseRecord& c) {
  if (!c.key.nodes || *c.key.nodes < 1) return std::nullopt;
  return static_cast<double>(c.key.ranks) / *c.key.nodes;
}

bool newly_contended(const CaseRecord& c) { return c.contention && c.contention->contended(); }

}  // namespace

HostCause cause_of_computing(const CaseRecord& c, const CaseRecord& baseline) {
  if (newly_contended(c))
    return {.certainty = Certainty::likely,
            .text = fmt::format("CPU contention: {}{}.", fmt::join(c.contention->reasons, ", "),
                                newly_contended(baseline) ? fmt::format("; in the baseline: {}",
                                                                        fmt::join(baseline.contention->reasons, ", "))
                                                          : "")};
  if (c.throttled.value_or(false) && !baseline.throttled.value_or(false))
    return {.certainty = Certainty::likely, .text = "A GPU was throttled, in the baseline none."};
  if (const auto ratio = pace_ratio(c, baseline); ratio && *ratio > slower_pace)
    return {.certainty = Certainty::likely,
            .text = fmt::format("The CPUs were {:.2f}x slower than in the baseline (pace).", *ratio)};
  const auto here = ranks_of_a_node(c), there = ranks_of_a_node(baseline);
  if (here && there && *here > *there)
    return {.text = fmt::format("{:.3g} ranks share a node, {:.3g} in the baseline: memory bandwidth, caches, clock.",
                                *here, *there)};
  return {};
}

}  // namespace busbar::losses
