// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/job/layout.hpp"
#include "core/job/ranks.hpp"

namespace busbar {

/// Which ranks of a job do what at one time: some of them measure, in teams that do not overlap, the others sleep.
struct Stage {
  std::string name;                     ///< for a person who waits: "leaders", "2x2", "pairs 3 of 7"
  std::vector<std::vector<int>> teams;  ///< ranks of the job, ascending
  std::vector<std::string> levels;      ///< of each team, as CaseKey::group
  std::string kind = "collective";      ///< as CaseKey::kind
  /// Each team measures for itself and has cases of its own. Else the teams make their calls in step and have their
  /// cases in common: a sample is the slowest rank of all of them. They are of one size then.
  bool apart = false;
};

/// Which groups of its ranks a job measures. At most one of these is given; none: all ranks are one group.
struct Scope {
  std::vector<std::string> levels;    ///< node, leaders, world
  std::vector<NodesByRanks> layouts;  ///< parts of the job of these shapes
  /// Pairs of hosts, by the first rank on each, or of ranks.
  enum class Between { none, hosts, ranks, hosts_or_ranks } pairs = Between::none;
  /// Which pairs measure at one time: as many as there can be if every host has a part in one, or every rank; or one.
  enum class Turns { apart, concurrent, alone } turns = Turns::apart;
};

/// What is measured one after another, and what of it was left out and why.
struct Stages {
  std::vector<Stage> all;
  std::vector<std::string> notes;
};

/// Throws UsageError, the same on every rank, for what this job has not.
[[nodiscard]] Stages make_stages(const Scope&, const Ranks&);

// The parts of it, a file each.

/// All ranks are one team.
[[nodiscard]] Stage world(const Ranks&);

/// `node`: the ranks of each host, all hosts at once; `leaders`: the first rank of each host; `world`: all ranks. A
/// level that holds no two ranks together is left out with a note.
[[nodiscard]] Stages make_levels(std::span<const std::string> levels, const Ranks&);

/// All pairs. `hosts_or_ranks`: of hosts where there are two, else of ranks.
[[nodiscard]] Stages make_pairs(Scope::Between, Scope::Turns, const Ranks&);

/// Each of `n` meets each other once, in turns of pairs that do not overlap: n - 1 turns, n if it is odd (the circle
/// method of round-robin tournaments: E. Lucas, Recreations mathematiques II, 1883).
[[nodiscard]] std::vector<std::vector<std::pair<int, int>>> tournament(int n);

}  // namespace busbar
