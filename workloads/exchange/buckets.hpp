// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "core/machine/local_clock.hpp"
#include "workloads/exchange/exchange.hpp"

/// Helpers shared by all kinds of exchange.
namespace busbar {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return seconds_since(begin_ns_); }

 private:
  std::int64_t begin_ns_ = steady_ns();
};

[[nodiscard]] inline std::span<float> part(std::span<float> gradients, const Bucket& b) {
  return gradients.subspan(b.begin, b.end - b.begin);
}

inline void divide(std::span<float> values, int by) {
  const float factor = 1.0F / static_cast<float>(by);
  for (float& v : values) v *= factor;
}

/// Collective over the reducer's ranks. Replaces `values` by their mean over the ranks.
inline void mean_of(Reducer& reducer, std::span<float> values) {
  reducer.sum(values);
  if (reducer.with_data()) divide(values, reducer.ranks());
}

template <class Kind>
std::unique_ptr<Exchange> make_exchange(Reducer& reducer, std::span<float> gradients, std::vector<Bucket> buckets) {
  return std::make_unique<Kind>(reducer, gradients, std::move(buckets));
}

}  // namespace busbar
