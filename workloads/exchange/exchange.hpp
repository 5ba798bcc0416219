// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "workloads/reducer/fusion.hpp"
#include "workloads/reducer/reducer.hpp"

namespace busbar {

/// Makes the gradients of a step the mean over the ranks, bucket after bucket, in the order in which backward completes
/// them; kinds of exchange differ in when, and in which thread. One step: ready() until all are, then finish().
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// Gradients below `end` are final; `end` grows from call to call.
  virtual void ready(std::size_t end) = 0;
  /// Returns when all gradients are means over the ranks. Collective. Throws what a reduction threw.
  virtual void finish() = 0;
  /// Wall seconds in which a reduction was under way, in all steps so far. To be asked between steps.
  [[nodiscard]] virtual double communicating_s() const = 0;
  /// ready() takes its time while the device computes on, where that keeps a time of its own (Compute::computed_s).
  [[nodiscard]] virtual bool beside_device() const { return false; }
};

/// A row of the table of exchanges.
struct ExchangeKind {
  std::string_view name, about;
  /// `reducer` and `gradients` outlive it. Buckets cover all gradients, in order.
  std::unique_ptr<Exchange> (*make)(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets);
};

}  // namespace busbar
