// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/run_rounds.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/machine/local_clock.hpp"

namespace busbar {
namespace {

/// Visits each case of `active` once and removes those that ended.
void run_round(Group& group, RoundTask& task, std::vector<std::size_t>& active, int round) {
  std::vector<std::size_t> order = active;
  task.sort(order, round);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Turn turn{.round = round,
                    .at = order[k],
                    .next = order[(k + 1) % order.size()],
                    .active = active.size(),
                    .last = k + 1 == order.size()};
    task.visit(turn);
    const auto end = agree_on_end(group, task.ended(turn), task.interrupted());
    if (!end) {
      task.keep(turn);
    } else if (task.ends_all(*end)) {
      for (const std::size_t at : std::exchange(active, {})) task.conclude(at, *end);
      return;
    } else {
      task.conclude(turn.at, *end);
      std::erase(active, turn.at);
    }
  }
}

}  // namespace

std::optional<EndedBy> agree_on_end(Group& group, std::optional<EndedBy> mine, bool interrupted) {
  constexpr double none = -1, by_signal = static_cast<double>(EndedBy::interrupted);
  if (interrupted) mine = EndedBy::interrupted;
  const auto all = group.all_gather(mine ? static_cast<double>(*mine) : none);
  const double decided = std::ranges::find(all, by_signal) != all.end() ? by_signal : all.front();
  return decided < 0 ? std::nullopt : std::optional(static_cast<EndedBy>(decided));
}

void run_rounds(Group& group, RoundTask& task, std::size_t cases) {
  std::vector<std::size_t> active(cases);
  std::iota(active.begin(), active.end(), 0);
  double last_s = 0;
  for (int round = 1; !active.empty(); ++round) {
    task.begin_round(round, last_s);
    const std::int64_t begin_ns = steady_ns();
    run_round(group, task, active, round);
    last_s = seconds_since(begin_ns);
  }
}

}  // namespace busbar
