// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/facts.hpp"
#include "preflight/options.hpp"
#include "preflight/roll.hpp"

/// What each stage does before its checks judge: ranks read, send and try, and rank 0 has the facts.
namespace busbar::preflight {

/// One rank's view of a run.
struct Run {
  Roll& roll;
  Alarm& alarm;
  const Options& options;
  /// Complete on rank 0. Elsewhere: who the ranks are and which host each is on, from the stage launch on.
  Facts facts = {};
  GpuOfRank own_gpu = {};  ///< this rank's, from the stage gpu on

  [[nodiscard]] std::size_t me() const { return static_cast<std::size_t>(roll.rank()); }
  [[nodiscard]] int host() const { return facts.ranks[me()].host; }
  /// True on the lowest rank of each host, which speaks for it.
  [[nodiscard]] bool speaks_for_host() const { return ranks_of(facts, host()).front() == roll.rank(); }
};

/// Each is collective, and ends within the stage's limit or not at all (Silence on rank 0).
void gather_launch(Run&, const Identity& mine);
void gather_same(Run&);
void gather_host(Run&);
void gather_binding(Run&);
void gather_gpu(Run&);
void gather_network(Run&);
void gather_pairs(Run&);
void gather_all(Run&);

}  // namespace busbar::preflight
