// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <utility>

#include "core/ranks/group.hpp"
#include "core/record/status.hpp"

namespace busbar {

/// Reorders `items`, by `seed` alone: the same order on every rank with any standard library (std::shuffle may differ).
/// Fisher and Yates (Knuth, TAOCP 3.4.2, algorithm P).
template <class T>
void shuffle(std::span<T> items, std::uint32_t seed) {
  std::mt19937 draw(seed);
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[draw() % left], items[left - 1]);
}

/// One visit to a case of RoundTask.
struct Turn {
  int round = 0;           ///< from 1
  std::size_t at = 0;      ///< the case, from 0
  std::size_t next = 0;    ///< the case that is visited next, if none ends now
  std::size_t active = 0;  ///< cases that have not ended, this one included
  bool last = false;       ///< of the round
};

/// Cases that are measured in rounds. All methods are called on every rank of the group, in the same order.
class RoundTask {
 public:
  virtual ~RoundTask() = default;
  /// Before each round. `last_s`: duration of the last one, seconds; 0 before the first.
  virtual void begin_round(int /*round*/, double /*last_s*/) {}
  /// The order of the visits of a round; `cases` are those that have not ended.
  virtual void sort(std::span<std::size_t> cases, int round) { shuffle(cases, static_cast<std::uint32_t>(round)); }
  virtual void visit(const Turn&) = 0;
  /// Why the case of this turn ends now; empty if it does not. Rank 0's answer counts.
  [[nodiscard]] virtual std::optional<EndedBy> ended(const Turn&) = 0;
  /// True on any rank ends all cases.
  [[nodiscard]] virtual bool interrupted() const = 0;
  /// True if this ends all cases, not only that of the turn.
  [[nodiscard]] virtual bool ends_all(EndedBy by) const { return is_cut_off(by); }
  /// After a turn that ended nothing.
  virtual void keep(const Turn&) {}
  virtual void conclude(std::size_t at, EndedBy) = 0;
};

/// Visits `cases` cases in rounds, each in a new order, until all have ended. Machines have states that last for 0.2 to
/// 3 s and differ by a factor of two: samples taken in a row see one of them, rounds see many. Collective over the
/// group.
void run_rounds(Group& group, RoundTask& task, std::size_t cases);

/// One decision for all ranks: `mine` of rank 0, or interrupted if any rank was. Collective over the group.
[[nodiscard]] std::optional<EndedBy> agree_on_end(Group& group, std::optional<EndedBy> mine, bool interrupted);

}  // namespace busbar
