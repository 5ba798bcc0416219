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

/// One time for all ranks: rank 0's clock. Never timed, and for between batches: the ranks exchange messages.
///
/// Ranks of a host read one clock; that is verified, and a rank that reads another (a time namespace) stands alone.
/// Among one leader a clock, HCA3: a binomial tree from rank 0 outwards, in which each rank fits a line through its
/// offsets to a rank that already knows the global time, so that lines need not be composed (S. Hunold, A.
/// Carpen-Amarie: Hierarchical Clock Synchronization in MPI, IEEE CLUSTER 2018). Ranks take over the line of their
/// leader ("clock propagation" there). Offsets come from the quickest of several ping-pongs (SKaMPI; Cristian 1989).
///
/// 0.4 to 0.5 s where there are several clocks, some milliseconds where there is one.
class ClockSync {
 public:
  /// Collective. `hosts`: the host of each rank, as numbers; `now` is read by this rank, also while it waits.
  ClockSync(Group& group, std::vector<int> hosts, LocalClock now = steady_ns);

  /// Of a time of this rank's clock; nanoseconds. Local, as the next. After a check that synchronised anew both follow
  /// the new line, so times that were taken before belong converted before it.
  [[nodiscard]] std::int64_t to_global(std::int64_t local_ns) const { return mine().to_global(local_ns); }
  [[nodiscard]] std::int64_t to_local(std::int64_t global_ns) const { return mine().to_local(global_ns); }

  /// Collective over `among`, some or all of these ranks. A global time `in_s` seconds from the now of the first of
  /// them, to the nanosecond the same on each.
  [[nodiscard]] std::int64_t agree_on_start(Group& among, double in_s) const;

  /// Who have this time in common.
  [[nodiscard]] int ranks() const { return group_.size(); }

  /// Collective, some milliseconds. Measures what offset is left, notes it as at `at_s` (seconds since the start of the
  /// run), and synchronises anew if that has grown beyond 1 us and three times what it was, or if a rank no longer
  /// reads its leader's clock. True if it did; the same on every rank.
  bool check(double at_s);

  /// Of the last synchronisation; the same on every rank.
  [[nodiscard]] const ClockFacts& facts() const { return facts_; }
  /// The same on every rank.
  [[nodiscard]] const ClockChecks& checks() const { return checks_; }

 private:
  /// What is left between a rank and another one, or rank 0. Nanoseconds.
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
  std::vector<std::int64_t> bases_s_;  ///< each rank's clock in whole seconds, once: times are sent relative to these
  std::vector<int> leader_of_;         ///< by rank: the lowest rank that reads the same clock
  std::vector<int> leaders_;           ///< in order, rank 0 first
  std::optional<ClockFit> fit_;        ///< of a leader but rank 0
  std::vector<ClockModel> models_;     ///< by rank
  ClockFacts facts_;
  ClockChecks checks_;
};

}  // namespace busbar
