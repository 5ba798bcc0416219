// SPDX-License-Identifier: Apache-2.0
#include "workloads/pipeline/schedule.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace busbar::pipeline {

std::string_view name(Pass pass) {
  static constexpr std::array<std::string_view, 2> names{"forward", "backward"};
  return names[static_cast<std::size_t>(pass)];
}

std::string describe(const Operation& operation) {
  return fmt::format("the {} pass of micro-batch {}", name(operation.pass), operation.micro_batch + 1);
}

Schedule make_schedule(const ScheduleKind& kind, int stages, int micro_batches) {
  if (stages < 1 || micro_batches < 1)
    throw UsageError(
        fmt::format("a pipeline has at least 1 stage and 1 micro-batch, not {} and {}", stages, micro_batches));
  Schedule all;
  for (int stage = 0; stage < stages; ++stage) all.push_back(kind.operations(stages, stage, micro_batches));
  return all;
}

int most_in_flight(std::span<const Operation> operations) {
  int now = 0, most = 0;
  for (const Operation& o : operations) {
    now += o.pass == Pass::forward ? 1 : -1;
    most = std::max(most, now);
  }
  return most;
}

}  // namespace busbar::pipeline
