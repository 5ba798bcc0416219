// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/group.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace busbar {

double Group::broadcast(double value) { return all_gather(value).front(); }

bool Group::any(bool mine) {
  return std::ranges::any_of(all_gather(mine ? 1.0 : 0.0), [](double theirs) { return theirs > 0; });
}

std::int64_t Group::broadcast(std::int64_t value) {
  constexpr std::int64_t half = std::int64_t{1} << 32;  // a double has 53 bits of precision
  const std::int64_t low = ((value % half) + half) % half;
  const auto parts = all_gather(std::array{static_cast<double>((value - low) / half), static_cast<double>(low)});
  return static_cast<std::int64_t>(parts[0]) * half + static_cast<std::int64_t>(parts[1]);
}

Verdict agree(Group& group, const Verdict& mine) {
  const auto severities = group.all_gather(static_cast<double>(mine.severity));
  const auto worst = std::ranges::max_element(severities);
  const auto severity = static_cast<Severity>(static_cast<int>(*worst));
  if (severity == Severity::ok) return {};
  const int owner = static_cast<int>(worst - severities.begin());
  std::string reason = owner == group.rank() ? fmt::format("rank {}: {}", owner, mine.reason) : "";
  return {severity, group.broadcast(std::move(reason), owner)};
}

void on_rank_0(Group& group, const std::function<void()>& step) {
  std::string problem;
  if (group.rank() == 0) {
    try {
      step();
    } catch (const UsageError& e) {
      problem = e.what();
    }
  }
  problem = group.broadcast(std::move(problem), 0);
  if (!problem.empty()) throw UsageError(problem);
}

}  // namespace busbar
