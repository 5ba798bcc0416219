// SPDX-License-Identifier: Apache-2.0
#include "core/group.hpp"

#include <algorithm>
#include <bit>

#include <fmt/core.h>

namespace busbar {

double Group::broadcast(double value) {
  std::string bytes(sizeof value, '\0');
  if (rank() == 0) std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, bytes.data());
  bytes = broadcast(std::move(bytes), 0);
  std::copy_n(bytes.data(), sizeof value, reinterpret_cast<char*>(&value));
  return value;
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
