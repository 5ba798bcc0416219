// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bench/engine/plan.hpp"
#include "bench/replay/schedule.hpp"
#include "bench/replay/trace.hpp"

namespace busbar::replay {

/// Ranks of a group.
using Members = std::vector<int>;

[[nodiscard]] bool is_world(const Members&, int ranks);

/// The ranks as rank_list() writes them; long lists are cut.
[[nodiscard]] std::string text_of_ranks(const Members&);

/// What a replay is planned for.
struct PlannedJob {
  int ranks = 0;                   ///< of this job
  std::optional<int> trace_ranks;  ///< of the recorded job; empty: unknown
  bool one_trace = false;          ///< one rank's trace stands for all
  ScheduleOptions options;

  [[nodiscard]] bool rescaled() const { return trace_ranks && *trace_ranks != ranks; }
};

/// A call of one rank over known ranks of this job, or the reason why it is left out.
struct Wanted {
  const TracedCall* call = nullptr;
  Members members;
  std::string about;   ///< Trace's description of the group
  Case spec;           ///< valid if `reason` is empty
  std::string reason;  ///< why it is left out
  std::string group;   ///< for the list of what is left out
};

/// What a traced call is in this job. Throws UsageError if its group has ranks that its job had not.
[[nodiscard]] Wanted find_wanted(const PlannedJob&, const Trace&, const TracedCall&);

/// Ranks of the recorded job in the group of a call. Throws Unsupported if they are unknown.
[[nodiscard]] Members members_of(const PlannedJob&, const Trace&, const TracedCall&);

inline constexpr const char* different_totals =
    "uneven splits: its ranks send different totals, and those of busbar's alltoallv send as much as each other";

/// Makes `c` one rank's part of an uneven all-to-all, without the blocks of the others. Throws Unsupported.
void set_uneven_exchange(Case& c, const TracedCall&);

/// Distinguishes the calls of a group: collective, type, root, elements, name of uneven counts.
using Signature = std::tuple<std::string_view, DType, int, std::size_t, std::string>;

[[nodiscard]] Signature signature_of(const Case&);

}  // namespace busbar::replay
