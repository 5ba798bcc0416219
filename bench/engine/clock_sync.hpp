// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "bench/engine/clock_model.hpp"
#include "core/machine/local_clock.hpp"
#include "core/ranks/group.hpp"
#include "core/record/clock_facts.hpp"

namespace busbar {

/// Global time for all ranks: rank 0's clock. Ranks exchange messages, so use it only between batches, untimed.
///
/// Ranks of a host normally share one clock. This is verified; a rank with another clock (a time namespace) leads
/// itself. One leader per clock runs HCA3 in a binomial tree from rank 0 outwards. Each leader fits a line through its
/// offsets to a rank that already knows the global time, so lines are never composed (S. Hunold, A. Carpen-Amarie:
/// Hierarchical Clock Synchronization in MPI, IEEE CLUSTER 2018). Other ranks copy their leader's line ("clock
/// propagation" there). Offsets use the fastest of several ping-pongs (SKaMPI; Cristian 1989).
///
/// Duration: 0.4 to 0.5 s with several clocks, a few milliseconds with one.
class ClockSync {
 public:
  /// Collective over the group. `hosts`: host number of each rank. `now` reads this rank's clock, also during waits.
  ClockSync(Group& group, std::vector<int> hosts, LocalClock now = steady_ns);

  /// Convert between this rank's clock and global time, in ns. Local. A check() that synchronises again changes the
  /// line: convert earlier times before it.
  [[nodiscard]] std::int64_t to_global(std::int64_t local_ns) const { return mine().to_global(local_ns); }
  [[nodiscard]] std::int64_t to_local(std::int64_t global_ns) const { return mine().to_local(global_ns); }

  /// Collective over `among`, which may be a part of the group. Returns a global time `in_s` seconds after `among`'s
  /// rank 0 calls this, equal on all of them to the nanosecond.
  [[nodiscard]] std::int64_t agree_on_start(Group& among, double in_s) const;

  /// Number of ranks that share this time.
  [[nodiscard]] int ranks() const { return group_.size(); }

  /// Collective over the group, some milliseconds. Measures the remaining offset and records it at `at_s` (seconds
  /// since the start of the run). Synchronises again if the offset exceeds 1 us and three times its earlier value, or
  /// if a rank no longer reads its leader's clock. Returns true if it did; the same on every rank.
  bool check(double at_s);

  /// Facts of the last synchronisation; the same on every rank.
  [[nodiscard]] const ClockFacts& facts() const { return facts_; }
  /// The same on every rank.
  [[nodiscard]] const ClockChecks& checks() const { return checks_; }

 private:
  /// Remaining offset between a rank and its parent, or rank 0.
  struct Left {
    double offset_ns = 0, uncertainty_ns = 0;
  };
  using WithPeer = std::function<void(int peer)>;

  void synchronise();
  void find_leaders();
  void learn();
  void share();
  void correct();
  [[nodiscard]] std::vector<Left> links_left();
  [[nodiscard]] std::vector<Left> to_rank_0(std::vector<Left> links) const;
  [[nodiscard]] bool has_grown(std::size_t rank, const Left& left) const;
  void describe(const std::vector<Left>& left, double took_s);

  void among_leaders(const WithPeer& ask, const WithPeer& answer) const;
  void below_leaders(const WithPeer& ask, const WithPeer& answer) const;
  [[nodiscard]] int parent(int rank) const;

  [[nodiscard]] std::int64_t base_ns(int rank) const {
    return bases_s_[static_cast<std::size_t>(rank)] * 1'000'000'000;
  }
  [[nodiscard]] OffsetPoint ping(int peer, std::int64_t base_ns, bool last);
  [[nodiscard]] OffsetPoint burst(int peer, std::int64_t base_ns);
  [[nodiscard]] std::vector<OffsetPoint> series(int peer, std::int64_t base_ns, std::int64_t length_ns);
  void answer(int peer, std::int64_t base_ns, const ClockModel& model);

  [[nodiscard]] const ClockModel& mine() const { return models_[static_cast<std::size_t>(group_.rank())]; }

  Group& group_;
  std::vector<int> hosts_;
  LocalClock now_;
  std::vector<std::int64_t> bases_s_;  ///< each rank's clock in whole seconds, read once; sent times are relative to it
  std::vector<int> leader_of_;         ///< by rank: the lowest rank with the same clock
  std::vector<int> leaders_;           ///< in order, rank 0 first
  std::optional<ClockFit> fit_;        ///< leaders except rank 0
  std::vector<ClockModel> models_;     ///< by rank
  ClockFacts facts_;
  ClockChecks checks_;
};

}  // namespace busbar
