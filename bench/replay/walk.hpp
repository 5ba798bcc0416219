// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "bench/replay/wanted.hpp"

namespace busbar::replay {

/// The ranks' lists, walked together: a call happens when it is the next one of all ranks of its group.
class Walk {
 public:
  explicit Walk(std::vector<std::vector<Wanted>> lists) : lists_(std::move(lists)), next_(lists_.size()) {}

  /// The next call of a rank; null at the end of its list.
  [[nodiscard]] const Wanted* head(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return next_[r] < lists_[r].size() ? &lists_[r][next_[r]] : nullptr;
  }
  /// True if the next call of each rank of its group is over this group.
  [[nodiscard]] bool ready(const Wanted& w) const {
    return std::ranges::all_of(w.members, [&](int r) { return head(r) != nullptr && head(r)->members == w.members; });
  }
  /// The next calls of all ranks of a group.
  [[nodiscard]] std::vector<const Wanted*> heads(const Members& members) const {
    std::vector<const Wanted*> all;
    for (const int r : members) all.push_back(head(r));
    return all;
  }
  void pop(int rank) { ++next_[static_cast<std::size_t>(rank)]; }
  /// True if a rank of the group has no call over it any more.
  [[nodiscard]] bool lacks_partner(const Wanted& w) const {
    return std::ranges::any_of(w.members, [&](int rank) {
      const auto r = static_cast<std::size_t>(rank);
      const auto from = lists_[r].begin() + static_cast<std::ptrdiff_t>(next_[r]);
      return std::none_of(from, lists_[r].end(), [&](const Wanted& other) { return other.members == w.members; });
    });
  }
  [[nodiscard]] int ranks() const { return static_cast<int>(lists_.size()); }

 private:
  std::vector<std::vector<Wanted>> lists_;
  std::vector<std::size_t> next_;
};

}  // namespace busbar::replay
