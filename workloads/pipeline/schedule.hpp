// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

/// Pipeline parallelism: a model is cut into consecutive stages, one per rank, and a batch into micro-batches, so that
/// stages work on different micro-batches at the same time. Code counts stages and micro-batches from 0; output counts
/// micro-batches from 1, as the literature does.
namespace busbar::pipeline {

enum class Pass { forward, backward };
[[nodiscard]] std::string_view name(Pass pass);

/// A unit of work of a stage: one pass of one micro-batch through its layers.
struct Operation {
  Pass pass = Pass::forward;
  int micro_batch = 0;
  bool operator==(const Operation&) const = default;
};

/// Returns "the forward pass of micro-batch 1".
[[nodiscard]] std::string describe(const Operation& operation);

/// The operations of every stage, in execution order.
using Schedule = std::vector<std::vector<Operation>>;

/// A row of the table of schedules. Every schedule flushes the pipeline at the end of a step, so all micro-batches use
/// the same weights and the result is the same as without stages.
struct ScheduleKind {
  std::string_view name, about;
  /// Operations of stage `stage` of `stages`; stage 0 reads the input. `stages` and `micro_batches` are at least 1.
  std::vector<Operation> (*operations)(int stages, int stage, int micro_batches);
};

/// Operations of all stages. Throws UsageError if `stages` or `micro_batches` is below 1.
[[nodiscard]] Schedule make_schedule(const ScheduleKind& kind, int stages, int micro_batches);

/// Maximum number of micro-batches in flight on a stage, from the start of forward to the end of backward: the number
/// of activation buffers that it needs.
[[nodiscard]] int most_in_flight(std::span<const Operation> operations);

}  // namespace busbar::pipeline
