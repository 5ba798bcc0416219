// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "bench/replay/wanted.hpp"

namespace busbar::replay {

/// Finds the call that the ranks of a group make together, from what each of them recorded.
class CommonCalls {
 public:
  /// `of_rank`: the trace of each rank. Both must outlive this object.
  CommonCalls(const PlannedJob& job, const std::vector<const Trace*>& of_rank) : job_(job), of_rank_(of_rank) {}

  /// `parts`: the call of each rank of a group, in its order. Throws Unsupported if busbar cannot make it, UsageError
  /// if these are different calls.
  [[nodiscard]] Case find(const std::vector<const Wanted*>& parts);

 private:
  void require_same(const std::vector<const Wanted*>& parts) const;
  [[nodiscard]] std::vector<std::uint64_t> sent_by(const Wanted&, int rank) const;
  [[nodiscard]] Case uneven_exchange(const std::vector<const Wanted*>& parts);

  const PlannedJob& job_;
  const std::vector<const Trace*>& of_rank_;
  /// By what each sender has for each rank, in elements.
  std::map<std::vector<std::vector<std::uint64_t>>, std::shared_ptr<const BlockShares>> shares_;
};

}  // namespace busbar::replay
