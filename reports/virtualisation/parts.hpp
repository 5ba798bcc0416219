// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "reports/virtualisation/gathered.hpp"

/// The parts of a study, each from the launches of its sides.
namespace busbar::virtualisation {

inline constexpr std::uint64_t largest_small = 1024;     ///< bytes; times up to it are latencies
inline constexpr std::uint64_t least_large = 64 * 1024;  ///< bytes; large sizes are above it,
inline constexpr std::uint64_t large_within = 8;         ///< and at least the largest size over this

/// Sets overall, messages and curves. The figure of a launch for several sizes (or collectives) is the geometric mean
/// over those that all its launches have, so that the interval is between launches.
void add_messages(Study&, const Gathered&);

/// Sets trainings and steps, from the cases that both sides have.
void add_trainings(Study&, const Gathered&);

/// Sets facts: stolen time, OS noise, clocks, smallest latencies.
void add_facts(Study&, const Gathered&);

}  // namespace busbar::virtualisation
