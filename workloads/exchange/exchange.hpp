// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "workloads/networks/fusion.hpp"
#include "workloads/reducer/reducer.hpp"

namespace busbar {

/// Replaces the gradients of a step by their means over the ranks, bucket by bucket, in the order in which backward
/// completes them. Kinds of exchange differ in timing and thread. In each step, call ready() until all gradients are
/// final, then finish().
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// Gradients below `end` are final; `end` increases with each call.
  virtual void ready(std::size_t end) = 0;
  /// Collective over the reducer's ranks. Waits until all gradients are means. Rethrows a reduction's exception.
  virtual void finish() = 0;
  /// Wall-clock seconds with a reduction in progress, summed over all steps so far. Call it between steps only.
  [[nodiscard]] virtual double communicating_s() const = 0;
  /// True if ready() overlaps with device compute, for engines that track device time (Compute::computed_s).
  [[nodiscard]] virtual bool beside_device() const { return false; }
};

/// A row of the table of exchange kinds.
struct ExchangeKind {
  std::string_view name, about;
  /// `reducer` and `gradients` must outlive it. Buckets cover all gradients, in order.
  std::unique_ptr<Exchange> (*make)(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets);
};

}  // namespace busbar
