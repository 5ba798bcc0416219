// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

/// A model cut into stages, one behind the other, each on a rank of its own: a batch is cut into micro-batches, so that
/// the stages work on different ones at the same time. Stages and micro-batches are counted from 0 in the code;
/// micro-batches from 1 wherever they are printed, as in the literature's figures.
namespace busbar::pipeline {

enum class Pass { forward, backward };
[[nodiscard]] std::string_view name(Pass pass);

/// What a stage computes in one go: a pass of one micro-batch through its layers.
struct Operation {
  Pass pass = Pass::forward;
  int micro_batch = 0;
  bool operator==(const Operation&) const = default;
};

/// "the forward pass of micro-batch 1".
[[nodiscard]] std::string describe(const Operation& operation);

/// The operations of every stage, each in the order in which the stage runs them.
using Schedule = std::vector<std::vector<Operation>>;

/// A row of the table of schedules. All of them end a step with no micro-batch under way, so that every micro-batch
/// sees the same weights and the step computes what it would compute without stages.
struct ScheduleKind {
  std::string_view name, about;
  /// Of stage `stage` of `stages`, stage 0 being the one that takes the input. Both counts are at least 1.
  std::vector<Operation> (*operations)(int stages, int stage, int micro_batches);
};

/// Of all stages. Throws UsageError where `stages` or `micro_batches` is below 1.
[[nodiscard]] Schedule make_schedule(const ScheduleKind& kind, int stages, int micro_batches);

/// The largest number of micro-batches whose activations a stage holds at a time, from the start of their forward pass
/// to the end of their backward pass: so many sets of buffers it needs.
[[nodiscard]] int most_in_flight(std::span<const Operation> operations);

}  // namespace busbar::pipeline
