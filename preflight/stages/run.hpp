// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "preflight/contact/roll.hpp"
#include "preflight/facts/facts.hpp"
#include "preflight/stages/options.hpp"

/// The work of each stage before its checks: ranks read facts and test messages; rank 0 gathers the facts.
namespace busbar::preflight {

/// One rank's view of a run.
struct Run {
  Roll& roll;
  Alarm& alarm;
  const PreflightOptions& options;
  const Identity& mine;
  /// Complete on rank 0. Elsewhere: only ranks and their hosts, from stage launch on.
  Facts facts = {};
  GpuOfRank own_gpu = {};  ///< from stage gpu on

  [[nodiscard]] std::size_t me() const { return static_cast<std::size_t>(roll.rank()); }
  [[nodiscard]] int host() const { return facts.ranks[me()].host; }
  /// True on the lowest rank of each host, which reports for it.
  [[nodiscard]] bool speaks_for_host() const { return ranks_of(facts, host()).front() == roll.rank(); }
};

/// Collective over the job. They end within the stage's limit, or throw Silence on rank 0.
void gather_launch(Run&);
void gather_same(Run&);
void gather_host(Run&);
void gather_binding(Run&);
void gather_gpu(Run&);
void gather_network(Run&);
void gather_pairs(Run&);
void gather_all(Run&);

}  // namespace busbar::preflight
