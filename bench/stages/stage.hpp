// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/job/layout.hpp"
#include "core/job/ranks.hpp"
#include "core/job/split.hpp"
#include "core/record/case_key.hpp"

namespace busbar {

/// What the ranks of a job do at one time: some measure in disjoint teams, the others sleep.
struct Stage {
  std::string name;                     ///< for progress messages: "leaders", "2x2", "turn 3 of 7"
  std::vector<std::vector<int>> teams;  ///< ranks of the job, ascending
  std::vector<std::string> levels;      ///< CaseKey::group of each team
  CaseKind kind = CaseKind::collective;
  /// True: each team has its own cases. False: the teams, all of one size, call in step and share their cases; a sample
  /// is the slowest rank of all teams.
  bool apart = false;
  /// A second kind of teams of the same ranks, with teams of one size. Its cases, and those in which each rank calls
  /// with its team of the first kind and then of the second, share the rounds of the first kind's. No teams: one kind.
  struct SecondTeams {
    std::vector<std::vector<int>> teams;
    std::string level;  ///< CaseKey::group
  } second = {};

  /// CaseKey::group of cases of both kinds.
  [[nodiscard]] std::string both() const { return levels[0] + " + " + second.level; }
};

/// The ranks of all teams, ascending.
[[nodiscard]] std::vector<int> members_of(std::span<const std::vector<int>> teams);

/// The number of the team that has the rank; empty if none has.
[[nodiscard]] std::optional<std::size_t> team_with(std::span<const std::vector<int>> teams, int rank);

/// Which groups of ranks to measure. At most one of levels, layouts, splits and pairs is set; none: all ranks as one
/// group.
struct Scope {
  std::vector<std::string> levels;    ///< node, leaders, world
  std::vector<NodesByRanks> layouts;  ///< parts of the job with these shapes
  std::vector<Split> splits;          ///< one or two kinds of groups that measure at the same time
  /// Pairs of hosts, using each host's first rank, or pairs of ranks.
  enum class Between { none, hosts, ranks, hosts_or_ranks } pairs = Between::none;
  /// Which pairs run at once: one pair per host, one per rank, or a single pair.
  enum class Turns { apart, concurrent, alone } turns = Turns::apart;
};

/// Stages in run order, and notes on those left out.
struct Stages {
  std::vector<Stage> all;
  std::vector<std::string> notes;
};

/// Throws UsageError, the same on every rank, if the job lacks the requested groups.
[[nodiscard]] Stages make_stages(const Scope&, const Ranks&);

// One file per kind of stage.

/// All ranks as one team.
[[nodiscard]] Stage world(const Ranks&);

/// `node`: the ranks of each host, all hosts at once; `leaders`: the first rank of each host; `world`: all ranks.
/// `node` and `leaders` are left out, with a note, if their teams have one rank.
[[nodiscard]] Stages make_levels(std::span<const std::string> levels, const Ranks&);

/// One stage with the groups of one or two kinds. A kind whose groups have one rank is left out, with a note; ranks
/// without a group sleep, with a note.
[[nodiscard]] Stages make_splits(std::span<const Split>, const Ranks&);

/// All pairs. `hosts_or_ranks`: pairs of hosts if there are two, else of ranks.
[[nodiscard]] Stages make_pairs(Scope::Between, Scope::Turns, const Ranks&);

/// Round-robin tournament: each of `n` meets each other once, in n - 1 turns of disjoint pairs, n if n is odd (circle
/// method: E. Lucas, Recreations mathematiques II, 1883).
[[nodiscard]] std::vector<std::vector<std::pair<int, int>>> tournament(int n);

}  // namespace busbar
